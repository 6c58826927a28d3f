"""The ranking: what it finds on invented chats, and that its work and its scores stay bounded."""

from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation.archive import index_sample
from engine.evaluation.data import DataTurn, Sample
from engine.search import features
from engine.search.features import SessionMatch, candidates, measure
from engine.search.layout import Layout, frequencies
from engine.search.question import ALWAYS, read_question
from engine.search.ranking import FEATURES, MATCHES, Weights, learned_weights, rank, weighed


def archive_of(*lines: tuple[str, str, str] | tuple[str, str, str, str]):
    """(session, sender, text[, day])."""
    turns = [
        DataTurn(str(i), line[0], line[1], line[2], datetime.fromisoformat(line[3]) if len(line) > 3 else None)
        for i, line in enumerate(lines)
    ]
    return index_sample(Sample("chat", tuple(turns), ()))


HOLIDAY = archive_of(
    ("s1", "Ruth", "We are off to the coast on Friday", "2021-07-01"),
    ("s1", "Omar", "Who looks after the parrot?", "2021-07-01"),
    ("s1", "Ruth", "My neighbour does, she has a key", "2021-07-01"),
    ("s2", "Omar", "I bought a canoe last week", "2021-08-11"),
    ("s2", "Ruth", "Red or green?", "2021-08-11"),
    ("s2", "Omar", "Green, with two seats", "2021-08-11"),
    ("s3", "Ruth", "The physician says my knee is fine", "2022-01-05"),
    ("s3", "Omar", "Good to hear, Ruth", "2022-01-05"),
    ("s4", "Ruth", "I bought a kettle", "2022-03-05"),
    ("s4", "Omar", "Mine broke too", "2022-03-05"),
)


def ranked(archive, text, *, days=ALWAYS, extra=(), mask=None, limit=100):
    question = read_question(
        text, archive.index.vocabulary, archive.names, languages=(archive.language,), days=days, extra=extra
    )
    docs, scores = rank(question, archive.index, archive.layout, mask, limit=limit)
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)
    return docs.tolist()


def test_the_person_asked_about_comes_before_the_other_one():
    assert ranked(HOLIDAY, "What did Omar buy?")[0] == 3
    assert ranked(HOLIDAY, "What did Ruth buy?")[0] == 8


def test_an_answer_is_found_by_the_question_before_it():
    assert 2 in ranked(HOLIDAY, "Who looked after Ruth's parrot?")[:3]
    assert 5 in ranked(HOLIDAY, "What colour is Omar's canoe?")[:3]


def test_words_that_mean_the_same_find_each_other():
    assert ranked(HOLIDAY, "What did the doctor tell Ruth?")[0] == 6


def test_days_that_the_question_means_come_first():
    may = (date(2022, 3, 1), date(2022, 3, 31))
    assert ranked(HOLIDAY, "What was bought?", days=may)[0] == 8
    assert 3 in ranked(HOLIDAY, "What was bought?", days=may)  # others are not hidden
    assert set(ranked(HOLIDAY, "What happened?", days=may)[:2]) == {8, 9}


def test_a_mask_hides_turns_and_a_limit_cuts():
    mask = np.ones(len(HOLIDAY.index), np.bool_)
    mask[3] = False
    found = ranked(HOLIDAY, "What did Omar buy?", mask=mask)
    assert 3 not in found
    assert ranked(HOLIDAY, "What did Omar buy?", limit=2) == ranked(HOLIDAY, "What did Omar buy?")[:2]


def test_extra_words_find_what_the_question_does_not_name():
    assert 3 not in ranked(HOLIDAY, "Which vehicle was purchased?")[:1]
    assert ranked(HOLIDAY, "Which zzz?", extra=("canoe",))[0] == 3


def test_nothing_is_found_where_nothing_matches():
    assert ranked(archive_of(("s", "A", "hello there")), "zzzz qqqq?") == []
    assert ranked(archive_of(), "anything?") == []


def test_chinese_finds_chinese():
    archive = archive_of(
        ("a", "小红", "我们周六去爬山吧"), ("a", "小明", "好的，带上水"), ("b", "小红", "我买了一辆自行车")
    )
    assert ranked(archive, "谁买了自行车？")[0] == 2


def test_dead_turns_are_not_found():
    archive = archive_of(*[(f"s{i}", "Ann", f"the lamp number {i} is blue") for i in range(6)])
    archive.index.bury([2])
    layout = Layout.of(archive.index)
    question = read_question("Which lamp is blue?", archive.index.vocabulary, archive.names)
    docs, _ = rank(question, archive.index, layout)
    assert sorted(docs.tolist()) == [0, 1, 3, 4, 5]


def test_large_archives_are_scored_in_part(monkeypatch):
    lines = [(f"s{i // 10}", f"P{i % 3}", f"filler talk {i % 17}") for i in range(600)]
    lines[333] = ("s33", "P0", "the treasure is under the oak")
    archive = archive_of(*lines)
    monkeypatch.setattr(features, "SEEDS", 20)
    question = read_question("Where is the treasure?", archive.index.vocabulary, archive.names)
    matches = SessionMatch.of(question, archive.index, archive.layout)
    docs = candidates(question, archive.index, archive.layout, matches, None, limit=100)
    assert len(docs) <= 100 + 5
    assert docs.tolist() == sorted(set(docs.tolist()))
    assert 333 in docs
    assert 339 in docs  # the rest of its session comes too
    days = (date(2020, 1, 1), None)
    nowhere = read_question("When was it?", archive.index.vocabulary, archive.names, days=days)
    matches = SessionMatch.of(nowhere, archive.index, archive.layout)
    assert len(candidates(nowhere, archive.index, archive.layout, matches, None, limit=100)) == 0


def test_scores_do_not_depend_on_the_size_of_the_archive():
    small = [
        ("a", "Ann", "the violin is at the repair shop"),
        ("a", "Bea", "which shop?"),
        ("b", "Ann", "rain again"),
    ]
    more = [(f"x{i}", "Ann", f"weather report {i}") for i in range(300)]

    def own(lines):
        archive = archive_of(*lines)
        question = read_question("Where is the violin repaired?", archive.index.vocabulary, archive.names)
        matches = SessionMatch.of(question, archive.index, archive.layout)
        docs = np.arange(3, dtype=np.int32)
        return measure(question, archive.index, archive.layout, matches, docs)["own"][0]

    assert own(small) == pytest.approx(own([*small, *more]), rel=0.35)


def test_every_weight_has_a_feature_and_no_match_counts_against_a_turn():
    weights = learned_weights()
    assert set(weights.features) <= set(FEATURES)
    assert all(weights.features[name] >= 0 for name in MATCHES if name in weights.features)
    question = read_question("Who has the key?", HOLIDAY.index.vocabulary, HOLIDAY.names)
    matches = SessionMatch.of(question, HOLIDAY.index, HOLIDAY.layout)
    docs = np.arange(4, dtype=np.int32)
    measured = measure(question, HOLIDAY.index, HOLIDAY.layout, matches, docs)
    assert set(FEATURES) <= set(measured)
    assert all(v.shape == (4,) and np.isfinite(v).all() for v in measured.values())


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(st.text("ab cé猫?", max_size=12), min_size=1, max_size=12),
    question=st.text("ab cé猫? Ann", max_size=20),
)
def test_any_text_can_be_ranked(texts, question):
    archive = archive_of(*[(f"s{i // 3}", "Ann" if i % 2 else "Bo", text) for i, text in enumerate(texts)])
    docs = ranked(archive, question)
    assert len(docs) == len(set(docs)) <= len(texts)


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(("red", "blue", "green")), max_size=8).map(" ".join), min_size=1, max_size=9
    )
)
def test_frequencies_are_those_of_the_texts(texts):
    archive = archive_of(*[("s", "Ann", text) for text in texts])
    vocabulary = archive.index.vocabulary
    terms = tuple(vocabulary.query_terms("red blue green"))
    docs = np.arange(len(texts), dtype=np.int32)[::2]
    table = frequencies(archive.index, terms, docs)
    expected = [[texts[d].split().count(vocabulary.terms[t]) for t in terms] for d in docs]
    assert table.tolist() == expected


def test_distance_counts_in_words():
    short = archive_of(*[("s", "Ann", f"word{i} x") for i in range(9)])
    long = archive_of(*[("s", "Ann", f"word{i} " + "talk " * 80) for i in range(9)])

    def around(archive):
        question = read_question("word4?", archive.index.vocabulary, archive.names)
        matches = SessionMatch.of(question, archive.index, archive.layout)
        values = measure(question, archive.index, archive.layout, matches, np.arange(9, dtype=np.int32))["around"]
        return values / values.max()

    assert around(short)[3] > around(long)[3] + 0.2
    assert around(long)[4] == 1
    assert around(long)[3] == pytest.approx(around(long)[5])


def test_typed_words_find_the_turns_that_have_them_first():
    lines = [
        ("s", "Ann" if i % 2 else "Bo", text) for i, text in enumerate(("yes", "no", "the heron came", "oh", "ok"))
    ]
    assert ranked(archive_of(*lines), "heron")[0] == 2
    assert ranked(HOLIDAY, "canoe")[0] == 3
    assert ranked(HOLIDAY, "Omar canoe")[0] == 3


def test_a_clear_match_of_somebody_else_passes_turns_that_only_have_the_right_writer():
    weights = Weights({"around": 4.0, "named": 3.0, "with_named": 2.0}, 0.0)
    theirs = np.array([1.0] * 30 + [0.0], np.float32)
    features = {"around": 1 - theirs, "named": theirs, "with_named": theirs}
    scores = weighed(features, np.full(31, 20, np.int32), weights)
    assert scores.argmax() == 30
    features["around"][0] = 1.0  # as good a match by the person asked about comes before it
    assert weighed(features, np.full(31, 20, np.int32), weights).argmax() == 0


def test_a_turn_of_one_word_is_not_taken_for_shorter_than_a_short_sentence():
    matched = {"around": np.array([0.5, 0.5, 0.5], np.float32)}
    one, short, long = weighed(matched, np.array([1, 12, 60], np.int32), Weights({"around": 1.0}, 0.7))
    assert one == short > long
