"""The only door to llama.cpp: one model file, one context, in bytes, ints and arrays.

It uses the C functions of llama-cpp-python, not its `Llama` class, because that class trusts a partial
removal from the cache that may not have happened, cuts tokens longer than 32 bytes, reads past the end of a
reranker's output, and moves standard output about while it loads. What a reply is made of (templates, kept
prefixes, grammars) is in models/chat.py; vectors and rankings are in models/embed.py.

Nothing here is thread-safe: one thread at a time, and `close` only when it has returned.
"""

import contextlib
import ctypes
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.base import ModelError, ModelFileError, ModelMemoryError, never_stop

BATCH = 128  # tokens read at a time: one progress report each; larger ones are not faster
SEQUENCES = 16  # texts that can be scored side by side
_ABORTED = 2
_Q8_0 = 8
_LOG_ERROR = 4  # of ggml.h; the package's own comment counts otherwise
Logits = npt.NDArray[np.float32]


class Pooling(IntEnum):
    """What the file is used for: writing, or one vector (or rank) a text. Values of llama.cpp."""

    FROM_FILE = -1
    NONE = 0
    MEAN = 1
    CLS = 2
    LAST = 3
    RANK = 4


class Aborted(Exception):
    """`should_stop` said so while llama.cpp was reading."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a file is opened. `n_ctx` is rounded up to a multiple of 256, which llama.cpp would do silently."""

    n_ctx: int
    n_threads: int
    small_cache: bool = False  # 8-bit keys and values: half the memory, about an eighth slower reading
    embeddings: bool = False
    pooling: Pooling = Pooling.NONE
    vocabulary_only: bool = False

    @property
    def context(self) -> int:
        """The context that is really made."""
        return -(-self.n_ctx // 256) * 256


@dataclass(frozen=True, slots=True)
class _Library:
    """llama.cpp, started once in a process, and what it last said."""

    c: Any
    messages: list[str]
    callback: object  # kept, or C would call freed memory


@cache
def _library() -> _Library:
    """Load llama.cpp. Threads that wait must sleep: spinning ones starve each other on a busy machine."""
    os.environ.pop("GGML_BACKEND_PATH", None)
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    from llama_cpp import llama_cpp as c

    messages: list[str] = []

    def remember(level: int, text: bytes, _: object) -> None:
        if level == _LOG_ERROR:
            messages.append(text.decode("utf-8", "replace").strip())
            del messages[:-20]

    callback = c.llama_log_callback(remember)
    c.llama_log_set(callback, ctypes.c_void_p(0))
    _load_backends(c)
    c.llama_backend_init()
    return _Library(c, messages, callback)


def _load_backends(c: Any) -> None:
    """Take the processor variants from the package's own folder.

    A build with variants has none registered yet and would look for them in the working folder.
    """
    if c._lib.ggml_backend_reg_count() == 0:
        folder = Path(c.__file__).parent / "lib"
        c._lib.ggml_backend_load_all_from_path(os.fsencode(folder))


def processor() -> str:
    """What llama.cpp makes use of in this processor, in its own short words ("AVX2 = 1 | FMA = 1 | …")."""
    return str(_library().c.llama_print_system_info().decode("utf-8", "replace")).strip(" |")


def processor_module() -> str:
    """The file name of the module for this processor that llama.cpp runs; "" where the system does not tell."""
    _library()
    try:
        maps = Path("/proc/self/maps").read_text("utf-8")
    except OSError:
        return ""
    return next(iter(re.findall(r"/(libggml-cpu[\w.-]*\.so[\d.]*)$", maps, re.MULTILINE)), "")


class Vocabulary:
    """The tokens of a model: text to numbers and back."""

    def __init__(self, c: Any, model: Any) -> None:
        self._c = c
        self._vocabulary = c.llama_model_get_vocab(model)
        self.n_vocab: int = c.llama_vocab_n_tokens(self._vocabulary)
        self._lead: list[int] = []
        if self.piece(self.tokens("a")[0]).startswith(b" "):
            self._lead = self.tokens("\n")

    def tokens(self, text: str, *, control: bool = False, whole: bool = False) -> list[int]:
        """The tokens of a text; only with `control` can "<|im_end|>" and the like become control tokens.

        The text is taken as the middle of a longer one: a vocabulary that puts a space before every text
        (SentencePiece) is given a line break to put it before, and its tokens are cut off again. With
        `whole` it is a text of its own and gets the model's marks for beginning and end.
        """
        lead = [] if whole else self._lead
        if lead:
            text = "\n" + text
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (self._c.llama_token * room)()
        count = self._c.llama_tokenize(self._vocabulary, data, len(data), buffer, room, whole, control)
        if count < 0:
            raise ModelError("The text given to the model cannot be split into tokens.")
        return buffer[len(lead) : count]  # type: ignore[no-any-return]

    def piece(self, token: int, *, control: bool = False) -> bytes:
        """The bytes of a token, which may be part of a character; nothing for a control token unless asked."""
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            length = self._c.llama_token_to_piece(self._vocabulary, token, buffer, size, 0, control)
            if length >= 0:
                return buffer.raw[:length]
            size = -length

    def text(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return b"".join(map(self.piece, tokens)).decode("utf-8", "replace")

    def is_end(self, token: int) -> bool:
        """Whether the token ends a reply."""
        return bool(self._c.llama_vocab_is_eog(self._vocabulary, token))

    def is_control(self, token: int) -> bool:
        """Whether the token stands for no text."""
        return bool(self._c.llama_vocab_is_control(self._vocabulary, token))

    def knows_control(self, mark: str) -> bool:
        """Whether a text such as "<|im_end|>" is one control token."""
        tokens = self.tokens(mark, control=True)
        return len(tokens) == 1 and self.is_control(tokens[0])

    def special(self, name: str) -> int:
        """The token "bos", "eos" or "sep", -1 where the model has none."""
        return int(getattr(self._c, f"llama_vocab_{name}")(self._vocabulary))

    def adds(self, name: str) -> bool:
        """Whether texts for this model are marked with the token "bos", "eos" or "sep"."""
        return bool(getattr(self._c, f"llama_vocab_get_add_{name}")(self._vocabulary))


class Llama(Vocabulary):
    """A loaded file. Positions and sequences are llama.cpp's; the caller keeps account of them."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._library = _library()
        self._c = self._library.c
        self._library.messages.clear()
        self.should_stop: Callable[[], bool] = never_stop
        self._context: Any = None
        self._model = self._load(path, settings)
        super().__init__(self._c, self._model)
        self.n_ctx = settings.context
        self._sequences = 1 if self.rewinds_only_whole else SEQUENCES
        if not settings.vocabulary_only:
            self._open_context(settings)

    def _load(self, path: Path, settings: Settings) -> Any:
        params = self._c.llama_model_default_params()
        params.n_gpu_layers = 0
        params.vocab_only = settings.vocabulary_only
        model = self._c.llama_model_load_from_file(os.fsencode(path), params)
        if not model:
            raise self._load_error(path.name)
        return model

    def _load_error(self, name: str) -> ModelError:
        """Why llama.cpp refused a file, in our words."""
        said = " ".join(self._library.messages)
        if "unknown model architecture" in said:
            return ModelFileError(f"{name} is of a kind that this version of Backscroll cannot run.")
        if "allocate" in said or "mmap failed" in said:
            return ModelMemoryError(f"There is not enough free memory for {name}.")
        return ModelFileError(f"{name} cannot be loaded. It may be damaged; get or copy it again.")

    def _open_context(self, settings: Settings) -> None:
        params = self._c.llama_context_default_params()
        params.n_ctx = settings.context
        params.n_batch = params.n_ubatch = settings.context if settings.embeddings else BATCH
        params.n_seq_max = self._sequences
        params.kv_unified = True
        params.n_threads = params.n_threads_batch = settings.n_threads
        # Flash attention adds up in 16 bits, in another order for other batch sizes, so a kept prefix would change
        # the answer more than need be. It is no faster here; but 8-bit values need it.
        params.flash_attn_type = int(settings.small_cache)
        params.swa_full = True
        params.embeddings = settings.embeddings
        params.pooling_type = int(settings.pooling)
        if settings.small_cache:
            params.type_k = params.type_v = _Q8_0
        self._abort = self._c.ggml_abort_callback(lambda _: self.should_stop())
        params.abort_callback = self._abort
        self._context = self._c.llama_init_from_model(self._model, params)
        if not self._context:
            self.close()
            raise ModelMemoryError("There is not enough free memory for this model's context.")
        self._memory = self._c.llama_get_memory(self._context)
        self._batch = self._c.llama_batch_init(params.n_batch, 0, 1)
        self._room = int(params.n_batch)

    @property
    def rewinds_only_whole(self) -> bool:
        """True for recurrent and hybrid models: their state cannot go back to an earlier position."""
        return bool(self._c.llama_model_is_recurrent(self._model) or self._c.llama_model_is_hybrid(self._model))

    # Reading

    def read(self, tokens: Sequence[int], position: int, *, sequence: int = 0, every_output: bool = False) -> None:
        """Read at most BATCH tokens; afterwards `logits` has the last one's, or each one's.

        Raises:
            Aborted: `should_stop` said so; the cache beyond `position` is undefined, so call `rewind`.
        """
        self.read_several([(sequence, position, tokens)], every_output=every_output)

    def read_several(self, parts: Sequence[tuple[int, int, Sequence[int]]], *, every_output: bool = False) -> None:
        """Read tokens of several sequences, (sequence, position, tokens) each, in one batch."""
        batch, place = self._batch, 0
        for sequence, position, tokens in parts:
            for offset, token in enumerate(tokens):
                if place >= self._room:
                    raise ValueError("more tokens than a batch holds")
                batch.token[place] = token
                batch.pos[place] = position + offset
                batch.n_seq_id[place] = 1
                batch.seq_id[place][0] = sequence
                batch.logits[place] = every_output
                place += 1
        batch.logits[place - 1] = True
        batch.n_tokens = place
        outcome = self._c.llama_decode(self._context, batch)
        if outcome == _ABORTED and self.should_stop():
            raise Aborted
        if outcome:
            raise ModelError(f"The model stopped with an error (llama_decode {outcome}).")

    def logits(self, index: int = -1) -> Logits:
        """The scores of all tokens after the last token read, or after the one at `index` of the batch.

        A view: valid until the next read.
        """
        pointer = self._c.llama_get_logits_ith(self._context, index)
        return np.ctypeslib.as_array(pointer, shape=(self.n_vocab,))

    def rewind(self, position: int) -> int:
        """Forget sequence 0 from `position` on; gives the position that was reached, 0 if all had to go.

        Sliding-window caches say that they cut the tail even if the window before it is gone, so the first
        position that is really kept is looked at, too.
        """
        cut = self._c.llama_memory_seq_rm(self._memory, 0, position, -1)
        first = self._c.llama_memory_seq_pos_min(self._memory, 0)
        if position and cut and (self.rewinds_only_whole or first == 0):
            return position
        self._c.llama_memory_clear(self._memory, False)
        return 0

    def fork(self, sequence: int) -> None:
        """Let another sequence go on from what sequence 0 has read; shares the memory."""
        self._c.llama_memory_seq_cp(self._memory, 0, sequence, -1, -1)

    def forget(self, sequence: int) -> None:
        """Drop a sequence."""
        self._c.llama_memory_seq_rm(self._memory, sequence, -1, -1)

    @property
    def sequences(self) -> int:
        """How many sequences there can be."""
        return self._sequences

    # Vectors

    def pooled(self, tokens: Sequence[int]) -> Logits:
        """One text's vector, or for a reranker its ranks (one for most files)."""
        if self._memory:
            self._c.llama_memory_clear(self._memory, False)
        self.read(tokens, 0, every_output=True)
        ranks = self._c.llama_pooling_type(self._context) == Pooling.RANK
        count = self._c.llama_model_n_cls_out if ranks else self._c.llama_model_n_embd_out
        pointer = self._c.llama_get_embeddings_seq(self._context, 0)
        if not pointer:
            raise ModelFileError("This model does not make vectors of texts.")
        return np.ctypeslib.as_array(pointer, shape=(count(self._model),)).copy()

    def use_threads(self, count: int) -> None:
        """Change the number of threads, between reads."""
        self._c.llama_set_n_threads(self._context, count, count)

    def close(self) -> None:
        """Free everything; a second call does nothing."""
        with contextlib.suppress(AttributeError):
            self._c.llama_batch_free(self._batch)
            del self._batch
        if self._context:
            self._c.llama_free(self._context)
        if self._model:
            self._c.llama_model_free(self._model)
        self._context = self._model = None
