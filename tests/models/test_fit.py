import pytest

from models import cores
from models.fit import (
    CONTEXTS,
    OVERHEAD,
    SPARE,
    fit,
    free_memory,
    meminfo_available,
    needed_memory,
    vm_stat_available,
)

FILE = 1000 << 20
CACHE = 28672


def _free(n_ctx: int, *, small_cache: bool = False) -> int:
    return needed_memory(FILE, CACHE, n_ctx, small_cache=small_cache)


def test_needed_is_file_cache_and_overhead() -> None:
    assert _free(4096) == FILE + CACHE * 4096 + OVERHEAD
    assert _free(4096, small_cache=True) < _free(4096)


@pytest.mark.parametrize(
    ("free", "verdict", "n_ctx", "small_cache"),
    [
        (_free(8192) + SPARE, "fits", 8192, False),
        (_free(8192), "tight", 8192, False),
        (_free(8192) - 1, "tight", 6144, False),
        (_free(2048), "tight", 2048, False),
        (_free(2048) - 1, "tight", 3072, True),
        (_free(2048, small_cache=True) - 1, "will not fit", 2048, True),
    ],
)
def test_a_shorter_context_comes_before_a_smaller_cache_and_refusal(
    free: int, verdict: str, n_ctx: int, small_cache: bool
) -> None:
    found = fit(FILE, CACHE, free=free)
    assert (found.verdict, found.n_ctx, found.small_cache) == (verdict, n_ctx, small_cache)


def test_the_context_is_never_longer_than_the_model_was_trained_for() -> None:
    assert fit(FILE, CACHE, trained=4096, free=1 << 40).n_ctx == 4096
    assert fit(FILE, CACHE, trained=4096, free=1 << 40).verdict == "fits"
    assert fit(FILE, CACHE, trained=512, free=1 << 40).n_ctx == 512
    assert max(CONTEXTS) == CONTEXTS[0]


def test_free_memory_is_read_from_the_system() -> None:
    assert meminfo_available("MemTotal: 9 kB\nMemAvailable:   2048 kB\nCached: 1 kB\n") == 2 << 20
    with pytest.raises(ValueError, match="MemAvailable"):
        meminfo_available("MemTotal: 9 kB\n")
    text = "Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:  10.\nPages active: 5.\n"
    assert vm_stat_available(text + "Pages inactive:  3.\n") == 13 * 16384
    assert free_memory() > 1 << 20


def test_threads_leave_a_core_where_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= cores.threads() <= cores.usable()
    for found, used in ((1, 1), (2, 2), (3, 2), (8, 7)):
        monkeypatch.setattr(cores, "usable", lambda found=found: found)
        assert cores.threads() == used
