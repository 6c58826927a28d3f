"""Vectors of texts and rankings of passages, for the methods of the evaluation that need them."""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np

from models.base import ModelFileError, never_stop
from models.llama import Llama, Logits


class Embedder:
    """One vector of length 1 a text, pooled as the file says. Texts are cut at the context's end."""

    def __init__(self, llama: Llama, model_id: str) -> None:
        self.model_id = model_id
        self._llama = llama

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def vectors(self, texts: Sequence[str], should_stop: Callable[[], bool] = never_stop) -> Logits:
        """One row a text.

        Raises:
            Aborted: `should_stop` said so (models.llama).
        """
        self._llama.should_stop = should_stop
        found = [self._llama.pooled(self._llama.tokens(text, whole=True)[: self._llama.n_ctx]) for text in texts]
        rows = np.array(found, dtype=np.float32).reshape(len(texts), -1)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Free the memory."""
        self._llama.close()


class Reranker:
    """How well passages answer a question, by a file with a ranking head."""

    def __init__(self, llama: Llama, model_id: str, template: str = "") -> None:
        self.model_id = model_id
        self._llama = llama
        self._template = template

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ranks(
        self, question: str, passages: Sequence[str], should_stop: Callable[[], bool] = never_stop
    ) -> list[float]:
        """One score a passage, more is better; only comparable within one call.

        Raises:
            Aborted: `should_stop` said so (models.llama).
        """
        self._llama.should_stop = should_stop
        return [float(self._llama.pooled(self._pair(question, passage))[0]) for passage in passages]

    def close(self) -> None:
        """Free the memory."""
        self._llama.close()

    def _pair(self, question: str, passage: str) -> list[int]:
        """The file's own template for pairs, else [bos] question [eos] [sep] passage [eos]."""
        tokens = self._llama.tokens
        if self._template:
            before, _, rest = self._template.partition("{query}")
            between, found, after = rest.partition("{document}")
            if not found:
                raise ModelFileError("The ranking template of this model has no place for a passage.")
            head = [*tokens(before, control=True), *tokens(question), *tokens(between, control=True)]
            tail = tokens(after, control=True)
        else:
            end, separator = self._mark("eos"), self._mark("sep")
            head = [*self._mark("bos"), *tokens(question), *end, *separator]
            tail = end
        room = self._llama.n_ctx - len(head) - len(tail)
        return [*head, *tokens(passage)[: max(0, room)], *tail][: self._llama.n_ctx]

    def _mark(self, name: str) -> list[int]:
        token = self._llama.special(name)
        if name == "eos" and token < 0:
            token = self._llama.special("sep")
        return [token] if self._llama.adds(name) and token >= 0 else []
