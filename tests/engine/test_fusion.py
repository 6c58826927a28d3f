import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.search.fusion import best_turns, fuse, matching


def plain_fusion(scores: list[float], session: list[int], k: int) -> list[int]:
    """The paper's equations over whole arrays."""
    hits = [i for i, s in enumerate(scores) if s > 0]
    own = {i: r for r, i in enumerate(sorted(hits, key=lambda i: (-scores[i], i)), 1)}
    sums = {s: sum(np.float64(scores[i]) for i in hits if session[i] == s) for s in set(session)}
    live = [s for s in sorted(sums) if sums[s] > 0]
    theirs = {s: r for r, s in enumerate(sorted(live, key=lambda s: (-sums[s], s)), 1)}
    fused = {i: 1 / (60 + own[i]) + 1 / (60 + theirs[session[i]]) for i in hits}
    return sorted(hits, key=lambda i: (-fused[i], own[i]))[:k] if hits else []


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(1, 900), st.integers(1, 30), st.integers(1, 12))
def test_fusion_equals_the_papers_equations(data: st.DataObject, n: int, sessions: int, k: int) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    scores = np.round(rng.random(n) * rng.integers(0, 2, n), data.draw(st.sampled_from([1, 6]))).astype(np.float32)
    session = np.sort(rng.integers(0, sessions, n)).astype(np.int32)
    found = fuse(scores, matching(scores, None), session, sessions, k)
    wanted = plain_fusion(scores.tolist(), session.tolist(), k)
    fused = dict(fuse(scores, matching(scores, None), session, sessions, n))
    assert [round(fused[d], 12) for d, _ in found] == [round(fused[d], 12) for d in wanted]


def test_best_turns_are_by_score_then_by_number() -> None:
    scores = np.array([0, 2, 1, 2, 0.5], np.float32)
    assert best_turns(scores, 3).tolist() == [1, 3, 2]
    assert best_turns(scores, 2, matching(scores, np.array([1, 0, 1, 1, 1], np.bool_))).tolist() == [3, 2]
    assert best_turns(np.zeros(4, np.float32), 3).tolist() == []
