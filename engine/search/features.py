"""What is measured of each candidate turn: how well it, its neighbours and its session match the question.

All scores are shares of what a perfect match would give (BM25 over the sum of the question's idf), so they
mean the same in an archive of six hundred turns and of a million. Work is bounded by the candidates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import numpy as np
import numpy.typing as npt

from engine.index import K1, NO_TIME, B, Bools, Index, Ints
from engine.search.fusion import best_turns, matching
from engine.search.layout import Layout, frequencies
from engine.search.question import Question
from engine.search.related import expand, worths

Matrix = npt.NDArray[np.floating]
REACH = 4  # neighbours looked at on each side
CANDIDATES = 2_000  # an archive up to this size is scored whole
SEEDS = 400  # best turns of a larger one, taken with two neighbours on each side
SESSIONS = 100  # best sessions of a larger one, whole as long as there is room
NAMED_BOOST = 1.5  # of turns by the person asked about, when candidates are chosen
DAY = 86_400
MONTH = 30 * DAY


@dataclass(frozen=True, slots=True)
class SessionMatch:
    """How well the whole text of each session matches, as shares of a perfect match; one entry a session."""

    score: Matrix
    covered: Matrix

    @classmethod
    def of(cls, question: Question, index: Index, layout: Layout) -> "SessionMatch":
        """BM25 over sessions, with the idf of sessions."""
        session, count = index.columns.session, index.session_count
        score, covered = np.zeros(count), np.zeros(count)
        norm = K1 * (1 - B + B * layout.session_length / max(layout.mean_session_length, 1e-6))
        ideal = 0.0
        for term, weight in zip(question.terms, question.weights, strict=True):
            held, counts = index.postings(term)
            if index.any_dead:
                living = index.alive[held]
                held, counts = held[living], counts[living]
            sums = np.bincount(session[held], counts, minlength=count)
            found = np.flatnonzero(sums)
            idf = weight * np.log(1 + (layout.session_count - len(found) + 0.5) / (len(found) + 0.5))
            score[found] += idf * sums[found] / (sums[found] + norm[found])
            covered[found] += idf
            ideal += idf
        return cls(score / (ideal or 1.0), covered / (ideal or 1.0))


def candidates(
    question: Question,
    index: Index,
    layout: Layout,
    matches: SessionMatch,
    mask: Bools | None,
    limit: int = CANDIDATES,
) -> Ints:
    """Documents worth scoring, ascending.

    All of a small archive; of a larger one the best turns by BM25 with their neighbours, and then whole
    sessions, best first, as long as there is room: an eighth of the evidence shares no word with its question.
    """
    allowed = _allowed(index, mask)
    count = len(index) if allowed is None else int(np.count_nonzero(allowed))
    if count <= limit:
        return np.arange(count, dtype=np.int32) if allowed is None else np.flatnonzero(allowed).astype(np.int32)
    scores = index.scores(question.terms or question.names, question.weights or None)
    found = matching(scores, allowed)
    if question.people:
        theirs = found[np.isin(index.columns.sender[found], question.people)]
        scores[theirs] *= np.float32(NAMED_BOOST)
    near = _with_neighbours(best_turns(scores, SEEDS, found), index)
    if any(question.days):
        within = found if len(found) else np.arange(len(index), dtype=np.int32)
        within = within[on_days(question, index.columns.time[within])]
        near = np.union1d(near, best_turns(scores, SEEDS, within) if len(found) else within[-SEEDS:])
    docs = np.union1d(near, _best_sessions(matches, layout, limit - len(near)))
    return (docs if allowed is None else docs[allowed[docs]]).astype(np.int32)


def _allowed(index: Index, mask: Bools | None) -> Bools | None:
    """Living documents of the mask; None where that is all of them."""
    if not index.any_dead:
        return mask
    return index.alive if mask is None else index.alive & mask


def _with_neighbours(docs: Ints, index: Index) -> Ints:
    """Documents and those up to two places away in the same session, ascending."""
    near = (docs[:, None].astype(np.int64) + np.arange(-2, 3)).ravel()
    own = np.repeat(docs, 5)
    inside = (near >= 0) & (near < len(index))
    near, own = near[inside], own[inside]
    session = index.columns.session
    return np.unique(near[session[near] == session[own]]).astype(np.int32)


def _best_sessions(matches: SessionMatch, layout: Layout, room: int) -> Ints:
    """Documents of the best sessions, as many as there is room for, ascending."""
    score = matches.score
    best = np.argpartition(-score, SESSIONS)[:SESSIONS] if len(score) > SESSIONS else np.arange(len(score))
    best = best[score[best] > 0]
    best = best[np.argsort(-score[best], kind="stable")]
    runs = [
        np.arange(start, start + turns, dtype=np.int32)
        for start, turns in zip(layout.session_start[best], layout.session_turns[best], strict=True)
    ]
    docs = np.concatenate(runs)[: max(0, room)] if runs else np.zeros(0, np.int32)
    return np.sort(docs)


@dataclass(slots=True)
class _View:
    """Term frequencies around every candidate: candidates × offsets −REACH…REACH × terms."""

    docs: Ints
    near: npt.NDArray[np.int64]  # candidates × offsets, document numbers
    inside: Bools  # candidates × offsets, whether that document is of the same session
    frequency: Matrix  # candidates × offsets × terms
    length: Matrix  # candidates × offsets
    distance: Matrix  # candidates × offsets, in words

    @classmethod
    def of(cls, index: Index, terms: tuple[int, ...], docs: Ints) -> "_View":
        near = docs[:, None].astype(np.int64) + np.arange(-REACH, REACH + 1)
        clipped = np.clip(near, 0, max(0, len(index) - 1))
        session = index.columns.session
        inside = (near == clipped) & (session[clipped] == session[docs][:, None])
        flat, back = np.unique(clipped, return_inverse=True)
        table = frequencies(index, terms, flat.astype(np.int32))
        back = back.reshape(clipped.shape)
        frequency = table[back] * inside[:, :, None]
        length = index.columns.length[clipped].astype(np.float32) * inside
        words = index.columns.words[clipped].astype(np.float32)
        return cls(docs, clipped, inside, frequency, length, _distance(words))

    def window(self, half: float) -> tuple[Matrix, Matrix]:
        """Frequencies and lengths around each candidate, halved for every so many words of distance."""
        factor = np.exp2(-self.distance / half) * self.inside if half else self.distance == 0
        weight = factor.astype(np.float32)
        return np.einsum("cot,co->ct", self.frequency, weight), np.einsum("co,co->c", self.length, weight)


def _distance(words: Matrix) -> Matrix:
    """Words between the edge of each turn in the middle and the centres of those around it; 0 for itself."""
    result = np.zeros_like(words)
    for side in (-1, 1):
        gone = np.zeros(len(words), words.dtype)
        for step in range(1, REACH + 1):
            column = REACH + side * step
            result[:, column] = gone + words[:, column] / 2
            gone = gone + words[:, column]
    return np.where(np.arange(words.shape[1]) == REACH, 0, np.maximum(result, 1))


def _bm25(frequency: Matrix, length: Matrix, mean: float, idf: Matrix) -> Matrix:
    norm = K1 * (1 - B + B * length / max(mean, 1e-6))
    return _added(frequency / (frequency + norm[:, None] + 1e-9), idf)


def _added(table: Matrix, weights: Matrix) -> Matrix:
    """Weighted sum over the last axis. Not `@`: its threads cost more than they save on tables this small."""
    total: Matrix = np.einsum("ct,t->c", table, weights)
    return total


def _best(values: Matrix) -> Matrix:
    """As shares of the best candidate's."""
    top = values.max(initial=0)
    return values / top if top > 0 else values


def _rank_gain(values: Matrix) -> Matrix:
    """10 / (10 + rank), 0 where there is no match: closeness to the top, whatever the scores."""
    order = np.argsort(-values, kind="stable")
    gain = np.empty(len(values), np.float32)
    gain[order] = 10 / (10 + np.arange(len(values), dtype=np.float32))
    return np.where(values > 0, gain, 0).astype(np.float32)


WINDOWS: Mapping[str, float] = {"own": 0, "near": 15, "around": 45, "wide": 150}
"""Runs of turns that are scored as one text: in how many words of distance a word's weight halves.

Distance counts in words, not turns, so that a one-line answer is read with the question before it and a
page-long message stands for itself.
"""


def measure(
    question: Question, index: Index, layout: Layout, matches: SessionMatch, docs: Ints
) -> dict[str, Matrix]:
    """All features of the candidates by name, each an array over `docs`."""
    terms = question.terms
    idf = np.array([index.idf(t) for t in terms], np.float32) * np.array(question.weights, np.float32)
    rarest = np.float32(np.log(1 + (index.n_docs + 0.5) / 0.5))
    ideal = float(idf.sum() + question.unknown * rarest) or 1.0
    view = _View.of(index, terms, docs)
    result: dict[str, Matrix] = {}
    for name, half in WINDOWS.items():
        frequency, length = view.window(half)
        mean = float(length.mean()) if half else index.mean_length
        result[name] = _bm25(frequency, length, mean, idf) / ideal
    session = index.columns.session[docs]
    result["session"] = matches.score[session].astype(np.float32)
    result["session_covered"] = matches.covered[session].astype(np.float32)
    for name in (*WINDOWS, "session"):
        result[f"{name}_best"] = _best(result[name])
    for name in ("near", "around", "wide"):
        result[f"{name}_rank"] = _rank_gain(result[name])
    result["any"] = (view.frequency[:, REACH].sum(axis=1) > 0).astype(np.float32)
    result["typed"] = _added((view.frequency[:, REACH] > 0).astype(np.float32), idf) / ideal * question.typed
    result |= _person_features(question, index, layout, view)
    result |= _turn_features(question, index, layout, view)
    result |= _meaning_features(question, index, layout, view)
    return result


def _person_features(question: Question, index: Index, layout: Layout, view: _View) -> dict[str, Matrix]:
    """Whether the turn is by, to or about the people that the question speaks of."""
    docs = view.docs
    by = np.isin(index.columns.sender[view.near], np.array(question.people, np.int32)) & view.inside
    named = by[:, REACH]
    others = ~named if question.people else np.zeros_like(named)
    mentioned = np.zeros(len(docs), np.bool_)
    if question.names:
        mentioned = frequencies(index, question.names, docs).sum(axis=1) > 0
    return {
        "named": named.astype(np.float32),
        "unnamed": others.astype(np.float32),
        "with_named": np.asarray(by.any(axis=1), np.float32),
        "before_named": by[:, REACH - 1].astype(np.float32),
        "mentions": (mentioned & ~named).astype(np.float32),
        "named_tells": (named & layout.marks["tells"][docs]).astype(np.float32),
    }


def _meaning_features(question: Question, index: Index, layout: Layout, view: _View) -> dict[str, Matrix]:
    """Words near in meaning to the question's, in the turn and around it."""
    near = view.near[:, REACH - 1 : REACH + 2]
    inside = view.inside[:, REACH - 1 : REACH + 2]
    found, back = np.unique(near, return_inverse=True)
    back = back.reshape(near.shape)
    flat: Ints = found.astype(np.int32)
    close, field = expand(question.words, index, layout.related)
    best, added = worths(close, field, index, flat)
    by_word = best[back] * inside
    length = np.sqrt(index.columns.length[flat].astype(np.float32) + 5)
    by_field = (added / length)[back] * inside
    return {
        "close": by_word[:, 1].astype(np.float32),
        "close_near": by_word.sum(axis=1).astype(np.float32),
        "field": by_field[:, 1].astype(np.float32),
        "field_near": by_field.sum(axis=1).astype(np.float32),
    }


def _turn_features(question: Question, index: Index, layout: Layout, view: _View) -> dict[str, Matrix]:
    """What kind of turn it is: asks, tells, names a time; its place; whether it follows a question."""
    docs = view.docs
    mark = {name: array[docs].astype(np.float32) for name, array in layout.marks.items()}
    when, number = np.float32(question.asks_when), np.float32(question.asks_number)
    asked_before = layout.marks["asks"][view.near[:, REACH - 1]] & view.inside[:, REACH - 1]
    place = docs - layout.session_start[index.columns.session[docs]]
    result: dict[str, Matrix] = {
        "tells": mark["tells"],
        "asks": mark["asks"],
        "asked_before": asked_before.astype(np.float32),
        "times": mark["times"],
        "when_times": np.multiply(mark["times"], when),
        "number_numbers": np.multiply(mark["numbers"], number),
        "opens": (place == 0).astype(np.float32),
        "place": np.minimum(place, 10).astype(np.float32) / 10,
    }
    return result | _day_features(question, index.columns.time[docs])


def _day_features(question: Question, seconds: npt.NDArray[np.int64]) -> dict[str, Matrix]:
    """Whether the turn was written in the days that the question means, or in the month after them."""
    if not any(question.days):
        none = np.zeros(len(seconds), np.float32)
        return {"on_day": none, "soon_after": none}
    last = question.days[1]
    end = NO_TIME if last is None else _midnight(last) + DAY
    soon = (seconds >= end) & (seconds < end + MONTH) & bool(last)
    return {"on_day": on_days(question, seconds).astype(np.float32), "soon_after": soon.astype(np.float32)}


def on_days(question: Question, seconds: npt.NDArray[np.int64]) -> Bools:
    """Which moments lie in the days that a question means."""
    first, last = question.days
    inside: Bools = seconds != NO_TIME
    if first is not None:
        inside &= seconds >= _midnight(first)
    if last is not None:
        inside &= seconds < _midnight(last) + DAY
    return inside


def _midnight(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
