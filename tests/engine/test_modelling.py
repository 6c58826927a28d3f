from pathlib import Path

import pytest
from fakes import FakeChatModel

from engine.errors import NoModel
from engine.home import Home
from engine.modelling import ModelDesk, WaitingModel
from models.base import ChatMessage


def test_without_a_model_the_sentence_comes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "models"))
    desk = ModelDesk(Home(tmp_path))
    with pytest.raises(NoModel):
        desk.load()
    with pytest.raises(NoModel):
        desk.waiting()
    assert desk.current() is None


def test_a_waiting_model_is_opened_at_its_first_use() -> None:
    opened = []

    def load() -> FakeChatModel:
        opened.append(1)
        return FakeChatModel(["Friday"])

    waiting = WaitingModel("small", load)
    assert waiting.model_id == "small"
    assert opened == []
    assert waiting.reply([ChatMessage("user", "When?")]).text == "Friday"
    assert opened == [1]
