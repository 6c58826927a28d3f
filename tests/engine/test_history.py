"""Asked questions are kept, found, and erased with the chats that they rest on; activity and connections."""

import socket
import subprocess
import sys
from pathlib import Path

from builders import new_library, put, say

from engine import history
from engine.activity import activity
from engine.connections import Connections, open_connections
from engine.history import KEPT

WHEN = "2024-03-05T10:00:00"


def answer(text: str, *turns: int) -> dict:
    return {
        "answer": text,
        "citations": [{"turn": turn} for turn in turns],
        "nearest": [],
        "evidence": list(turns),
    }


def test_questions_are_found_by_their_words_and_by_their_answers(tmp_path: Path) -> None:
    archive = new_library(tmp_path).archive
    history.remember(archive, "When is the Dentist?", answer("On Thursday"), WHEN)
    history.remember(archive, "Who came?", answer("Nour's brother"), WHEN)
    assert [each["question"] for each in history.listed(archive)] == ["Who came?", "When is the Dentist?"]
    assert [each["question"] for each in history.listed(archive, "dentist")] == ["When is the Dentist?"]
    assert [each["answer"]["answer"] for each in history.listed(archive, "NOUR")] == ["Nour's brother"]
    assert history.listed(archive, "xylophone") == []
    assert len(history.listed(archive, limit=1)) == 1


def test_one_question_or_all_are_forgotten(tmp_path: Path) -> None:
    archive = new_library(tmp_path).archive
    numbers = [history.remember(archive, f"question {n}", answer(""), WHEN) for n in range(3)]
    history.forget(archive, numbers[1])
    assert [each["id"] for each in history.listed(archive)] == [numbers[2], numbers[0]]
    history.forget(archive, None)
    assert history.listed(archive) == []
    assert history.remember(archive, "next", answer(""), WHEN) > numbers[2]


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path) -> None:
    archive = new_library(tmp_path).archive
    archive.db.execute("INSERT INTO question (id, asked_at, question, answer) VALUES (1, '', 'old', '{}')")
    archive.db.execute(f"UPDATE sqlite_sequence SET seq = {KEPT} WHERE name = 'question'")
    history.remember(archive, "new", answer(""), WHEN)
    assert [each["question"] for each in history.listed(archive)] == ["new"]


def test_erasing_a_chat_erases_the_answers_that_rest_on_it(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "the heron is back"), say(90, "Bo", "the weir is closed", chat="Work")])
    turns = dict(library.archive.rows("SELECT c.title, t.id FROM turn t JOIN chat c ON c.id = t.chat"))
    history.remember(library.archive, "heron?", answer("It is back", turns["Family"]), WHEN)
    history.remember(library.archive, "weir?", answer("It is closed", turns["Work"]), WHEN)
    library.erase_chat("Family")
    assert [each["question"] for each in history.listed(library.archive)] == ["weir?"]


def test_activity_counts_by_month_and_hour(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "one"), say(61, "Ana", "two"), say(60 * 24 * 40, "Bo", "three", chat="Work")])
    found = activity(library.archive)
    assert found["months"] == [{"month": "2024-03", "messages": 2}, {"month": "2024-04", "messages": 1}]
    assert (found["hours"][9], found["hours"][10], sum(found["hours"])) == (2, 1, 3)
    chat = library.archive.value("SELECT id FROM chat WHERE title = 'Work'")
    assert activity(library.archive, chat)["months"] == [{"month": "2024-04", "messages": 1}]


def proc(folder: Path, sockets: dict[str, str], network: list[str]) -> Path:
    """A made-up /proc with one process."""
    (folder / "self" / "fd").mkdir(parents=True)
    (folder / "self" / "net").mkdir()
    for name, target in sockets.items():
        (folder / "self" / "fd" / name).symlink_to(target)
    rows = "".join(f"0: a b 01 x x x x 0 {inode} 1\n" for inode in network)
    (folder / "self" / "net" / "tcp").write_text("header\n" + rows)
    return folder


def test_only_network_sockets_of_the_process_count(tmp_path: Path) -> None:
    files = {"0": "/dev/null", "3": "socket:[11]", "4": "socket:[12]", "5": "socket:[13]"}
    assert open_connections(root=proc(tmp_path, files, ["12", "13", "99"])) == 2


def test_a_system_that_does_not_say_is_no_zero(tmp_path: Path) -> None:
    assert open_connections(root=tmp_path) is None


def test_a_socket_between_processes_is_no_connection() -> None:
    if not Path("/proc/self/fd").exists():
        assert open_connections() is None
        return
    before = open_connections()
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert open_connections() == before


TRIES = """
import contextlib, socket
from engine.connections import Connections
watched = Connections()
watched.watch()
with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as local:
    local.connect("/nowhere/at/all")
first = watched.as_json()["tried"]
with contextlib.suppress(OSError), socket.socket() as away:
    away.settimeout(0.01)
    away.connect(("127.0.0.1", 9))
print(first, watched.as_json()["tried"])
"""


def test_what_was_tried_since_the_start_counts_though_it_failed() -> None:
    """In a process of its own, since an audit hook stays."""
    run = subprocess.run([sys.executable, "-c", TRIES], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0", "1"]


def test_nothing_tried_is_zero() -> None:
    watched = Connections()
    watched.heard("open", ("/x", "r", 0))
    assert watched.as_json()["tried"] == 0
    watched.heard("socket.getaddrinfo", ("example.org", 443, 0, 0, 0))
    assert watched.as_json()["tried"] == 1
