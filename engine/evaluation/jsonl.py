"""Questions about chats of one's own, as JSON lines.

Each line is either a turn, `{"turn": id, "session", "sender", "text", "timestamp"?, "role"?, "sample"?}`, or a
question, `{"question", "id"?, "type"?, "answer"?, "evidence": [turn ids]?, "asked"?, "sample"?}`. Turns come in
their order; lines without `sample` belong together. An unanswerable question has `"answerable": false`.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.evaluation.data import DataQuestion, DatasetError, DataTurn, Sample


def read_jsonl(path: Path) -> list[Sample]:
    """The samples of a file, in the order of their first line."""
    turns: dict[str, list[DataTurn]] = {}
    asked: dict[str, list[dict[str, Any]]] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            name = str(row.get("sample", "archive"))
            turns.setdefault(name, [])
            asked.setdefault(name, [])
            if "question" in row:
                asked[name].append(row)
            else:
                turns[name].append(_turn(row))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DatasetError(
                f"Line {number} of {path.name} is neither a turn nor a question: {error!r}."
            ) from error
    return [_sample(name, turns[name], asked[name]) for name in turns]


def _turn(row: dict[str, Any]) -> DataTurn:
    moment = row.get("timestamp")
    return DataTurn(
        id=str(row["turn"]),
        session=str(row["session"]),
        sender=str(row["sender"]),
        text=str(row["text"]),
        time=datetime.fromisoformat(moment).replace(tzinfo=None) if moment else None,
        role=row.get("role", "person"),
    )


def _sample(name: str, turns: list[DataTurn], rows: list[dict[str, Any]]) -> Sample:
    sessions = {t.id: t.session for t in turns}
    questions = []
    for number, row in enumerate(rows):
        gold = tuple(str(g) for g in row.get("evidence", ()) if str(g) in sessions)
        asked = row.get("asked")
        questions.append(
            DataQuestion(
                id=str(row.get("id", f"{name}-{number}")),
                text=str(row["question"]),
                type=str(row.get("type", "")),
                answer=str(row.get("answer", "")),
                gold_turns=gold,
                gold_sessions=tuple(dict.fromkeys(sessions[g] for g in gold)),
                asked=datetime.fromisoformat(asked).replace(tzinfo=None) if asked else None,
                answerable=bool(row.get("answerable", True)),
            )
        )
    return Sample(name, tuple(turns), tuple(questions))
