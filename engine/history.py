"""Questions that were asked, with their answers as they were shown. They lie in the archive, encrypted with it.

An answer quotes messages, so erasing a chat also erases every answer that rests on it.
"""

import json
from collections.abc import Collection
from typing import Any

from engine.store.archive import Archive, Connection, must_scrub

Json = dict[str, Any]
KEPT = 2000  # questions


def remember(archive: Archive, question: str, answer: Json, asked_at: str) -> int:
    """Keep a question; the oldest ones beyond `KEPT` go. Returns its number."""
    with archive.transaction() as db:
        db.execute(
            "INSERT INTO question (asked_at, question, answer) VALUES (?, ?, ?)",
            (asked_at, question, json.dumps(answer, ensure_ascii=False)),
        )
        number = db.last_insert_rowid()
        db.execute("DELETE FROM question WHERE id <= ?", (number - KEPT,))
    return int(number)


def listed(archive: Archive, containing: str = "", limit: int = 50) -> list[Json]:
    """The newest questions whose words, or whose answer's, contain a text."""
    sql = (
        "SELECT id, asked_at, question, answer FROM question "
        "WHERE ?1 = '' OR instr(lower(question), ?1) OR instr(lower(json_extract(answer, '$.answer')), ?1) "
        "ORDER BY id DESC LIMIT ?2"
    )
    rows = archive.rows(sql, containing.strip().lower(), limit)
    keys = ("id", "asked_at", "question")
    return [{**dict(zip(keys, row, strict=False)), "answer": json.loads(row[3])} for row in rows]


def forget(archive: Archive, number: int | None) -> None:
    """Delete one question for good, or all."""
    with archive.transaction() as db:
        db.execute("DELETE FROM question WHERE ?1 IS NULL OR id = ?1", (number,))
        must_scrub(db)
    archive.scrub()


def forget_turns(db: Connection, turns: Collection[int]) -> None:
    """Delete every question whose answer rests on one of the turns; inside of a transaction."""
    wanted = set(turns)
    for number, answer in db.execute("SELECT id, answer FROM question").fetchall():
        if wanted & _turns_of(json.loads(str(answer))):
            db.execute("DELETE FROM question WHERE id = ?", (number,))


def _turns_of(answer: Json) -> set[int]:
    named = {int(each["turn"]) for key in ("citations", "nearest") for each in answer.get(key) or ()}
    return named | set(answer.get("evidence") or ())
