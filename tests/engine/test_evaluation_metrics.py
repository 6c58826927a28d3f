"""Metrics against values worked out by hand."""

import math

import pytest

from engine.evaluation.answers import choice_right, chosen, locomo_f1, multi_f1, token_f1
from engine.evaluation.metrics import bootstrap, first_sessions, found, mean, ndcg, precision_recall, within_budget


def test_a_budget_ends_at_the_first_turn_that_does_not_fit():
    assert within_budget([7, 8, 9], [4, 5, 1], 5) == [7]
    assert within_budget([7, 8, 9], [4, 1, 1], 5) == [7, 8]
    assert within_budget([7], [6], 5) == []


def test_found_is_fraction_all_and_any():
    assert found([1, 2, 3], [2, 9]) == (0.5, 0.0, 1.0)
    assert found([1, 2], [2, 1]) == (1.0, 1.0, 1.0)
    assert found([], [4]) == (0.0, 0.0, 0.0)


def test_ndcg_of_second_and_third_place():
    gain = 1 / math.log2(3) + 1 / math.log2(4)
    best = 1 + 1 / math.log2(3)
    assert ndcg([5, 1, 2], [1, 2], 10) == pytest.approx(gain / best)
    assert ndcg([5, 1, 2], [1, 2], 1) == 0
    assert ndcg([1], [], 5) == 0


def test_sessions_are_counted_once():
    assert first_sessions(["b", "b", "a", "b", "c"], 2) == ["b", "a"]


def test_precision_and_recall_of_citations():
    assert precision_recall([1, 2, 2], [2, 3, 4]) == (0.5, pytest.approx(1 / 3))
    assert precision_recall([], [2]) == (0.0, 0.0)


def test_mean_of_nothing_is_no_number():
    assert math.isnan(mean([]))
    assert math.isnan(bootstrap([1.0])[0])


def test_bootstrap_holds_the_mean_and_is_repeatable():
    values = [0.0, 1.0] * 40
    low, high = bootstrap(values, seed=3)
    assert 0.3 < low < 0.5 < high < 0.7
    assert bootstrap(values, seed=3) == (low, high)
    assert bootstrap([0.25] * 9) == (0.25, 0.25)


def test_token_f1_drops_articles_and_stems():
    # said: "run", "fast"; wanted: "run", "very", "fast" → precision 1, recall 2/3
    assert token_f1("Running fast.", "the runs, very fast") == pytest.approx(0.8)
    assert token_f1("nothing", "something") == 0
    assert token_f1("red red", "red") == pytest.approx(2 / 3)


def test_multi_f1_takes_the_best_part_for_each_wanted_part():
    assert multi_f1("pears, plums", "plums, apples") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answer", "gold", "category", "was_found", "expected"),
    [
        ("beans", "beans, pumpkins", "1", True, 0.5),
        ("a cello", "a cello; he plays it", "3", True, 1.0),
        ("a cello", "a cello; he plays it", "4", True, 0.4),
        ("in May", "in May", "2", False, 0.0),
        ("cello", "cello", "5", True, 0.0),
        ("That is not mentioned.", "cello", "5", True, 1.0),
        ("Not found.", "cello", "5", False, 1.0),
    ],
)
def test_locomo_scores_by_category(answer, gold, category, was_found, expected):
    assert locomo_f1(answer, gold, category, found=was_found) == pytest.approx(expected)


def test_choices_by_letter_and_by_words():
    choices = ("(a) Take the ferry at noon", "(b) Stay at home and read")
    assert chosen("I would say (b).", choices) == "b"
    assert chosen("a", choices) == "a"
    assert chosen("B: stay", choices) == "b"
    assert chosen("Best to take the noon ferry", choices) == "a"
    assert chosen("zzz", choices) == ""
    assert choice_right("(b)", "(b) Stay at home and read", choices) == 1
    assert choice_right("(b)", "no letter", choices) == 0
