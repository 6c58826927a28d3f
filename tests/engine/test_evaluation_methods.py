"""Methods, runs, dump and report on a small invented conversation."""

import json
import math
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from fakes import FakeChatModel

from engine.evaluation.bench import Bench, Tools
from engine.evaluation.data import DataQuestion, DataTurn, Sample
from engine.evaluation.datasets import read_dataset
from engine.evaluation.dump import dumped
from engine.evaluation.methods import METHODS, method
from engine.evaluation.report import report
from engine.evaluation.runs import plan, run
from engine.evaluation.scores import score
from engine.evaluation.smartsearch import by_rules, smartsearch
from engine.evaluation.units import unit_index
from engine.types import Filters

TINY = Path(__file__).parent / "data" / "tiny_locomo.json"


def results(names, *, tools=None, **plans):
    methods = [method(n) for n in names]
    return list(run(plan(read_dataset("locomo", TINY), **plans), methods, tools or Tools()))


def plain_bm25(texts, query, k1=1.2, b=0.75):
    """BM25 as in a textbook, over words that are already stems."""
    docs = [t.split() for t in texts]
    mean = sum(map(len, docs)) / len(docs)
    scores = []
    for doc in docs:
        total = 0.0
        for word in dict.fromkeys(query.split()):
            holds = sum(word in d for d in docs)
            idf = math.log(1 + (len(docs) - holds + 0.5) / (holds + 0.5))
            tf = doc.count(word)
            total += idf * tf / (tf + k1 * (1 - b + b * len(doc) / mean))
        scores.append(total)
    return scores


def test_bm25_is_the_textbook_s():
    texts = ["lamp blue lamp", "blue chair", "green lamp table door", "x y q"]
    turns = tuple(DataTurn(str(i), "s", "Bo", t) for i, t in enumerate(texts))
    bench = Bench(Sample("s", turns, ()), Tools())
    spelled = ["Bo lamp blue lamp", "Bo blue chair", "Bo green lamp table door", "Bo xxx yyy qqq"]
    expected = plain_bm25(spelled, "blue lamp yyy")
    index = unit_index(bench.archive, "turn")
    scores = index.index.scores(index.index.vocabulary.query_terms("blue lamp yyy"))
    assert scores.tolist() == pytest.approx(expected, rel=1e-5)
    assert index.ranked("blue lamp y", 10)[0] == int(np.argmax(plain_bm25(spelled, "blue lamp yyy")))


def test_baseline_and_product_on_the_invented_chat():
    tables = score(results(["bm25", "search", "fused", "smartsearch", "oracle"]), "locomo", (30, 60), (1, 3))
    assert tables["oracle"]["all"].mean("@3") == 1
    assert tables["bm25"]["4"].values["@1"] == [0.0, 1.0]  # “eat” and “ate” are different words
    assert tables["search"]["all"].mean("@3") >= tables["bm25"]["all"].mean("@3")
    assert set(tables["search"]) == {"all", "1", "2", "3", "4", "5"}
    assert len(tables["search"]["all"].values["@1"]) == 5  # the adversarial question does not count


def test_units_users_and_pairs():
    turns = (
        DataTurn("1", "s", "user", "I keep bees", role="user"),
        DataTurn("2", "s", "assistant", "bees need water", role="assistant"),
        DataTurn("3", "t", "user", "my goats", role="user"),
    )
    archive = Bench(Sample("x", turns, ()), Tools()).archive
    assert unit_index(archive, "user").ranked("bees water", 9) == (0,)
    assert unit_index(archive, "pair").ranked("water", 9) == (0, 1)
    assert unit_index(archive, "pair").ranked("goats", 9) == (2,)
    assert unit_index(archive, "message").ranked("water", 9) == (1,)


def test_the_dump_has_the_promised_keys_and_the_dataset_s_ids():
    line = dumped("locomo", results(["search"])[1])
    assert list(line) == [
        *("dataset", "sample", "question_id", "question", "type", "gold_answer", "gold_turns", "method"),
        *("ranked", "evidence", "answer", "citations", "found", "cost"),
    ]
    assert line["gold_turns"] == ["D2:2"]
    assert line["ranked"][0] == {"turn": "D2:2", "words": 8}
    assert line["cost"]["seconds"] > 0
    json.dumps(line)


def test_a_limit_draws_the_same_questions_for_the_same_seed():
    asked = [r.question.id for r in results(["bm25"], limit=3, seed=5)]
    assert asked == [r.question.id for r in results(["bm25"], limit=3, seed=5)]
    assert len(asked) == 3
    assert {r.question.type for r in results(["bm25"], types=("4",))} == {"4"}


def test_pooling_keeps_every_question():
    (sample,) = read_dataset("locomo", TINY)
    whole = plan([sample, Sample("other", sample.turns, sample.questions)], pool=True)
    assert len(whole.samples) == 1
    assert whole.questions == 12


def test_quick_answers_cite_and_are_scored():
    samples = read_dataset("locomo", TINY)
    only = [replace(samples[0], questions=samples[0].questions[1:2])]
    found = list(run(plan(only), [method("quick")], Tools(model=FakeChatModel(["half of the beans"]))))
    (result,) = found
    assert result.outcome.found
    assert "D2:2" in result.citations
    assert "D2:2" in result.evidence
    tables = score(found, "locomo", (300,), (5,))
    assert tables["quick"]["all"].mean("model calls") == 1
    assert tables["quick"]["all"].mean("citation recall") == 1.0
    assert tables["quick"]["all"].mean("f1") == 1.0


def test_a_model_reads_what_any_method_found():
    model = FakeChatModel(["none"])
    (result,) = results(["oracle"], tools=Tools(model=model), types=("2",))
    assert result.outcome.found is False
    assert result.evidence == ("D1:1",)
    tables = score([result], "locomo", (300,), (5,))
    assert tables["oracle"]["all"].mean("false not found") == 1
    assert tables["oracle"]["all"].mean("f1") == 0


def test_choices_are_picked_by_the_model_s_score():
    turns = (DataTurn("1", "s", "user", "I eat no fish", role="user"),)
    asked = DataQuestion(
        "q",
        "What fish should I eat?",
        "idea",
        "(b) Lentils",
        gold_sessions=("s",),
        choices=("(a) Fish", "(b) Lentils"),
    )
    model = FakeChatModel(scores=[[-2.0, -1.0]])
    found = list(run(plan([Sample("p", turns, (asked,))]), [method("search")], Tools(model=model)))
    assert score(found, "personamem", (300,), (5,))["search"]["all"].mean("choice") == 1


@dataclass
class LetterEmbedder:
    """One number a letter; enough to be right by hand."""

    model_id: str = "letters"

    def vectors(self, texts, should_stop=None):
        rows = np.array(
            [[t.lower().count(c) + 1e-3 for c in "abcdefghijklmnopqrstuvwxyz"] for t in texts], np.float32
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_dense_and_hybrid_rank_every_turn():
    tools = Tools(embedder=LetterEmbedder())
    found = results(["dense", "hybrid"], tools=tools, types=("4",), limit=1)
    assert all(len(r.ranked) == 11 for r in found)


def test_full_context_is_newest_first():
    (result,) = results(["full-context"], types=("2",))
    assert result.ranked[0] == "D3:3"
    assert result.ranked[-1] == "D1:1"


def test_smartsearch_weighs_names_most_and_widens_by_feedback():
    weights = dict(by_rules("Did the painter visit Lisbon? Painting boats."))
    assert weights["lisbon"] == 4
    assert weights["painter"] == 2
    assert weights["painting"] == 1
    assert "the" not in weights
    turns = tuple(DataTurn(str(i), "s", "Bo", t) for i, t in enumerate(("the harbour boats", "rain", "old boats")))
    assert set(smartsearch(Bench(Sample("x", turns, ()), Tools()), "Which boats?")) == {0, 2}


@dataclass
class LengthReranker:
    model_id: str = "length"

    def ranks(self, question, passages, should_stop=None):
        return [float(len(p)) for p in passages]


def test_smartsearch_orders_by_the_reranker_and_cuts():
    turns = tuple(DataTurn(str(i), "s", "Bo", "boats " * (i + 1)) for i in range(4))
    bench = Bench(Sample("x", turns, ()), Tools(reranker=LengthReranker()))
    assert smartsearch(bench, "Which boats?") == (3, 2, 1, 0)


def test_the_sample_s_searcher_is_the_product_s():
    (sample,) = read_dataset("locomo", TINY)
    searcher = Bench(sample, Tools()).searcher
    hits = searcher.search("cello", filters=Filters(), k=5, context=1).hits
    assert {h.turn.text for h in hits} == {t.text for t in sample.turns if "cello" in t.text}
    assert [t.id for t in hits[0].context] == sorted(t.id for t in hits[0].context)
    seen = frozenset(h.turn.session for h in hits[:1])
    assert all(
        h.turn.session not in seen for h in searcher.search("cello", filters=Filters(), seen_sessions=seen).hits
    )
    june = Filters(date_from=date(2022, 6, 1), date_to=date(2022, 6, 30))
    assert {h.turn.session for h in searcher.search("cello beans", filters=june, fused=False).hits} == {1}
    assert searcher.coverage(june).turns == 4
    assert searcher.search("pumpkin", filters=Filters(senders=("Tobias",))).hits == ()
    assert searcher.frequency(["beans", "zeppelin"]) == {"beans": 2, "zeppelin": 0}
    assert {p.name for p in searcher.people()} == {"Ines", "Tobias"}
    assert hits[0].turn.recipients


def test_the_report_has_a_table_a_type_and_no_empty_column():
    tables = score(results(["bm25", "search"]), "locomo", (300,), (5, 10))
    text = report(tables, title="tiny", about=["Command: x"], budgets=(300,))
    assert text.startswith("# tiny\n\nCommand: x\n")
    assert "## Type 4" in text
    assert "| search | 5 |" in text
    assert "citation" not in text


def test_method_names_are_the_promised_ones():
    promised = {
        *(
            "bm25",
            "search",
            "quick",
            "thorough",
            "refind",
            "refind-generic",
            "refind-no-context",
            "refind-no-dedup",
        ),
        *(
            "refind-no-rrf",
            "refind-no-time",
            "refind-one-search",
            "smartsearch",
            "dense",
            "hybrid",
            "full-context",
        ),
        "oracle",
    }
    assert promised <= {m.name for m in METHODS}
    assert len({m.name for m in METHODS}) == len(METHODS)


def test_refind_runs_on_a_benchmark():
    search = 'Look.\nAction: search_chatrecord\nAction Input: {"keywords": ["keys"]}'
    model = FakeChatModel([search, "3 April 2022"])
    (result,) = results(["refind-one-search"], tools=Tools(model=model), types=("2",))
    assert result.outcome.cost.llm_calls == 2
    assert result.ranked[0] == "D1:1"
    assert [step.action for step in result.outcome.trace] == ["search_chatrecord", "finish_search"]
