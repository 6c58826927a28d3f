"""Training: the fit finds what separates evidence from the rest, and never counts a match against a turn."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.evaluation.datasets import read_dataset
from engine.evaluation.training import Case, cases, fit, left_out, main, shares
from engine.search.ranking import FEATURES, MATCHES, Weights

TINY = Path(__file__).parent / "data" / "tiny_locomo.json"


def made_up(conversation: str, seed: int) -> Case:
    """Evidence has a high “around”; “own” is the same upside down; “place” says nothing."""
    rng = np.random.default_rng(seed)
    table = np.zeros((30, len(FEATURES)))
    table[:, FEATURES.index("around")] = rng.random(30) * 0.5
    table[7, FEATURES.index("around")] = 1
    table[:, FEATURES.index("own")] = -table[:, FEATURES.index("around")] + rng.random(30) * 0.1
    table[:, FEATURES.index("place")] = rng.random(30)
    return Case(conversation, "single", table, np.full(30, 10, np.int32), np.array([7]), 1)


def test_the_fit_learns_the_telling_feature():
    given = [made_up(f"c{i % 3}", i) for i in range(24)]
    weights = fit(given)
    assert weights.features["around"] > 1
    assert "own" not in weights.features or weights.features["own"] >= 0
    assert all(weights.features.get(name, 0) >= 0 for name in MATCHES)
    assert left_out(given) == {"single": [1.0, 1.0, 1.0, 1.0]}


def test_shares_end_with_the_budget():
    case = made_up("c", 1)
    worst = Weights({"around": -1.0}, 0.0)
    assert shares(case, worst) == [0.0 + (300 >= 300), 1.0, 1.0, 1.0]
    assert shares(Case("c", "c", case.features, np.full(30, 100, np.int32), case.gold, 2), worst)[0] == 0


def test_cases_know_their_evidence():
    (sample,) = read_dataset("locomo", TINY)
    found = cases(sample, "single")
    assert len(found) == 5
    assert [c.evidence for c in found] == [1, 1, 2, 1, 1]
    assert found[0].gold.tolist() == [0]


def test_the_program_prints_and_writes(tmp_path, capsys):
    data = json.loads(TINY.read_text("utf-8"))
    other = {**data[0], "sample_id": "second"}
    file = tmp_path / "two.json"
    file.write_text(json.dumps([data[0], other]), "utf-8")
    out = tmp_path / "weights.json"
    assert main(["locomo", str(file), "--out", str(out)]) == 0
    assert "left out, pooled" in capsys.readouterr().out
    written = json.loads(out.read_text("utf-8"))
    assert set(written["features"]) <= set(FEATURES)
    assert written["price"] == pytest.approx(0.7)
