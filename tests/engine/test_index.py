"""The index against bm25s, against a BM25 written out here, and against itself built in one go."""

import math
from collections import Counter

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index import Index, NewDocuments, make_segment, merge_segments

WORDS = "boiler plumber friday tuesday cash train platform ticket mum robin cake candle 5pm winter".split()
documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=30)


def add(index: Index, texts: list[str], session: int = 0) -> None:
    n = len(texts)
    zeros = np.zeros(n, np.int32)
    index.append(
        NewDocuments(texts, ["english"] * n, zeros + session, zeros, zeros, zeros.astype(np.int64), zeros)
    )


def plain_bm25(texts: list[str], query: list[str], alive: list[bool] | None = None) -> list[float]:
    """BM25, Lucene's variant, as in its definition; k1 = 1.2, b = 0.75."""
    alive = alive or [True] * len(texts)
    tokens = [Counter(t.split()) for t in texts]
    living = [c for c, a in zip(tokens, alive, strict=True) if a]
    mean = sum(c.total() for c in living) / len(living) if living else 0
    scores = []
    for counts, lives in zip(tokens, alive, strict=True):
        score = 0.0
        for word in dict.fromkeys(query):
            df = sum(word in c for c in living)
            if lives and counts[word]:
                idf = math.log(1 + (len(living) - df + 0.5) / (df + 0.5))
                score += idf * counts[word] / (1.2 * (1 - 0.75 + 0.75 * counts.total() / mean) + counts[word])
        scores.append(score)
    return scores


def stemless(index: Index, query: list[str]) -> list[int]:
    return index.vocabulary.query_terms(" ".join(query))


@settings(max_examples=60, deadline=None)
@given(documents, st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), st.integers(0, 29))
def test_scores_equal_the_definition_however_the_index_grew(texts: list[str], query: list[str], cut: int) -> None:
    index = Index()
    add(index, texts[:cut])
    add(index, texts[cut:])
    terms = {w: stemless(index, [w]) for w in WORDS}
    shown = [" ".join(w for w in t.split() if terms[w]) for t in texts]
    np.testing.assert_allclose(index.scores(stemless(index, query)), plain_bm25(shown, query), rtol=2e-6)
    before = index.scores(stemless(index, query))
    index.merge_tail()
    np.testing.assert_array_equal(index.scores(stemless(index, query)), before)


@settings(max_examples=40, deadline=None)
@given(documents.filter(lambda d: any(d)), st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True))
def test_scores_are_bit_identical_to_bm25s_on_the_same_tokens(texts: list[str], query: list[str]) -> None:
    index = Index()
    for text in texts:
        add(index, [text])
    tokens = [index.vocabulary.encode([t])[0].tolist() for t in texts]
    reference = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    reference.index((tokens, {str(i): i for i in range(len(index.vocabulary))}), show_progress=False)
    terms = stemless(index, query)
    if terms:
        np.testing.assert_array_equal(index.scores(terms), reference.get_scores_from_ids(terms))


@settings(max_examples=40, deadline=None)
@given(
    documents, st.sets(st.integers(0, 29)), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)
)
def test_buried_documents_leave_no_trace_in_any_score(texts: list[str], dead: set[int], query: list[str]) -> None:
    index = Index()
    add(index, texts)
    gone = [d for d in dead if d < len(texts)]
    index.bury(gone)
    alive = [i not in gone for i in range(len(texts))]
    np.testing.assert_allclose(index.scores(stemless(index, query)), plain_bm25(texts, query, alive), rtol=2e-6)
    small = index.compacted()
    np.testing.assert_array_equal(small.scores(stemless(small, query)), index.scores(stemless(index, query)))
    left = {w for t, a in zip(texts, alive, strict=True) if a for w in t.split()}
    assert len(small.vocabulary) == len({index.vocabulary.query_terms(w)[0] for w in left})


def test_merging_keeps_documents_in_ascending_order() -> None:
    index = Index()
    add(index, ["cake candle", "candle"])
    add(index, ["candle winter", "cake"])
    merged = merge_segments(index.segments)
    candle = index.vocabulary.ids[index.vocabulary.terms[index.vocabulary.query_terms("candle")[0]]]
    assert merged.slice(candle)[0].tolist() == [0, 1, 2]


def test_runs_and_ranges_of_any_size_make_the_same_index(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [" ".join(WORDS[(i * 5 + j * j) % len(WORDS)] for j in range(i % 9)) for i in range(200)]
    whole = Index()
    add(whole, texts)
    monkeypatch.setattr("engine.index.INDEXED_AT_ONCE", 7)
    monkeypatch.setattr("engine.index.MERGED_AT_ONCE", 5)
    small = Index()
    add(small, texts)
    assert len(small.segments) == 1
    np.testing.assert_array_equal(small.columns.length, whole.columns.length)
    for term in WORDS:
        (a,), (b,) = stemless(whole, [term]), stemless(small, [term])
        for ours, theirs in zip(small.postings(b), whole.postings(a), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_terms_beyond_sixteen_bits_are_in_order() -> None:
    terms = np.array([70_000, 3, 3, 70_000 - 65_536, 131_075, 70_000], np.int32)
    segment = make_segment(terms, np.array([4, 2], np.int32), 5, 131_076)
    assert [segment.slice(t)[0].tolist() for t in (3, 4_464, 70_000, 131_075)] == [[5], [5], [5, 6], [6]]
    assert segment.slice(3)[1].tolist() == [2]


def test_an_empty_index_finds_nothing() -> None:
    assert Index().scores([]).tolist() == []
    assert Index().compacted().n_docs == 0


def test_the_idf_of_an_unknown_term_does_not_divide_by_zero() -> None:
    index = Index()
    add(index, ["cake"])
    assert index.idf(99) == pytest.approx(math.log(1 + 1.5 / 0.5), rel=1e-6)
