"""The product's ranking: a linear sum of the features of each candidate, learned with other conversations.

    names = Names(senders, owners)            # once for a state of the archive
    layout = Layout.of(index)                 # once for a state of the archive
    question = read_question(text, index.vocabulary, names)
    docs, scores = rank(question, index, layout, mask, limit=100)

`docs` are document numbers, best first; turns score for what they give per word, because whoever reads
them, a person or a model, pays by the word. No model is involved and the work is bounded by the candidates.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from engine.index import Bools, Floats, Index, Ints
from engine.search.features import SessionMatch, candidates, measure
from engine.search.layout import Layout
from engine.search.question import Question

MATCHES = (
    *("own", "near", "around", "wide", "session"),
    *("own_best", "near_best", "around_best", "wide_best", "session_best"),
    *("near_rank", "around_rank", "wide_rank", "session_covered", "any"),
    *("close", "close_near", "field", "field_near"),
    *("named", "with_named", "before_named", "mentions", "on_day", "soon_after"),
)
FEATURES = (
    *MATCHES,
    *("unnamed", "named_tells", "tells", "asks", "asked_before"),
    *("times", "when_times", "number_numbers", "opens", "place"),
)
"""What is weighed; `engine.search.features` says what each is. MATCHES never count against a turn."""
TYPED = 4.0
"""For the share of typed words that a turn holds itself. Set by hand: whoever types words without a question
wants to see the turns that have them, and a benchmark of questions cannot teach that."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight a feature, and the price of a turn's length: score − price · ln(words)."""

    features: dict[str, float]
    price: float


@cache
def learned_weights() -> Weights:
    """The weights that `engine.evaluation.training` made."""
    data = json.loads(files("engine.search").joinpath("weights.json").read_text("utf-8"))
    return Weights(data["features"], data["price"])


def rank(
    question: Question,
    index: Index,
    layout: Layout,
    mask: Bools | None = None,
    *,
    limit: int = 100,
    weights: Weights | None = None,
) -> tuple[Ints, Floats]:
    """The best turns for a question, with their scores; turns that nothing speaks for are left out.

    Args:
        question: as `read_question` gives it.
        index: the index.
        layout: of that index.
        mask: documents that may be found; None for all.
        limit: how many to return at most.
        weights: the learned ones by default.
    """
    weights = weights or learned_weights()
    matches = SessionMatch.of(question, index, layout)
    docs = candidates(question, index, layout, matches, mask)
    if not len(docs):
        return docs, np.zeros(0, np.float32)
    features = measure(question, index, layout, matches, docs)
    matched = features["session_covered"] + features["mentions"] + features["named"] + features["on_day"] > 0
    score = np.zeros(len(docs), np.float32)
    for name, weight in weights.features.items():
        score += np.float32(weight) * features[name]
    score += np.float32(TYPED) * features["typed"]
    score -= np.float32(weights.price) * np.log(np.maximum(index.columns.words[docs], 1)).astype(np.float32)
    order = np.argsort(-score, kind="stable")
    order = order[matched[order]][:limit]
    return docs[order], score[order]
