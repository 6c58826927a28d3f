"""SmartSearch (arXiv 2603.15599): weighted substrings find, expansion widens, rerankers order, a cut trims.

Terms weigh by part of speech (proper noun 3, noun 2, verb 1, +1 for a named entity); passages are found by
plain substring; a second hop searches for names found in the first results (weight 2.5), and pseudo-
relevance feedback for words that at least two of the best ten share (0.5). Where a reranker is given it
orders the candidates, fused with embeddings where those are given as well (RRF k = 60, 0.7 and 0.3); the
paper's second model is a late-interaction one, for which no vectors a token are to be had here. The 60 best
are kept as long as they score at least 0.03 of the best, up to 4,000 words. Without models the order is that
of the substring scores. Parts of speech come from spaCy where `en_core_web_sm` is installed, else from a few
rules about capitals and endings.
"""

import importlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.evaluation.bench import Bench
from engine.search.cues import cue_words
from engine.search.fusion import ranks

PROPER, NOUN, VERB, ENTITY = 3.0, 2.0, 1.0, 1.0
DISCOVERED, FEEDBACK = 2.5, 0.5
FIRST, SHARED_BY = 10, 2  # passages looked at for expansion; feedback words must be in so many
RERANKED = 60
ALPHA = 0.03
MOST_WORDS = 4_000
RRF_K = 60
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_VERB_ENDINGS = ("ing", "ed", "ise", "ize", "ify")
Scores = npt.NDArray[np.float64]
Tagger = Callable[[str], list[tuple[str, float]]]


def smartsearch(bench: Bench, question: str) -> tuple[int, ...]:
    """Ranked turns for a question."""
    weigh: Tagger = bench.once("tagger", tagger)
    texts: list[str] = bench.once(
        "lower texts", lambda: [f"{t.sender} {t.text}".lower() for t in bench.archive.turns]
    )
    terms = dict(weigh(question))
    scores = _matched(terms, texts)
    terms |= {t: w for t, w in _discovered(bench, scores, weigh).items() if t not in terms}
    scores = _matched(terms, texts)
    feedback = {t: w for t, w in _feedback(bench, scores, weigh).items() if t not in terms}
    scores = scores + _matched(feedback, texts)
    found = np.argsort(-scores, kind="stable")
    candidates = [int(d) for d in found if scores[d] > 0]
    return _reranked(bench, question, candidates)


def _matched(terms: dict[str, float], texts: Sequence[str]) -> Scores:
    """Sum of the weights of the terms that a passage has as a substring."""
    scores = np.zeros(len(texts))
    for term, weight in terms.items():
        scores += weight * np.array([term in text for text in texts])
    return scores


def _best(scores: Scores, count: int) -> list[int]:
    order = np.argsort(-scores, kind="stable")[:count]
    return [int(d) for d in order if scores[d] > 0]


def _discovered(bench: Bench, scores: Scores, weigh: Tagger) -> dict[str, float]:
    """Names in the first results."""
    found: dict[str, float] = {}
    for doc in _best(scores, FIRST):
        tagged = weigh(bench.archive.turns[doc].text)
        found |= {term: DISCOVERED for term, weight in tagged if weight >= PROPER}
    return found


def _feedback(bench: Bench, scores: Scores, weigh: Tagger) -> dict[str, float]:
    """Nouns that several of the first results share."""
    counts: Counter[str] = Counter()
    for doc in _best(scores, FIRST):
        counts.update({term for term, weight in weigh(bench.archive.turns[doc].text) if weight >= NOUN})
    return {term: FEEDBACK for term, count in counts.items() if count >= SHARED_BY}


def _reranked(bench: Bench, question: str, candidates: list[int]) -> tuple[int, ...]:
    """The candidates by the models that are given, cut as the paper cuts."""
    reranker = bench.tools.reranker
    if reranker is None:
        return tuple(candidates)
    turns = bench.archive.turns
    passages = [f"{turns[d].sender}: {turns[d].text}" for d in candidates]
    scores = np.array(reranker.ranks(question, passages, bench.tools.job.stopped))
    fused = 0.7 / (RRF_K + ranks(scores))
    if bench.tools.embedder is not None:
        fused = fused + 0.3 / (RRF_K + ranks(bench.dense(question)[candidates]))
    shares = 1 / (1 + np.exp(-scores))
    order = [int(i) for i in np.argsort(-fused, kind="stable")[:RERANKED] if shares[i] >= ALPHA * shares.max()]
    kept, spent = [], 0
    for place in order:
        spent += turns[candidates[place]].words
        if spent > MOST_WORDS:
            break
        kept.append(candidates[place])
    return tuple(kept)


def tagger() -> Tagger:
    """Weighted terms of a text: spaCy's where it is installed, else the rules'."""
    try:
        pipeline = importlib.import_module("en_core_web_sm").load(disable=["parser"])
    except ImportError:
        return by_rules
    return lambda text: _by_spacy(pipeline(text))


def _by_spacy(document: Any) -> list[tuple[str, float]]:
    weights = {"PROPN": PROPER, "NOUN": NOUN, "VERB": VERB}
    return [
        (token.text.lower(), weights[token.pos_] + (ENTITY if token.ent_type_ else 0))
        for token in document
        if token.pos_ in weights and not token.is_stop
    ]


def by_rules(text: str) -> list[tuple[str, float]]:
    """Capitals inside a sentence make a name, endings a verb, the rest is taken for nouns; small words go."""
    small = cue_words("question", ("english",))
    result: list[tuple[str, float]] = []
    opens = True
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        lower = word.lower()
        if lower not in small and (len(word) > 1 or word.isdigit()):
            proper = word[0].isupper() and not opens
            verb = lower.endswith(_VERB_ENDINGS)
            result.append((lower, PROPER + ENTITY if proper else VERB if verb else NOUN))
        opens = text[match.end() : match.end() + 1] in (".", "!", "?", "\n")
    return result
