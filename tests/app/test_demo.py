"""The demonstration of `make run`: its order of steps, and that no display, no network and no model end it."""

import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app import cli, demo
from app.sample import OWNER
from engine import overview
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions

MODEL_FAILED = {"models": cli.FAILED}


class Commands:
    """Stands in for the command line: notes each command and gives the status that was prepared for it."""

    def __init__(self, statuses: dict[str, int], real: Sequence[str] = ()) -> None:
        self.seen: list[list[str]] = []
        self._statuses = statuses
        self._real = real

    def __call__(self, arguments: Sequence[str]) -> int:
        self.seen.append(list(arguments))
        if arguments[0] in self._real:
            return cli.main(arguments)
        return self._statuses.get(arguments[0], cli.SUCCESS)

    @property
    def names(self) -> list[str]:
        return [arguments[0] for arguments in self.seen]


@pytest.fixture(autouse=True)
def bare_computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Linux without a display and without models."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "models"))
    for name in demo.DISPLAYS:
        monkeypatch.delenv(name, raising=False)


def no_window() -> int:
    pytest.fail("a window was opened where there is no display")


def closed(status: int) -> Callable[[], int]:
    return lambda: status


def test_without_a_display_the_terminal_shows_three_questions_even_without_a_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    commands = Commands(MODEL_FAILED, real=("import", "ask"))
    assert demo.main(commands, no_window) == cli.SUCCESS
    assert commands.names == ["models", "import", "ask", "ask", "ask"]
    shown = capsys.readouterr().out
    assert "Going on without a model" in shown
    assert "Josie said it first" in shown
    assert "backscroll import PATH" in shown


def test_with_a_display_the_window_opens_on_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    commands = Commands({})
    assert demo.main(commands, closed(cli.SUCCESS)) == cli.SUCCESS
    assert commands.names == ["models", "import"]


def test_a_window_that_cannot_open_ends_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    commands = Commands({})
    assert demo.main(commands, closed(-signal.SIGABRT)) == cli.SUCCESS
    assert commands.names.count("ask") == len(demo.SHOWN)
    assert "could not be opened" in capsys.readouterr().out


def test_nothing_of_the_sample_goes_beside_somebodys_own_chats(tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Ines.txt"
    chat.write_text("13/01/2025, 10:00 - Ines: The key is under the pot\n", "utf-8")
    library = Library(Home.default())
    library.import_paths(Job(), [chat], ImportOptions())
    library.close()
    commands = Commands({})
    assert demo.main(commands, no_window) == cli.SUCCESS
    assert commands.names == ["models"]


def test_a_second_run_does_not_import_the_sample_again() -> None:
    demo.main(Commands(MODEL_FAILED, real=("import",)), no_window)
    library = Library(Home.default())
    assert OWNER in [person["name"] for person in overview.people(library.archive)]
    library.close()
    again = Commands(MODEL_FAILED)
    assert demo.main(again, no_window) == cli.SUCCESS
    assert again.names == ["models", "ask", "ask", "ask"]


@pytest.mark.parametrize("stopped", ["models", "import", "ask"])
def test_stopping_a_step_stops_everything(stopped: str) -> None:
    commands = Commands({stopped: cli.CANCELLED})
    assert demo.main(commands, no_window) == cli.CANCELLED
    assert commands.names[-1] == stopped
    assert commands.names.count(stopped) == 1


def test_ctrl_c_between_the_steps_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setenv("DISPLAY", ":0")
    assert demo.main(Commands({}), interrupted) == cli.CANCELLED


def test_a_failing_import_is_its_exit_status() -> None:
    assert demo.main(Commands({"import": cli.FAILED}), no_window) == cli.FAILED
