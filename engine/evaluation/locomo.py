"""LoCoMo: ten very long chats of two people, with questions and the dialog ids of their evidence.

Categories by number, because projects name them differently: 1 multi-hop, 2 temporal, 3 open-domain,
4 single-hop, 5 adversarial (asks about the wrong person; the right answer is that it was not said).
Some evidence ids are malformed or dangle: they are split and the dangling ones dropped.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.evaluation.data import DataQuestion, DatasetError, DataTurn, Sample

ADVERSARIAL = "5"
_SESSION = re.compile(r"session_(\d+)")
_DIALOG = re.compile(r"D\d+:\d+")


def read_locomo(path: Path) -> list[Sample]:
    """The conversations of a locomo10.json file."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return [_sample(entry) for entry in data]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise DatasetError(f"{path.name} is not a LoCoMo file: {error!r}.") from error


def _sample(entry: dict[str, Any]) -> Sample:
    name = str(entry["sample_id"])
    turns = tuple(_turns(entry["conversation"]))
    known = {t.id for t in turns}
    sessions = {t.id: t.session for t in turns}
    questions = []
    for number, qa in enumerate(entry["qa"]):
        gold = [i for text in qa.get("evidence", []) for i in _DIALOG.findall(text) if i in known]
        gold = list(dict.fromkeys(gold))
        category = str(qa["category"])
        questions.append(
            DataQuestion(
                id=f"{name}-{number}",
                text=qa["question"],
                type=category,
                answer=str(qa.get("answer", ""))
                if category != ADVERSARIAL
                else str(qa.get("adversarial_answer", "")),
                gold_turns=tuple(gold),
                gold_sessions=tuple(dict.fromkeys(sessions[g] for g in gold)),
                asked=turns[-1].time if turns else None,
                answerable=category != ADVERSARIAL,
            )
        )
    return Sample(name, turns, tuple(questions))


def _turns(conversation: dict[str, Any]) -> Iterator[DataTurn]:
    numbers = sorted(int(m[1]) for key in conversation if (m := _SESSION.fullmatch(key)))
    for number in numbers:
        key = f"session_{number}"
        moment = _moment(conversation.get(f"{key}_date_time"))
        for turn in conversation[key]:
            caption = turn.get("blip_caption") or ""
            yield DataTurn(turn["dia_id"], key, turn["speaker"], f"{turn['text']} {caption}".strip(), moment)


def _moment(text: str | None) -> datetime | None:
    """“1:56 pm on 8 May, 2023”."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y") if text else None
