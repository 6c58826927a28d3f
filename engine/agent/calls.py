"""One place where a model is asked: counts the cost, passes on progress, and turns a stop into Cancelled."""

from collections.abc import Callable, Sequence

from engine.errors import Cancelled
from engine.job import Job
from engine.types import Cost
from models.base import ChatMessage, ChatModel, GenerationStopped, Reply
from models.grammar import Grammar


class Calls:
    """A model together with the job that it works for and the cost so far."""

    def __init__(self, model: ChatModel, job: Job, cost: Cost) -> None:
        self.model = model
        self.job = job
        self.cost = cost

    def ask(
        self,
        messages: Sequence[ChatMessage],
        *,
        grammar: Grammar,
        start: str = "",
        max_tokens: int = 128,
        on_text: Callable[[str], None] | None = None,
    ) -> str:
        """The reply with its start. Raises Cancelled when the person stopped it, ModelError when it failed."""
        self.job.check()
        self.cost.llm_calls += 1
        try:
            reply = self.model.reply(
                messages,
                start=start,
                grammar=grammar,
                max_tokens=max_tokens,
                should_stop=self.job.stopped,
                on_text=on_text,
                on_progress=self._read,
            )
        except GenerationStopped as stopped:
            self._count(stopped.reply)
            raise Cancelled from stopped
        self._count(reply)
        return start + reply.text

    def score(self, messages: Sequence[ChatMessage], replies: Sequence[str]) -> list[float]:
        """Mean log-probability a token of each reply. Raises Cancelled and ModelError as `ask` does."""
        self.job.check()
        try:
            return self.model.score(messages, replies, self.job.stopped)
        except GenerationStopped as stopped:
            raise Cancelled from stopped

    def _read(self, done: int, total: int) -> None:
        self.job.emit("reading", done=done, total=total)

    def _count(self, reply: Reply) -> None:
        self.cost.prompt_tokens += reply.prompt_tokens
        self.cost.evaluated_tokens += reply.evaluated_tokens
        self.cost.generated_tokens += reply.generated_tokens
