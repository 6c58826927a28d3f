"""The product's ranking: a linear sum of the features of each candidate, learned with other conversations.

    names = Names(senders, owners)            # once for a state of the archive
    layout = Layout.of(index)                 # once for a state of the archive
    question = read_question(text, index.vocabulary, names)
    docs, scores = rank(question, index, layout, mask, limit=100)

`docs` are document numbers, best first; turns score for what they give per word, because whoever reads
them, a person or a model, pays by the word. No model is involved and the work is bounded by the candidates.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from engine.index import Bools, Floats, Index, Ints
from engine.search.features import Matrix, SessionMatch, candidates, measure
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
BY_PERSON = ("named", "with_named", "before_named", "named_tells", "unnamed")
"""What is asked of a turn's writer rather than of its words."""
OTHERS = 0.1
"""How likely it is that somebody else tells what is asked about a person. The weights were learned where two
people talk about themselves; in a family's group everybody tells everybody's news. Set by hand: with 0.25 such
turns rise a little more, but the evidence within 300 words of LoCoMo falls by 1.3 points instead of 0.6."""
SHORTEST = 12
"""Words below which a turn is not taken for shorter. The price was learned on turns of some twenty words; carried
on to a single word it would put every "Both" and every mention of a name before what was said of it."""
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
    score = weighed(features, index.columns.words[docs], weights)
    order = np.argsort(-score, kind="stable")
    order = order[matched[order]][:limit]
    return docs[order], score[order]


def weighed(features: Mapping[str, Matrix], words: Ints, weights: Weights) -> Floats:
    """The log odds of each candidate, up to a constant.

    Where the question names a person it is a mixture: either that person's own turns tell it, or, with the
    probability OTHERS, anybody's, and then the writer says nothing. Each is a distribution over the
    candidates, so that a clear match of somebody else passes the many turns that only have the right writer.

    Args:
        features: arrays over the candidates; what is missing counts as 0.
        words: the candidates' words.
        weights: one a feature, and the price of length.
    """
    by_words, by_person = np.zeros(len(words), np.float32), np.zeros(len(words), np.float32)
    for name, weight in weights.features.items():
        part = by_person if name in BY_PERSON else by_words
        part += np.float32(weight) * features[name].astype(np.float32)
    if "typed" in features:
        by_words += np.float32(TYPED) * features["typed"]
    by_words -= np.float32(weights.price) * np.log(np.maximum(words, SHORTEST)).astype(np.float32)
    if not by_person.any():
        return by_words
    whole = by_words + by_person
    theirs = np.log1p(-OTHERS) + whole - np.logaddexp.reduce(whole)
    anybody = np.log(OTHERS) + by_words - np.logaddexp.reduce(by_words)
    mixed: Floats = np.logaddexp(theirs, anybody).astype(np.float32)
    return mixed
