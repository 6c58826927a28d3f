"""The table of word vectors: sound, and useful for pairs that everybody would agree on."""

import numpy as np
import pytest

from engine.index import Index, NewDocuments
from engine.search.related import RelatedTerms, expand, word_vectors, worths

PAIRS = [("doctor", "physician"), ("car", "vehicl"), ("happi", "glad"), ("movi", "film"), ("kid", "child")]


def test_vectors_have_length_one():
    table = word_vectors()
    assert len(table.rows) == len(table.vectors)
    assert np.allclose(np.linalg.norm(table.vectors, axis=1), 1, atol=1e-4)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_near_words_are_nearer_than_others(one, other):
    table = word_vectors()
    near = float((table.vectors[table.rows[one]] * table.vectors[table.rows[other]]).sum())
    far = float((table.vectors[table.rows[one]] * table.vectors[table.rows["granit"]]).sum())
    assert near > 0.4 > far


def _index(*texts):
    none = np.zeros(len(texts), np.int32)
    index = Index()
    index.append(NewDocuments(texts, ["english"] * len(texts), none, none, none, none.astype(np.int64), none + 3))
    return index


def test_expansion_leaves_out_the_question_s_own_words_and_scores_documents():
    index = _index("the physician called", "a doctor called", "granite rock", "soup")
    close, field = expand(("doctor",), index, RelatedTerms.of(index, ("english",)))
    assert [index.vocabulary.terms[t] for t in close.terms] == ["physician"]
    best, added = worths(close, field, index, np.arange(4, dtype=np.int32))
    assert best[0] > 0
    assert best[1] == best[2] == best[3] == 0
    assert added[1] > added[0] > added[3]


def test_archives_without_english_and_unknown_words_expand_to_nothing():
    index = _index("der Arzt rief an")
    close, field = expand(("arzt",), index, RelatedTerms.of(index, ("german",)))
    assert len(close.terms) == len(field.terms) == 0
    close, field = expand(("xyzzyq",), index, RelatedTerms.of(index, ("english",)))
    assert len(close.terms) == len(field.terms) == 0
