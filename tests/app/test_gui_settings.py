"""Settings, theme and error words."""

import json
import os
import stat
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from app import messages
from app import settings as declared
from app.i18n import QT_TRANSLATE_NOOP
from app.messages import WORDS, error_words
from app.settings import FILE, GEOMETRY, MODE, SETTINGS, TEXT_SIZE, THEME, Setting, Settings
from app.theme import DARK, LIGHT, Colours, colours, contrast, palette_of
from app.widgets.avatar import HUES, colour
from engine import errors as engine_errors
from models import base as models_base

LEAST = 4.5


def test_a_value_survives_a_new_start(tmp_path: Path):
    Settings(tmp_path).set(THEME, "dark")
    assert Settings(tmp_path).get(THEME) == "dark"
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_damaged_file_costs_the_last_change_only(tmp_path: Path):
    kept = Settings(tmp_path)
    kept.set(THEME, "dark")
    kept.set(TEXT_SIZE, 120)
    (tmp_path / FILE).write_text("{oops")
    after = Settings(tmp_path)
    assert after.get(THEME) == "dark"
    assert after.get(TEXT_SIZE) == 100


def test_keys_of_other_versions_are_kept_and_wrong_values_are_not_used(tmp_path: Path):
    (tmp_path / FILE).write_text(json.dumps({"future": [1], "theme": "pink", "mode": 7}))
    kept = Settings(tmp_path)
    assert kept.get(THEME) == "system"
    assert kept.get(MODE) == "auto"
    kept.set(TEXT_SIZE, 150)
    assert json.loads((tmp_path / FILE).read_text())["future"] == [1]


def test_a_name_that_an_older_version_stored_goes(tmp_path: Path):
    """It is somebody's of a chat; the archive knows it, encrypted."""
    old = json.dumps({"me": "Nour Haddad", "theme": "dark"})
    for name in (FILE, "settings.last.json"):
        (tmp_path / name).write_text(old)
    assert Settings(tmp_path).get(THEME) == "dark"
    assert [path.name for path in tmp_path.iterdir() if "Nour" in path.read_text()] == []
    assert Settings(tmp_path).get(THEME) == "dark"


def test_what_is_not_declared_cannot_be_stored(tmp_path: Path):
    with pytest.raises(ValueError, match="theme"):
        Settings(tmp_path).set(THEME, "pink")
    with pytest.raises(ValueError, match="other"):
        Settings(tmp_path).set(Setting("other", ""), "x")


def test_changes_are_told_once(tmp_path: Path):
    kept, heard = Settings(tmp_path), []
    kept.subscribe(heard.append)
    kept.set(THEME, "dark")
    kept.set(THEME, "dark")
    assert heard == [THEME]


def test_a_folder_that_cannot_be_written_keeps_the_value_for_now(tmp_path: Path):
    (tmp_path / "file").write_text("")
    kept = Settings(tmp_path / "file")
    kept.set(GEOMETRY, "x")
    assert kept.get(GEOMETRY) == "x"


def test_every_setting_is_declared_once_with_a_fitting_default():
    keys = [each.key for each in SETTINGS]
    assert len(keys) == len(set(keys))
    assert all(each.accepts(each.default) for each in SETTINGS)
    assert all(each.help for each in SETTINGS if each.label)
    made = [value for value in vars(declared).values() if isinstance(value, Setting)]
    assert set(made) == set(SETTINGS)


@pytest.mark.parametrize("given", [LIGHT, DARK])
def test_everything_written_has_enough_contrast(given: dict):
    of: Colours = colours(palette_of(given))
    for ground in (of.window, of.surface, of.tint):
        for ink in (of.text, of.subtle, of.accent, of.warning):
            assert contrast(ink, ground) >= LEAST, (ink.name(), ground.name())
    assert contrast(of.text, of.mark) >= LEAST
    assert contrast(of.on_accent, of.accent) >= LEAST


def test_initials_can_be_read_on_every_avatar():
    white = QColor("white")
    names = (f"name {n}" for n in range(40 * len(HUES)))
    assert min(contrast(white, colour(name)) for name in names) >= LEAST


def test_contrast_is_that_of_the_standard():
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


def _kinds(root: type) -> set[type]:
    return {root} | {deeper for kind in root.__subclasses__() for deeper in _kinds(kind)}


def test_every_known_error_has_words_and_advice():
    known = _kinds(engine_errors.KnownError) - {engine_errors.KnownError}
    models = _kinds(models_base.ModelError) - {models_base.GenerationStopped}
    ours = {kind.__name__ for kind in known | models if not kind.__module__.startswith("tests")}
    assert ours - set(WORDS) == set()
    assert all(sentence and advice for sentence, advice in WORDS.values())


def test_the_engine_own_sentence_is_shown_in_english():
    said = error_words({"type": "DiskFull", "sentence": "No room on /home.", "advice": "", "details": "ENOSPC"})
    assert said.sentence == "No room on /home."
    assert said.advice == WORDS["DiskFull"][1]
    assert said.details == "ENOSPC"


def test_in_other_languages_the_sentence_of_the_type_is_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(messages, "translate", lambda context, text: f"«{text}»")
    said = error_words({"type": "Novelty", "sentence": "Odd.", "details": "x"})
    assert said.sentence == f"«{WORDS['Defect'][0]}»"
    assert said.details == "Odd.\nx"


def test_marking_a_text_for_translation_leaves_it_as_it_is():
    assert QT_TRANSLATE_NOOP("Anywhere", "text") == "text"
