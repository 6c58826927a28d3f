"""Scripted stand-ins for what costs time: a chat model with queued replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from models.base import ChatMessage, GenerationStopped, Reply, never_stop
from models.grammar import Grammar


@dataclass(frozen=True, slots=True)
class Call:
    """What a caller gave to the model."""

    messages: tuple[ChatMessage, ...]
    start: str
    grammar: Grammar | None
    stop: tuple[str, ...]

    @property
    def prompt(self) -> str:
        """All texts of the prompt, for looking into."""
        return "\n".join([*(message.text for message in self.messages), self.start])


@dataclass
class FakeChatModel:
    """Answers with the queued replies in order; a reply that the grammar does not allow fails the test.

    A reply may be a text, an exception to be raised, or a function of the Call that gives a text.
    """

    replies: list[str | Exception | Callable[[Call], str]] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)
    model_id: str = "fake"
    n_ctx: int = 4096
    calls: list[Call] = field(default_factory=list)
    closed: bool = False

    def count(self, text: str) -> int:
        """About what a real tokeniser says: four characters a token."""
        return len(text) // 4 + 1

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
        """The next queued reply, streamed word by word."""
        call = Call(tuple(messages), start, grammar, tuple(stop))
        self.calls.append(call)
        assert self.replies, f"the model was asked once more than expected:\n{call.prompt}"
        queued = self.replies.pop(0)
        if isinstance(queued, Exception):
            raise queued
        text = queued if isinstance(queued, str) else queued(call)
        if grammar:
            assert grammar.complete(text), f"the grammar does not allow the queued reply {text!r}"
        tokens = self.count(call.prompt)
        if on_progress:
            on_progress(tokens, tokens)
        written = ""
        for piece in text.replace(" ", "\0 ").split("\0"):
            if should_stop():
                raise GenerationStopped(Reply(written, tokens, tokens, self.count(written), finished=False))
            written += piece
            if on_text and piece:
                on_text(piece)
        return Reply(text, tokens, tokens, self.count(text))

    def score(
        self,
        messages: Sequence[ChatMessage],
        continuations: Sequence[str],
        should_stop: Callable[[], bool] = never_stop,
    ) -> list[float]:
        """The next queued scores, else the first continuation far above the others."""
        self.calls.append(Call(tuple(messages), "", None, ()))
        return self.scores.pop(0) if self.scores else [0.0, *[-5.0] * (len(continuations) - 1)]

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
