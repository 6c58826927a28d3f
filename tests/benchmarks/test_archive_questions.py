"""The kept-apart archives parse whole, hold what their questions rest on, and their patterns judge fairly."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from archive_questions import SETS, all_turns, outcome, totals, turns_with

from app.sample.questions import Question, is_right
from engine.types import Answer
from importers.base import Message, Options, Problem
from importers.registry import find_exports
from importers.source import open_source

APART = ("en", "zh")
QUESTIONS = [(name, question) for name in APART for question in SETS[name].load()]
each_question = pytest.mark.parametrize(("name", "question"), QUESTIONS, ids=[q.id for _, q in QUESTIONS])
each_set = pytest.mark.parametrize("name", APART)


@cache
def parsed(name: str) -> tuple[tuple[str, Message | Problem], ...]:
    """(format, item) of every export of a set."""
    found = []
    for path in SETS[name].files():
        for export in find_exports(open_source(path)):
            assert export.importer is not None, export.source.name
            for item in export.importer.read(export.source, Options(me=SETS[name].owner)):
                if isinstance(item, Message | Problem):
                    found.append((export.importer.name, item))
    return tuple(found)


def messages(name: str) -> list[Message]:
    return [item for _, item in parsed(name) if isinstance(item, Message)]


def wall_clock(name: str, message: Message) -> str:
    """To the minute, where the owner's phone was."""
    when = message.timestamp
    assert when is not None
    local = when.astimezone(ZoneInfo(SETS[name].timezone)).replace(tzinfo=None) if when.tzinfo else when
    return local.isoformat(timespec="minutes")


@each_set
def test_every_export_imports_without_a_problem(name: str) -> None:
    assert [item for _, item in parsed(name) if isinstance(item, Problem)] == []
    assert {importer for importer, _ in parsed(name)} == {"whatsapp", "telegram", "chatgpt"}


@pytest.mark.parametrize(
    ("name", "written", "chats", "first", "last"),
    [("en", 2_000, 8, "2023-06", "2025-11"), ("zh", 1_150, 7, "2023-11", "2025-10")],
)
def test_the_archives_are_as_large_and_long_as_meant(
    name: str, written: int, chats: int, first: str, last: str
) -> None:
    talk = [m for m in messages(name) if m.kind == "talk"]
    assert len(talk) >= written
    assert len({m.chat for m in talk if m.sender == SETS[name].owner}) >= chats
    assert min(wall_clock(name, m) for m in talk).startswith(first)
    assert max(wall_clock(name, m) for m in talk).startswith(last)


@each_set
def test_every_message_is_a_sentence_of_its_own(name: str) -> None:
    texts = Counter(m.text for m in messages(name) if m.kind == "talk" and len(m.text) > 14)
    written_by_apps = re.compile(r"<.*>")
    assert [text for text, count in texts.items() if count > 1 and not written_by_apps.fullmatch(text)] == []


def test_one_chat_is_in_cantonese() -> None:
    chat = [m.text for m in messages("zh") if m.chat == "莫家俊" and m.kind == "talk"]
    assert len(chat) > 100
    assert sum(bool(re.search("[嘅咗唔係喺嚟佢冇]", text)) for text in chat) > 0.5 * len(chat)


@pytest.mark.parametrize(("name", "count"), [("en", 60), ("zh", 50)])
def test_questions_are_of_all_kinds_and_in_two_halves(name: str, count: int) -> None:
    questions = SETS[name].load()
    assert len(questions) == count == len({q.id for q in questions})
    kinds = Counter(q.kind for q in questions)
    assert set(kinds) == {
        *("fact", "date", "who", "change", "join", "list", "amount", "me", "paraphrase", "ai", "none")
    }
    assert kinds["none"] == count // 5
    halves = {half: Counter(q.kind for q in SETS[name].load(half)) for half in ("dev", "test")}
    assert sum(map(len, map(SETS[name].load, halves))) == count
    assert abs(halves["dev"].total() - halves["test"].total()) <= 2
    assert all(abs(halves["dev"][kind] - halves["test"][kind]) <= 1 for kind in kinds)


@each_question
def test_evidence_stands_in_its_chat_at_its_time(name: str, question: Question) -> None:
    assert bool(question.evidence) == question.found == (question.kind != "none")
    for evidence in question.evidence:
        standing = [m for m in messages(name) if m.chat == evidence.chat and evidence.contains in m.text]
        assert [wall_clock(name, m) for m in standing] == [evidence.timestamp]
        assert evidence.timestamp[:10] <= question.now.isoformat()


@each_question
def test_patterns_take_the_given_answer_and_no_shrug(name: str, question: Question) -> None:
    assert bool(question.accept or question.require) == question.found
    assert is_right(question, question.answer, question.found)
    assert is_right(question, "", found=False) is not question.found
    for shrug in ("", "I do not know.", "我不知道。", "聊天记录里没有提到这件事。"):
        assert not (question.found and is_right(question, shrug)), shrug


@each_question
def test_no_answer_pattern_matches_the_question(name: str, question: Question) -> None:
    assert not is_right(question, question.question)


NEAR_MISSES = {
    "vest-price": "But she wears the vest",
    "wes-amp": "i paid 410 for the pedalboard",
    "wedding-day": "Not before 2027",
    "wifi-anselm": "new wifi password",
    "odile-roof": "she has the roof being done",
    "hattie-job": "works at the paper mill",
    "priya-tick": "It's Lyme",
    "pipette-price": "I've got a cat. From the shelter",
    "oceane-birthday": "She's 32, she's from Rimouski",
    "bastien-marathon": "4:12:38!!!",
    "keiko-college": "I got into grad school!!",
    "fenna-plumber": "Arvid came. 165.",
    "girl-name": "我女儿十点睡",
    "gout-drug": "尿酸467",
    "yifan-salary": "我拿到offer了，去上海",
    "tofu-stitches": "下巴缝了三针",
    "invoice-neuter": "楼上那只三花绝育，花了六百",
    "abu-car": "我车刮了，倒库",
    "dad-eyes": "医生说是干眼症",
    "ji-new-home": "搬到女儿那边去",
    "cook-school": "一个大学生，叫小满",
    "chufen-hospital": "那个做牙医的",
}


@each_set
def test_what_is_asked_in_vain_has_something_close_to_it(name: str) -> None:
    texts = [m.text for m in messages(name)]
    in_vain = [q.id for q in SETS[name].load() if not q.found]
    assert in_vain == [q for q in NEAR_MISSES if q in in_vain]
    assert [q for q in in_vain if not any(NEAR_MISSES[q] in text for text in texts)] == []


ASKED = {question.id: question for _, question in QUESTIONS}


@pytest.mark.parametrize(
    ("question_id", "answer"),
    [
        ("oath", "She took it on Friday, August 2nd, 2024."),
        ("last-pill", "on the 18th of August"),
        ("ampeg", "You paid three hundred and forty dollars."),
        ("truck-price", "18,500 dollars"),
        ("runs", "Cory took 4 hours 12 minutes; Yusuf finished in 1 h 58."),
        ("ep-songs", "Gantry, Paper Boats, Nine Mile, Spillway"),
        ("cafe-open", "六月八号"),
        ("jun-rents", "荃湾是1.4万，大埔是一万六千五。"),
        ("cat-bill", "一共2,150元"),
        ("quanzhou", "11月21号到24号"),
        ("girl-name", "聊天记录中未提及她女儿的名字。"),
    ],
)
def test_right_answers_in_other_words(question_id: str, answer: str) -> None:
    assert is_right(ASKED[question_id], answer)


@pytest.mark.parametrize(
    ("question_id", "answer"),
    [
        ("oath", "On 25 July 2024."),
        ("last-pill", "He took it on August 19, 2024."),
        ("gig-fee", "They got $250."),
        ("paddle", "You carved it yourself."),
        ("cosigner", "His cousin Emre signed."),
        ("truck-both", "He bought it for $18,500 and wanted 16,000 for it."),
        ("wes-amp", "$410"),
        ("cafe-open", "六月一号"),
        ("tofu-born", "10月16日"),
        ("cafe-rent", "每月七千八"),
        ("tofu-stitches", "三针"),
    ],
)
def test_near_misses_are_wrong(question_id: str, answer: str) -> None:
    assert not is_right(ASKED[question_id], answer)


@each_set
def test_evidence_is_found_in_turns_and_counted(name: str, own_home: Path) -> None:
    library = SETS[name].library(own_home)
    try:
        turns = all_turns(library)
        done = []
        for question in SETS[name].load():
            held = [turns_with(evidence, turns) for evidence in question.evidence]
            assert all(len(ids) == 1 for ids in held), question.id
            first = next(iter(held[0]), 0) if held else 0
            done.append(outcome(question, given(question, first), held))
    finally:
        library.close()
    assert all(item.right for item in done)
    assert all(item.read == item.ranked >= 1 for item in done if item.evidence)
    assert f"{len(done)} of {len(done)} right" in totals(done)


def given(question: Question, turn: int) -> Answer:
    """What an answerer gives that is right and read one turn."""
    return Answer(question.answer, question.found, evidence=(turn,), ranked=(turn,))
