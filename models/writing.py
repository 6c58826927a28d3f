"""A reply while it is being written: bytes in, whole characters out.

Tokens may hold half a character, a stop string may come in two tokens, and some models think aloud before
they answer. Text is passed on only when none of that can change it any more.
"""

import codecs
from collections.abc import Callable, Sequence

_OPEN, _CLOSE = "<think>", "</think>"


class Writing:
    """Collects the reply, and passes each new piece of text to `on_text`.

    `skip` characters at the beginning belong to what was put in the model's mouth and are left out.
    Thoughts are hidden only where they come first: later, the same marks are text that someone wrote.
    """

    def __init__(
        self,
        *,
        stop: Sequence[str] = (),
        skip: int = 0,
        may_think: bool = True,
        thinking: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self.text = ""
        self.stopped = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = [mark for mark in stop if mark]
        self._skip = skip
        self._held = ""
        self._thinking = thinking
        self._may_think = may_think or thinking
        self._on_text = on_text

    def add(self, data: bytes) -> None:
        """Take the bytes of the next tokens."""
        self._take(self._decoder.decode(data))

    def finish(self) -> str:
        """The whole reply; what was held back is passed on, an unfinished thought is not."""
        self._take(self._decoder.decode(b"", final=True))
        if not self._thinking and not self.stopped:
            self._pass_on(self._held)
        self._held = ""
        return self.text

    def _take(self, text: str) -> None:
        skipped, self._skip = text[self._skip :], max(0, self._skip - len(text))
        self._held += skipped
        if self.stopped or (self._may_think and not self._thought_over()):
            return
        places = [place for mark in self._stop if (place := self._held.find(mark)) >= 0]
        if places:
            self.stopped = True
            self._pass_on(self._held[: min(places)])
            self._held = ""
            return
        kept = max((_overlap(self._held, mark) for mark in self._stop), default=0)
        ready = len(self._held) - kept
        self._pass_on(self._held[:ready])
        self._held = self._held[ready:]

    def _thought_over(self) -> bool:
        """Whether the answer has begun; drops the thoughts before it."""
        if not self._thinking:
            begun = self._held.lstrip()
            if _OPEN.startswith(begun):
                return begun == _OPEN and self._begin_thinking()
            if not begun.startswith(_OPEN):
                self._may_think = False
                return True
            self._begin_thinking()
        before, mark, after = self._held.partition(_CLOSE)
        if not mark:
            self._held = before[-len(_CLOSE) :]
            return False
        self._held = after.lstrip()
        if self._held:
            self._thinking = self._may_think = False
            return True
        self._held = _CLOSE  # the blank lines after the thought are still to come
        return False

    def _begin_thinking(self) -> bool:
        self._thinking = True
        return False

    def _pass_on(self, text: str) -> None:
        self.text += text
        if text and self._on_text:
            self._on_text(text)


def _overlap(text: str, mark: str) -> int:
    """The longest end of the text that is a beginning of the mark."""
    return next((size for size in range(min(len(text), len(mark) - 1), 0, -1) if text.endswith(mark[:size])), 0)
