"""The real engine process with a scripted model: everything is as in the product, only that no weights are read.

usage: python scripted_engine.py --home HOME

The model answers by what the question says, word by word with small pauses, and can be stopped between them.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from app.sample import OWNER, TIMEZONE, files
from app.sample.questions import for_check
from engine import modelling
from engine.sample import Sample
from engine.service import serve
from models.base import ChatMessage, GenerationStopped, Reply
from models.grammar import Grammar

ANSWERS = {"stolen bike": "Lotte", "call their baby": "Ottilie", "cataract": "none"}
PAUSE = 0.05  # seconds between two pieces


class ScriptedModel:
    """Writes the answer that belongs to the question in the prompt."""

    model_id = "scripted"
    n_ctx = 8192

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        grammar: Grammar | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        on_text: Callable[[str], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        **_: Any,
    ) -> Reply:
        asked = messages[-1].text
        text = next((answer for words, answer in ANSWERS.items() if words in asked), "none")
        if grammar and not grammar.complete(text):
            text = next(each for each in (f"Answer: {text}", "none", "") if grammar.complete(each) or not each)
        for done in range(0, 101, 25):
            if on_progress:
                on_progress(done, 100)
            self._pause(should_stop, "slowly" in asked)
        for piece in text.replace(" ", "\0 ").split("\0"):
            if on_text:
                on_text(piece)
            self._pause(should_stop, slow=False)
        return Reply(text, 100, 100, 10, seconds=0.5)

    def _pause(self, should_stop: Callable[[], bool], slow: bool) -> None:
        until = time.monotonic() + (10.0 if slow else PAUSE)
        while time.monotonic() < until:
            if should_stop():
                raise GenerationStopped(Reply("", finished=False))
            time.sleep(0.01)

    def score(self, messages: Sequence[ChatMessage], continuations: Sequence[str], *_: Any) -> list[float]:
        """The first is the likeliest."""
        return [-0.1 - 5.0 * at for at in range(len(continuations))]

    def close(self) -> None:
        """Nothing is held."""


class ScriptedDesk(modelling.ModelDesk):
    """A models folder in which there is the scripted model alone."""

    def load(self, wanted: str | None = None) -> Any:
        return ScriptedModel()

    def _preferred(self) -> str:
        return "scripted"

    def current(self) -> dict[str, Any]:
        return {"id": "scripted", "name": "Scripted", "loaded": True}


if __name__ == "__main__":
    import engine.desk

    engine.desk.ModelDesk = ScriptedDesk  # type: ignore[misc]
    sys.exit(serve(sys.argv[1:], sample=Sample(files(), OWNER, TIMEZONE, for_check())))
