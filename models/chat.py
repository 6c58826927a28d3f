"""A chat model that keeps what it has read, writes greedily within a grammar, and stops when asked.

The cost of a reply is reading. So the tokens in llama.cpp's cache are kept as a list, the longest common
beginning with the next prompt is not read again, and literal parts of a grammar are read together with the
sampled token before them instead of being sampled one by one. A reply that comes back as a message is
given back as the tokens it was written in, because its text need not split into the same ones.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from models.base import ChatMessage, GenerationStopped, PromptTooLong, Reply, never_stop
from models.cores import Load
from models.grammar import Grammar, Literal, Node, Text, advance, forced
from models.grammar import Sequence as InOrder
from models.llama import BATCH, Aborted, Llama
from models.sampling import Chooser, Place
from models.template import ChatTemplate
from models.writing import Writing

_ANYTHING = Text(10**9, without="")
_REMEMBERED = 32  # replies whose tokens are kept
_LOOK_EVERY = 0.02  # seconds between two looks at `should_stop` while a batch is read


class Watch:
    """`should_stop` for llama.cpp, which asks some hundred times a token and swallows exceptions.

    An exception (Ctrl-C above all) counts as a wish to stop, and is raised again by `check`.
    """

    def __init__(self, should_stop: Callable[[], bool]) -> None:
        self._should_stop = should_stop
        self._stopped = False
        self._error: BaseException | None = None
        self._looked = 0.0

    def __call__(self) -> bool:
        """Whether to stop."""
        now = time.monotonic()
        if not self._stopped and now - self._looked >= _LOOK_EVERY:
            self._looked = now
            try:
                self._stopped = self._should_stop()
            except BaseException as error:  # noqa: BLE001 - raised again by `check`, outside of C
                self._stopped, self._error = True, error
        return self._stopped

    def check(self) -> None:
        """Raise what `should_stop` raised, or Aborted where it said so."""
        self._looked = 0.0
        if self():
            raise self._error or Aborted


@dataclass
class _Draft:
    """A reply in the making."""

    place: Place | None
    writing: Writing
    room: int  # positions left in the context
    said: list[int] = field(default_factory=list)
    sampled: int = 0
    literal: int = 0
    finished: bool = False


class LlamaChat:
    """A loaded chat model. One thread at a time; `close` only when no call is running."""

    def __init__(self, llama: Llama, template: ChatTemplate, model_id: str, load: Load | None = None) -> None:
        self.model_id = model_id
        self._load = load  # what other programs leave free; None where the threads are fixed
        self.n_ctx = llama.n_ctx
        self._llama = llama
        self._template = template
        self._chooser = Chooser(llama)
        self._held: list[int] = []  # what the cache holds
        self._replies: OrderedDict[str, list[int]] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return len(self._llama.tokens(text))

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
        """Continue the conversation, greedily; see `ChatModel`.

        The prompt and `max_tokens` together must fit in the context.
        """
        began = time.monotonic()
        prompt = self._prompt(messages)
        head, place = _beginning(start, grammar)
        said = self._llama.tokens(head)
        total = len(prompt) + len(said)
        if total + max_tokens > self.n_ctx:
            raise PromptTooLong(total, max(0, self.n_ctx - max_tokens))
        writing = Writing(
            stop=stop,
            skip=len(start),
            may_think=not head and grammar is None,
            thinking=self._llama.text(prompt[-8:]).rstrip().endswith("<think>"),
            on_text=on_text,
        )
        writing.add(head.encode())
        draft = _Draft(place, writing, self.n_ctx - total, said)
        watch = Watch(should_stop)
        kept = total
        try:
            kept = self._read_prompt(prompt + said, watch, on_progress)
            self._write(draft, max_tokens, watch)
        except Aborted:
            stopped = self._finished(draft, start, total, kept, began)
            raise GenerationStopped(stopped) from None
        return self._finished(draft, start, total, kept, began)

    def score(
        self,
        messages: Sequence[ChatMessage],
        continuations: Sequence[str],
        should_stop: Callable[[], bool] = never_stop,
    ) -> list[float]:
        """Mean log-probability per token of each continuation as the reply; the prompt is read once.

        Raises:
            GenerationStopped: `should_stop` said so.
            PromptTooLong: the prompt with one of the continuations does not fit.
        """
        prompt = self._prompt(messages)
        texts = [self._llama.tokens(text) for text in continuations]
        longest = len(prompt) + max(map(len, texts), default=0)
        if longest > self.n_ctx:
            raise PromptTooLong(longest, self.n_ctx)
        watch = Watch(should_stop)
        scores: list[float] = []
        try:
            for group in _groups(texts, self._llama.sequences - 1, self.n_ctx - len(prompt)):
                self._read_prompt(prompt, watch, None)
                scores += self._score_group(group, len(prompt), watch)
        except Aborted:
            raise GenerationStopped(Reply("", finished=False)) from None
        return scores

    def close(self) -> None:
        """Free the memory."""
        self._llama.close()

    # The prompt

    def _prompt(self, messages: Sequence[ChatMessage]) -> list[int]:
        """Template pieces may hold control tokens; texts never do."""
        tokens: list[int] = []
        for piece in self._template.pieces(messages):
            if piece.message is None:
                tokens += self._llama.tokens(piece.text, control=True)
            else:
                tokens += self._message_tokens(messages[piece.message])
        bos = self._llama.special("bos")
        return [bos, *tokens] if self._llama.adds("bos") and tokens[:1] != [bos] else tokens

    def _message_tokens(self, message: ChatMessage) -> list[int]:
        if message.role == "assistant" and message.text in self._replies:
            return self._replies[message.text]
        return self._llama.tokens(message.text)

    def _read_prompt(self, tokens: list[int], watch: Watch, on_progress: Callable[[int, int], None] | None) -> int:
        """Bring the cache to these tokens; gives how many of them were there already."""
        common = min(_common(self._held, tokens), len(tokens) - 1)  # the last one for its logits
        if common < len(self._held):
            common = self._llama.rewind(common)
            del self._held[common:]
        for done in range(common, len(tokens), BATCH):
            if on_progress:
                on_progress(done, len(tokens))
            self._read(tokens[done : done + BATCH], watch)
        if on_progress:
            on_progress(len(tokens), len(tokens))
        return common

    def _read(self, tokens: Sequence[int], watch: Watch) -> None:
        """Read on; after a stop or an error the cache and the account of it agree again."""
        watch.check()
        if self._load:
            self._llama.use_threads(self._load.threads())
        self._llama.should_stop = watch
        try:
            self._llama.read(tokens, len(self._held))
        except Aborted:
            del self._held[self._llama.rewind(len(self._held)) :]
            watch.check()
            raise
        except BaseException:
            self._held.clear()
            self._llama.rewind(0)
            raise
        finally:
            self._llama.should_stop = never_stop
        self._held += tokens

    # The reply

    def _write(self, draft: _Draft, max_tokens: int, watch: Watch) -> None:
        """Sample until the model ends, the grammar is complete, a stop string comes or the room is used up."""
        while not (draft.finished or draft.writing.stopped):
            if draft.place and draft.place.must_end:
                draft.finished = True
                return
            if draft.sampled >= max_tokens:
                return
            watch.check()
            token = self._chooser.best(self._llama.logits(), draft.place)
            if self._llama.is_end(token):
                draft.finished = True
                return
            batch = self._take(draft, token)
            draft.said += batch
            draft.room -= len(batch)
            if draft.writing.stopped or (draft.place and draft.place.must_end):
                draft.finished = True
            elif draft.room <= 0:
                return
            elif draft.sampled < max_tokens:
                for done in range(0, len(batch), BATCH):
                    self._read(batch[done : done + BATCH], watch)

    def _take(self, draft: _Draft, token: int) -> list[int]:
        """Add a sampled token, and the literal text that must follow; gives the tokens to read for both.

        Both are split into tokens together, so that the model sees the tokens it would have written.
        """
        draft.sampled += 1
        data = self._llama.piece(token)
        draft.writing.add(data)
        if draft.place is None:
            return [token]
        before, draft.place = draft.place, draft.place.after(data)
        if draft.place is None or draft.place.tail:
            return [token]
        literal = _without_spaces(draft.place.node)
        if not literal:
            return [token]
        draft.writing.add(literal.encode())
        draft.place = Place(advance(draft.place.node, literal))
        if before.tail:
            batch = [token, *self._llama.tokens(literal)]
        else:
            batch = self._llama.tokens(data.decode() + literal)
        draft.literal += len(batch) - 1
        return batch

    def _finished(self, draft: _Draft, start: str, total: int, kept: int, began: float) -> Reply:
        text = draft.writing.finish()
        whole = start + text
        if whole and self._llama.text(draft.said) == whole:
            self._replies[whole] = draft.said
            if len(self._replies) > _REMEMBERED:
                self._replies.popitem(last=False)
        return Reply(
            text,
            prompt_tokens=total,
            evaluated_tokens=total - kept + draft.literal,
            generated_tokens=draft.sampled,
            seconds=time.monotonic() - began,
            finished=draft.finished or draft.writing.stopped,
        )

    # Scores

    def _score_group(self, group: Sequence[list[int]], position: int, watch: Watch) -> list[float]:
        """Scores of continuations that fit side by side behind the prompt, which has just been read."""
        first = _log_softmax(self._llama.logits())
        sums = [float(first[tokens[0]]) if tokens else 0.0 for tokens in group]
        if self._llama.sequences == 1:
            for number, tokens in enumerate(group):
                sums[number] += self._score_alone(tokens, watch)
        else:
            sums = self._score_side_by_side(group, position, sums, watch)
        return [total / max(1, len(tokens)) for total, tokens in zip(sums, group, strict=True)]

    def _score_alone(self, tokens: list[int], watch: Watch) -> float:
        """The rest of one continuation in sequence 0, for models that cannot fork."""
        total = 0.0
        for token, following in pairwise(tokens):
            self._read([token], watch)
            total += float(_log_softmax(self._llama.logits())[following])
        return total

    def _score_side_by_side(
        self, group: Sequence[list[int]], position: int, sums: list[float], watch: Watch
    ) -> list[float]:
        self._llama.should_stop = watch
        try:
            for number in range(len(group)):
                self._llama.fork(number + 1)
            queue = [(n, place) for n, tokens in enumerate(group) for place in range(len(tokens) - 1)]
            for done in range(0, len(queue), BATCH):
                watch.check()
                chunk = queue[done : done + BATCH]
                self._llama.read_several(
                    [(n + 1, position + place, [group[n][place]]) for n, place in chunk], every_output=True
                )
                for index, (n, place) in enumerate(chunk):
                    sums[n] += float(_log_softmax(self._llama.logits(index))[group[n][place + 1]])
        finally:
            self._llama.should_stop = never_stop
            for number in range(len(group)):
                self._llama.forget(number + 1)
        return sums


def _beginning(start: str, grammar: Grammar | None) -> tuple[str, Place | None]:
    """The text that the reply begins with in any case, and where it stands after it."""
    if not start and grammar is None:
        return "", None
    root: Node = InOrder((Literal(start), grammar.root if grammar else _ANYTHING))
    head = _without_spaces(root)
    if grammar is None and head == start:
        return head, None
    return head, Place(advance(root, head))


def _without_spaces(node: Node) -> str:
    """The literal text that must follow, less spaces at its end: they belong to the next word's token.

    Where nothing is left to choose behind it, it is given whole.
    """
    literal = forced(node)
    return literal if Place(advance(node, literal)).must_end else literal.rstrip(" ")


def _common(held: Sequence[int], tokens: Sequence[int]) -> int:
    """The length of the common beginning."""
    length = min(len(held), len(tokens))
    differing = np.flatnonzero(np.array(held[:length]) != np.array(tokens[:length]))
    return int(differing[0]) if len(differing) else length


def _groups(texts: Sequence[list[int]], at_most: int, room: int) -> list[list[list[int]]]:
    """Continuations in order, in groups that fit side by side; at least one a group."""
    groups: list[list[list[int]]] = []
    for text in texts:
        fits = groups and len(groups[-1]) < at_most and sum(map(len, groups[-1])) + len(text) <= room
        if fits:
            groups[-1].append(text)
        else:
            groups.append([text])
    return groups


def _log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Log-probabilities; the largest score is taken off first, so that exp cannot overflow."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(dtype=np.float64)).astype(np.float32)  # type: ignore[no-any-return]
