"""PersonaMem: which of four answers fits what a person told an assistant. Scored without a judge.

PATH is a folder with `queries` and `documents` as JSON or JSON lines. A document is one session of one
person, written as lines that begin with [SYSTEM], [USER] or [ASSISTANT]; evidence is known by session.
"""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from engine.evaluation.data import DataQuestion, DatasetError, DataTurn, Role, Sample

_SPEAKER = re.compile(r"^\[(SYSTEM|USER|ASSISTANT)\] ?", re.MULTILINE)
_CHOICE = re.compile(r"^\s*\(([a-z])\)\s*", re.MULTILINE)


def read_personamem(path: Path) -> list[Sample]:
    """One sample a person."""
    queries, documents = _rows(path, "queries"), _rows(path, "documents")
    try:
        turns: dict[str, list[DataTurn]] = defaultdict(list)
        for document in documents:
            turns[str(document["user_id"])] += _turns(str(document["id"]), document["content"])
        asked: dict[str, list[DataQuestion]] = defaultdict(list)
        for query in queries:
            person = str(query["user_id"])
            asked[person].append(_question(query, turns[person]))
    except (KeyError, TypeError) as error:
        raise DatasetError(f"{path} is not a PersonaMem folder: {error!r}.") from error
    return [Sample(person, tuple(turns[person]), tuple(asked[person]), "user") for person in asked]


def _rows(path: Path, name: str) -> list[dict[str, Any]]:
    for suffix in (".jsonl", ".json"):
        file = path / f"{name}{suffix}"
        if file.exists():
            text = file.read_text("utf-8")
            rows = json.loads(text) if suffix == ".json" else [json.loads(x) for x in text.splitlines() if x]
            return list(rows.values()) if isinstance(rows, dict) else list(rows)
    raise DatasetError(f"{path} has no {name}.json or {name}.jsonl: it is not a PersonaMem folder.")


def _turns(session: str, content: str) -> list[DataTurn]:
    parts = _SPEAKER.split(content)
    turns: list[DataTurn] = []
    for speaker, text in zip(parts[1::2], parts[2::2], strict=True):
        if speaker != "SYSTEM" and text.strip():
            role: Role = "user" if speaker == "USER" else "assistant"
            turns.append(DataTurn(f"{session}:{len(turns) + 1}", session, role, text.strip(), None, role))
    return turns


def _question(query: dict[str, Any], turns: list[DataTurn]) -> DataQuestion:
    parts = _CHOICE.split(query["query"])
    choices = tuple(f"({mark}) {text.strip()}" for mark, text in zip(parts[1::2], parts[2::2], strict=True))
    gold = {str(i) for i in query["gold_ids"]}
    meta = query.get("meta", {})
    return DataQuestion(
        id=str(query["id"]),
        text=parts[0].strip() or query["query"],
        type=str(meta.get("question_type", "")),
        answer=str(query["gold_answers"][0]),
        gold_sessions=tuple(sorted({t.session for t in turns} & gold)),
        choices=choices,
    )
