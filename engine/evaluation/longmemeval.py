"""LongMemEval: questions over many chats with an assistant, in the official schema.

Turn ids are the official ones (session id, underscore, number from 1); a turn is evidence where the data
says `has_answer`. Questions whose id ends in `_abs` cannot be answered from the chats. A file that holds
only the evidence sessions (`evidence_sessions`) can be read as well: a reading test, not a search test.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.evaluation.data import DataQuestion, DatasetError, DataTurn, Role, Sample

ABSTENTION = "_abs"
OWNER = "user"


def read_longmemeval(path: Path) -> list[Sample]:
    """One sample a question: its own haystack of sessions."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return [_sample(entry) for entry in data]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise DatasetError(f"{path.name} is not a LongMemEval file: {error!r}.") from error


def _sample(entry: dict[str, Any]) -> Sample:
    name = str(entry["question_id"])
    turns: list[DataTurn] = []
    gold: list[str] = []
    for session, moment, content in _sessions(entry):
        for number, turn in enumerate(content, 1):
            role: Role = "assistant" if turn["role"] == "assistant" else "user"
            turns.append(DataTurn(f"{session}_{number}", session, role, turn["content"], moment, role))
            if turn.get("has_answer"):
                gold.append(turns[-1].id)
    question = DataQuestion(
        id=name,
        text=entry["question"],
        type=entry["question_type"],
        answer=str(entry["answer"]),
        gold_turns=tuple(gold),
        gold_sessions=tuple(entry.get("answer_session_ids", ())),
        asked=moment_of(entry.get("question_date")),
        answerable=not name.endswith(ABSTENTION),
    )
    return Sample(name, tuple(turns), (question,), OWNER)


def _sessions(entry: dict[str, Any]) -> Iterator[tuple[str, datetime | None, list[dict[str, Any]]]]:
    """Sessions in time order, each with an id of its own even where the data repeats one."""
    if "evidence_sessions" in entry:
        ids = entry.get("answer_session_ids") or []
        raw = [
            (ids[i] if i < len(ids) else f"session_{i + 1}", s.get("date"), s["turns"])
            for i, s in enumerate(entry["evidence_sessions"])
        ]
    else:
        raw = list(
            zip(entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True)
        )
    dated = [(name, moment_of(date), content) for name, date, content in raw]
    dated.sort(key=lambda s: s[1] or datetime.min)
    seen: dict[str, int] = {}
    for name, moment, content in dated:
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}#{seen[name]}"), moment, content


def moment_of(text: str | None) -> datetime | None:
    """“2023/05/30 (Tue) 23:40”, or ISO 8601; the wall clock, whatever the zone."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        parts = [p for p in text.split() if not p.startswith("(")]
        return datetime.strptime(" ".join(parts), "%Y/%m/%d %H:%M" if len(parts) > 1 else "%Y/%m/%d")
