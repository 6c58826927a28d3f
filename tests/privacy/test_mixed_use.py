"""The short form of the mixed use (`make soak` has two hours of it), and that it would notice what is lost."""

from pathlib import Path

import mixed_use
import pytest
from lives import write_chat


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_mixed_use_has_no_error() -> None:
    assert mixed_use.run(12, 3, None) is None


def test_a_message_too_many_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sneak_in(user: mixed_use.MixedUse) -> None:
        user.engine.ask("import", paths=[str(write_chat(tmp_path, 9, title="Night shift"))])
        user.expect()

    monkeypatch.setattr(mixed_use.MixedUse, "STEPS", {mixed_use.MixedUse.look: 1, sneak_in: 1})
    assert "sneak_in: the chats hold" in str(mixed_use.run(30, 1, None))
