"""Readers: ids, evidence and times as the datasets have them, defects included."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from engine.evaluation.data import DatasetError, joined, pooled
from engine.evaluation.datasets import DATASETS, read_dataset

TINY = Path(__file__).parent / "data" / "tiny_locomo.json"


def test_locomo_ids_captions_and_defects():
    (sample,) = read_dataset("locomo", TINY)
    assert [t.id for t in sample.turns][:5] == ["D1:1", "D1:2", "D1:3", "D1:4", "D2:1"]
    assert sample.turns[4].text == "How are the beans? a row of bean poles"
    assert sample.turns[4].words == len("Tobias How are the beans? a row of bean poles".split())
    assert sample.turns[0].time == datetime(2022, 4, 4, 9, 15)
    several = sample.questions[2]
    assert several.gold_turns == ("D1:3", "D3:1")  # joined ids are split, a dangling one is dropped
    assert several.gold_sessions == ("session_1", "session_3")
    assert [q.answerable for q in sample.questions] == [True] * 5 + [False, True]
    assert sample.questions[6].answer == "1"


def test_pooled_samples_keep_their_ids_apart():
    (sample,) = read_dataset("locomo", TINY)
    whole = pooled([sample, sample])
    assert whole.turns[0].id == "allotment/D1:1"
    assert whole.questions[0].gold_turns == ("allotment/D1:1",)
    assert len(whole.questions) == 2 * len(sample.questions)


def _longmemeval(**fields: object) -> dict[str, object]:
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where did I leave my tent?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "in the attic",
        "answer_session_ids": ["s2"],
        **fields,
    }


def test_longmemeval_official_schema(tmp_path):
    entry = _longmemeval(
        haystack_dates=["2023/05/20 (Sat) 02:21", "2023-05-01T10:00:00Z"],
        haystack_session_ids=["s2", "s1"],
        haystack_sessions=[
            [
                {"role": "user", "content": "My tent is in the attic.", "has_answer": True},
                {"role": "assistant", "content": "Noted."},
            ],
            [{"role": "user", "content": "Hello"}],
        ],
    )
    file = tmp_path / "s.json"
    file.write_text(json.dumps([entry, {**entry, "question_id": "q2_abs"}]), "utf-8")
    first, second = read_dataset("longmemeval", file)
    assert [t.id for t in first.turns] == ["s1_1", "s2_1", "s2_2"]  # by time
    assert first.questions[0].gold_turns == ("s2_1",)
    assert first.questions[0].asked == datetime(2023, 5, 30, 23, 40)
    assert not second.questions[0].answerable


def test_longmemeval_evidence_alone(tmp_path):
    entry = _longmemeval(
        evidence_sessions=[
            {"date": "2023/05/20", "turns": [{"role": "user", "content": "Attic.", "has_answer": True}]}
        ]
    )
    file = tmp_path / "e.json"
    file.write_text(json.dumps([entry]), "utf-8")
    (sample,) = read_dataset("longmemeval", file)
    assert sample.questions[0].gold_turns == ("s2_1",)


def test_beam_marks_ids_and_nested_evidence(tmp_path):
    chat = tmp_path / "100K" / "7"
    (chat / "probing_questions").mkdir(parents=True)
    turns = [
        {"role": "user", "id": 0, "content": "I keep bees ->-> 1,1", "time_anchor": "March-15-2024"},
        {"role": "assistant", "id": 1, "content": "How many hives?"},
    ]
    (chat / "chat.json").write_text(json.dumps([{"batch_number": 1, "turns": [turns]}]), "utf-8")
    asked = {
        "event_ordering": [
            {"question": "Order?", "answer": "x", "source_chat_ids": {"first": [0], "then": [1, 0]}}
        ],
        "abstention": [{"question": "Who?", "ideal_response": "unknown", "source_chat_ids": []}],
    }
    (chat / "probing_questions" / "probing_questions.json").write_text(json.dumps(asked), "utf-8")
    (sample,) = read_dataset("beam", tmp_path)
    assert sample.turns[0].text == "I keep bees"
    assert sample.turns[0].time == datetime(2024, 3, 15)
    assert sample.questions[0].gold_turns == ("0", "1")
    assert not sample.questions[1].answerable


def test_personamem_choices_and_sessions(tmp_path):
    query = {
        "id": "1",
        "query": "What should I cook? (a) Fish\n(b) Lentil soup",
        "gold_answers": ["(b) Lentil soup"],
        "gold_ids": ["d1"],
        "user_id": "u",
        "meta": {"question_type": "suggest_new_ideas"},
    }
    query["query"] = "What should I cook?\n(a) Fish\n(b) Lentil soup"
    content = "[SYSTEM] You help.\n[USER] I eat no fish.\n[ASSISTANT] Good to know."
    (tmp_path / "queries.jsonl").write_text(json.dumps(query) + "\n", "utf-8")
    (tmp_path / "documents.json").write_text(
        json.dumps([{"id": "d1", "content": content, "user_id": "u"}]), "utf-8"
    )
    (sample,) = read_dataset("personamem", tmp_path)
    assert [(t.sender, t.text) for t in sample.turns] == [
        ("user", "I eat no fish."),
        ("assistant", "Good to know."),
    ]
    (question,) = sample.questions
    assert question.text == "What should I cook?"
    assert question.choices == ("(a) Fish", "(b) Lentil soup")
    assert question.gold_sessions == ("d1",)


def test_jsonl_of_ones_own(tmp_path):
    lines = [
        {
            "turn": 1,
            "session": "a",
            "sender": "Ola",
            "text": "The code is 4471",
            "timestamp": "2021-01-02T10:00:00",
        },
        {"question": "What is the code?", "evidence": [1, 99], "answer": "4471"},
    ]
    file = tmp_path / "own.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n", "utf-8")
    (sample,) = read_dataset("jsonl", file)
    assert sample.questions[0].gold_turns == ("1",)
    assert sample.turns[0].time == datetime(2021, 1, 2, 10)


@pytest.mark.parametrize("name", [name for name, _ in DATASETS])
def test_a_wrong_file_is_refused_in_a_sentence(name, tmp_path):
    file = tmp_path / "wrong.json"
    file.write_text('{"what": 1}\n', "utf-8")
    target = tmp_path if name in ("beam", "personamem") else file
    with pytest.raises(DatasetError, match=r"\.$"):
        read_dataset(name, target)
    with pytest.raises(DatasetError, match="does not exist"):
        read_dataset(name, tmp_path / "nowhere")


def test_joined_turns_keep_sessions_and_evidence():
    (sample,) = read_dataset("locomo", TINY)
    long = joined(sample, 3)
    assert [t.id for t in long.turns] == ["D1:1", "D1:4", "D2:1", "D2:4", "D3:1"]
    assert long.turns[0].text.splitlines()[1] == "Tobias: Lovely news! What will you grow first?"
    assert long.questions[2].gold_turns == ("D1:1", "D3:1")
