"""What the engine needs of a language model, and the errors of this package.

ModelError                    anything that a person can act on, as a sentence
├── ModelFileError            a wrong, truncated, unsupported or too large file
├── ModelMemoryError          the file is sound but does not fit in the memory that is free
├── PromptTooLong             the prompt has more tokens than the context holds (tokens, limit)
└── GenerationStopped         the caller asked to stop; carries the reply so far
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from models.grammar import Grammar

Role = Literal["system", "user", "assistant"]


class ModelError(Exception):
    """Something about a model that a person can act on; the text is a sentence."""


class ModelFileError(ModelError):
    """The file is not a model that can be used."""


class ModelMemoryError(ModelError):
    """The model does not fit in the free memory."""


class PromptTooLong(ModelError):
    """The prompt does not fit in the context."""

    def __init__(self, tokens: int, limit: int) -> None:
        super().__init__(f"The text given to the model is too long: {tokens} of at most {limit} tokens.")
        self.tokens = tokens
        self.limit = limit


class GenerationStopped(ModelError):
    """The caller asked to stop."""

    def __init__(self, reply: "Reply") -> None:
        super().__init__("Stopped.")
        self.reply = reply


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt. Its text is always data: it can never become control tokens."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, and what it cost. `text` leaves out the `start` that was put in its mouth."""

    text: str
    prompt_tokens: int = 0  # length of the whole prompt
    evaluated_tokens: int = (
        0  # tokens the model really read or wrote in batches: prompt less the kept prefix, and literals
    )
    generated_tokens: int = 0  # tokens sampled
    seconds: float = 0.0
    finished: bool = True  # False where max_tokens cut it


def never_stop() -> bool:
    """The default `should_stop`."""
    return False


class ChatModel(Protocol):
    """A loaded model. One thread at a time; the caller sees to that."""

    model_id: str

    @property
    def n_ctx(self) -> int:
        """Tokens that fit in the context."""

    def count(self, text: str) -> int:
        """The number of tokens of a text."""

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        start: str = "",
        grammar: Grammar | None = None,
        max_tokens: int = 256,
        stop: Sequence[str] = (),
        should_stop: Callable[[], bool] = never_stop,
        on_text: Callable[[str], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Reply:
        """Continue the conversation, greedily.

        Args:
            messages: the conversation; a longer list that begins with an earlier one reuses its cache.
            start: the beginning of the reply, put in the model's mouth (read as one batch, not sampled).
            grammar: what the reply (after `start`) may be; its literal parts are read, not sampled.
            max_tokens: sampled tokens at most.
            stop: strings that end the reply and are cut from it.
            should_stop: looked at between tokens and inside prompt reading; takes effect within 200 ms.
            on_text: each new piece of text, whole characters only.
            on_progress: tokens of the prompt read so far and in all.

        Raises:
            GenerationStopped: `should_stop` said so; carries what was written so far.
            PromptTooLong: nothing was read.
            ModelError: the model failed otherwise.
        """

    def score(
        self,
        messages: Sequence[ChatMessage],
        continuations: Sequence[str],
        should_stop: Callable[[], bool] = never_stop,
    ) -> list[float]:
        """Mean log-probability per token of each continuation as the reply; the prompt is read once."""

    def close(self) -> None:
        """Free the memory. The model cannot be used afterwards."""
