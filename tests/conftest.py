"""Every test gets a data folder of its own and no keyring; the real one is never touched."""

from pathlib import Path

import pytest

from engine.home import Home

MODELS = Home.default().models  # looked up before any test moves the home


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh data folder; the models folder stays where it is, models are large."""
    home = tmp_path / "backscroll-home"
    monkeypatch.setenv("BACKSCROLL_HOME", str(home))
    monkeypatch.setenv("BACKSCROLL_MODELS", str(MODELS))
    monkeypatch.setenv("BACKSCROLL_NO_KEYRING", "1")
    monkeypatch.delenv("BACKSCROLL_PASSPHRASE", raising=False)
    return home
