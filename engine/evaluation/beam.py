"""BEAM: very long chats with an assistant, with probing questions of ten types.

PATH is a folder with one folder a chat: `chat.json` (or `chat_trunecated.json`, used where it is there, as
the benchmark does; the name is spelled so) and `probing_questions/probing_questions.json`.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.evaluation.data import DataQuestion, DatasetError, DataTurn, Role, Sample

_PLAN_MARK = re.compile(r"\s*->->\s*[\d,. ]+\s*$")
_ANSWERS = ("ideal_response", "ideal_answer", "answer", "ideal_summary", "expected_response")
ABSTENTION = "abstention"


def read_beam(path: Path) -> list[Sample]:
    """All chats below a folder."""
    folders = sorted({p.parent for p in path.rglob("chat.json")})
    if not folders:
        raise DatasetError(f"{path} holds no chat.json: it is not a BEAM folder.")
    try:
        return [_sample(folder, str(folder.relative_to(path))) for folder in folders]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise DatasetError(f"{path} is not a BEAM folder: {error!r}.") from error


def _sample(folder: Path, name: str) -> Sample:
    short = folder / "chat_trunecated.json"
    batches = json.loads((short if short.exists() else folder / "chat.json").read_text("utf-8"))
    turns = tuple(_turns(batches))
    known = {t.id: t.session for t in turns}
    asked = json.loads((folder / "probing_questions" / "probing_questions.json").read_text("utf-8"))
    questions = tuple(
        _question(f"{name}-{kind}-{number}", kind, entry, known)
        for kind, entries in asked.items()
        for number, entry in enumerate(entries)
    )
    return Sample(name, turns, questions, "user")


def _turns(batches: list[dict[str, Any]]) -> Iterator[DataTurn]:
    for batch in batches:
        for group in batch["turns"]:
            for turn in group:
                role: Role = "assistant" if turn["role"] == "assistant" else "user"
                text = _PLAN_MARK.sub("", turn["content"])
                session = f"batch_{batch['batch_number']}"
                yield DataTurn(str(turn["id"]), session, role, text, _moment(turn.get("time_anchor")), role)


def _question(name: str, kind: str, entry: dict[str, Any], known: dict[str, str]) -> DataQuestion:
    gold = tuple(i for i in dict.fromkeys(map(str, _ids(entry.get("source_chat_ids")))) if i in known)
    answer = next((entry[key] for key in _ANSWERS if key in entry), "")
    return DataQuestion(
        id=name,
        text=entry["question"],
        type=kind,
        answer=str(answer),
        gold_turns=gold,
        gold_sessions=tuple(dict.fromkeys(known[g] for g in gold)),
        answerable=kind != ABSTENTION,
    )


def _ids(value: object) -> Iterator[int]:
    """The numbers of a list, or of a dictionary of lists."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _ids(part)
    elif isinstance(value, dict):
        yield from _ids(list(value.values()))


def _moment(text: str | None) -> datetime | None:
    """“March-15-2024”."""
    if not text:
        return None
    for form in ("%B-%d-%Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None
