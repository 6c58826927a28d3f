"""From a file to a model that is ready: header, memory, template, then llama.cpp."""

from pathlib import Path

from models import cores
from models.base import ModelFileError, ModelMemoryError
from models.chat import LlamaChat
from models.embed import Embedder, Reranker
from models.fit import CONTEXTS, Fit, fit
from models.gguf import Header, read_header
from models.llama import Llama, Pooling, Settings
from models.template import chat_template

_VECTOR_CONTEXT = 512


def load_chat(
    path: Path,
    *,
    model_id: str = "",
    n_ctx: int = CONTEXTS[0],
    n_threads: int = 0,
    free: int | None = None,
) -> LlamaChat:
    """Open a chat model with the context that fits in the free memory, `n_ctx` at most.

    Args:
        path: the GGUF file.
        model_id: how the model is called in answers and reports; the file's name by default.
        n_ctx: tokens of context wanted.
        n_threads: 0 for what suits this computer.
        free: bytes of free memory; asked of the system by default.

    Raises:
        ModelFileError: the file is wrong, cut off, of an unknown kind or no chat model.
        ModelMemoryError: it does not fit even with the shortest context.
    """
    header = _header(path)
    if header.kind != "chat":
        raise ModelFileError(f"{path.name} does not write answers: it is an {header.kind} model.")
    found = _fitting(header, n_ctx, free)
    settings = Settings(found.n_ctx, n_threads or cores.threads(), small_cache=found.small_cache)
    llama = Llama(path, settings)
    try:
        marks = [
            llama.piece(llama.special(name), control=True).decode("utf-8", "replace")
            if llama.special(name) >= 0
            else ""
            for name in ("bos", "eos")
        ]
        template = chat_template(header.chat_template, llama.knows_control, *marks)
    except BaseException:
        llama.close()
        raise
    return LlamaChat(llama, template, model_id or path.stem, None if n_threads else cores.Load())


def load_embedder(path: Path, *, model_id: str = "", n_threads: int = 0) -> Embedder:
    """Open a model that makes vectors; one that says nothing of pooling takes the mean.

    Raises:
        ModelFileError: the file is wrong.
    """
    header = _header(path)
    pooling = Pooling.FROM_FILE if header.number("pooling_type") else Pooling.MEAN
    return Embedder(Llama(path, _vector_settings(header, pooling, n_threads)), model_id or path.stem)


def load_reranker(path: Path, *, model_id: str = "", n_threads: int = 0) -> Reranker:
    """Open a model that ranks passages.

    Raises:
        ModelFileError: the file is wrong, or its ranking weights were left out when it was made.
    """
    header = _header(path)
    if not header.ranks:
        raise ModelFileError(f"{path.name} has no weights for ranking texts.")
    llama = Llama(path, _vector_settings(header, Pooling.RANK, n_threads))
    template = header.values.get("tokenizer.chat_template.rerank")
    return Reranker(llama, model_id or path.stem, template if isinstance(template, str) else "")


def check_loads(path: Path) -> None:
    """Let llama.cpp read the header and the vocabulary, not the weights.

    A very strange file may end the process, so this is called in one of its own (models/store.py).

    Raises:
        ModelFileError: llama.cpp refuses it.
    """
    _header(path)
    Llama(path, Settings(256, 1, vocabulary_only=True)).close()


def _header(path: Path) -> Header:
    try:
        return read_header(path)
    except OSError as error:
        raise ModelFileError(f"{path.name} cannot be read: {error.strerror}.") from error


def _fitting(header: Header, n_ctx: int, free: int | None) -> Fit:
    found = fit(header.size, header.cache_per_token, trained=header.context, wanted=n_ctx, free=free)
    if found.verdict == "will not fit":
        raise ModelMemoryError(
            f"{header.path.name} needs {_gigabytes(found.needed)} of memory and {_gigabytes(found.free)} is free. "
            "Close other programs, or choose a smaller model."
        )
    return found


def _vector_settings(header: Header, pooling: Pooling, n_threads: int) -> Settings:
    n_ctx = min(_VECTOR_CONTEXT, header.context or _VECTOR_CONTEXT)
    return Settings(n_ctx, n_threads or cores.threads(), embeddings=True, pooling=pooling)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
