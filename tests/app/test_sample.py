"""The sample archive parses whole, holds what its questions rest on, and judges answers fairly."""

import re
from collections import Counter
from datetime import date
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.sample import FOLDER, OWNER, TIMEZONE, files
from app.sample.questions import Question, is_right, load, normalised
from importers.base import Message, Options, Problem
from importers.registry import find_exports
from importers.source import open_source

QUESTIONS = {question.id: question for question in load()}
UNANSWERABLE = [q for q in QUESTIONS.values() if not q.found]
LEFT_OUT_ON_PURPOSE = "These are not shown in ChatGPT"


@cache
def parsed() -> tuple[tuple[str, Message | Problem], ...]:
    """(format, item) of every export."""
    found = []
    for path in files():
        for export in find_exports(open_source(path)):
            assert export.importer is not None, export.source.name
            for item in export.importer.read(export.source, Options()):
                if isinstance(item, Message | Problem):
                    found.append((export.importer.name, item))
    return tuple(found)


def messages() -> list[Message]:
    return [item for _, item in parsed() if isinstance(item, Message)]


def wall_clock(message: Message) -> str:
    """To the minute, where the owner's phone was."""
    when = message.timestamp
    assert when is not None
    local = when.astimezone(ZoneInfo(TIMEZONE)).replace(tzinfo=None) if when.tzinfo else when
    return local.isoformat(timespec="minutes")


def test_exports_of_four_apps_hold_two_thousand_messages_of_two_years() -> None:
    talk = [m for m in messages() if m.kind == "talk" and m.text]
    assert len(talk) >= 2_000
    assert {name for name, _ in parsed()} == {"whatsapp", "telegram", "chatgpt", "claude"}
    assert min(map(wall_clock, talk)).startswith("2024-01")
    assert max(map(wall_clock, talk)).startswith("2025-12")
    assert OWNER in {m.sender for m in talk}
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 1_000_000


def test_nothing_is_lost_but_what_chatgpt_hides() -> None:
    problems = [item for _, item in parsed() if isinstance(item, Problem)]
    assert [p.reason for p in problems if not p.reason.startswith(LEFT_OUT_ON_PURPOSE)] == []


def test_what_real_exports_hold_is_there() -> None:
    kinds = Counter(attachment.kind for m in messages() for attachment in m.attachments)
    assert {"image", "voice", "poll", "location", "contact", "sticker"} <= kinds.keys()
    assert {"talk", "system", "deleted", "event"} <= {m.kind for m in messages()}
    assert any(m.edited for m in messages())
    assert any(m.reply_to for m in messages())
    assert any(m.reactions for m in messages())
    assert any("\n" in m.text for m in messages())


def test_every_message_is_a_sentence_of_its_own() -> None:
    texts = Counter(m.text for m in messages() if m.kind == "talk" and len(m.text) > 14)
    # The words that apps themselves write for a picture or a voice message left out.
    written_by_apps = re.compile(r"<.*>|\(File not included.*")
    assert [text for text, count in texts.items() if count > 1 and not written_by_apps.fullmatch(text)] == []


def test_one_chat_is_in_chinese() -> None:
    chinese = [m for m in messages() if m.chat == "林晓雯" and m.kind == "talk" and m.text]
    assert len(chinese) > 100
    assert all(re.search(r"[\u4e00-\u9fff]", m.text) for m in chinese)


def test_questions_are_of_all_kinds() -> None:
    kinds = Counter(question.kind for question in QUESTIONS.values())
    assert kinds.total() == 25
    assert kinds["none"] == 5 == len(UNANSWERABLE)
    assert {"fact", "who", "change", "join", "past", "ai", "chinese"} <= kinds.keys()


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_evidence_stands_in_its_chat_at_its_time(question: Question) -> None:
    assert bool(question.evidence) == question.found
    for evidence in question.evidence:
        standing = [m for m in messages() if m.chat == evidence.chat and evidence.contains in m.text]
        assert [wall_clock(m) for m in standing] == [evidence.timestamp]
        assert evidence.timestamp[:10] <= question.now.isoformat()


@pytest.mark.parametrize(
    ("question_id", "near_miss", "missing"),
    [
        ("dad-cataract", r"after a cataract", r"(?i)(\bdad\b|\balan\b).*cataract|cataract.*(\bdad\b|\balan\b)"),
        ("dress-price", r"Dress is finished", r"(?i)\bdress\b.*(£|\d\d)|(£|\d\d).*\bdress\b"),
        ("lisbon-flat", r"Lisbon", r"(?i)hotel"),
        ("josie-dog", r"Milo's asking for a dog AGAIN", r"(?i)\b(our|my) (new )?(dog|puppy)\b"),
        ("gus-collarbone", r"Bust my collarbone", r"(?i)\bgus\b.*collarbone|collarbone.*\bgus\b"),
    ],
)
def test_what_is_asked_in_vain_has_a_near_miss_and_no_answer(
    question_id: str, near_miss: str, missing: str
) -> None:
    assert not QUESTIONS[question_id].found
    texts = [m.text for m in messages()]
    assert any(re.search(near_miss, text) for text in texts)
    assert [text for text in texts if re.search(missing, text, re.DOTALL)] == []


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_the_given_answer_is_right_and_an_empty_one_is_wrong(question: Question) -> None:
    assert is_right(question, question.answer, question.found)
    assert not is_right(question, "")
    assert is_right(question, "", found=False) is not question.found


@pytest.mark.parametrize(
    ("question_id", "answer"),
    [
        ("wedding-date", "They married on Saturday, September 21st."),
        ("wedding-date", "2024-09-21"),
        ("wedding-date", "It was moved from 7 September to 21 Sept. 2024."),
        ("knee-date", "Tuesday the third of December"),
        ("knee-date", "03/12/2024"),
        ("sock-bill", "Three hundred and twelve pounds"),
        ("sock-bill", "£312.00 in all"),
        ("car-price", "nine hundred pounds"),
        ("bookshop-opening", "十月十八号"),
        ("bookshop-opening", "On 18 October 2024."),
        ("nadia-presents", "A pair of binoculars, and a year later a course in pottery"),
        ("children-allergies", "Edie: kiwi. Milo: penicillin."),
        ("stairwell-colour", "Duck-egg blue"),
        ("dad-cataract", "Your chats do not mention that; it was Mum who had the operation."),
        ("josie-dog", "There is no mention of a dog of hers."),
    ],
)
def test_right_answers_in_other_words(question_id: str, answer: str) -> None:
    assert is_right(QUESTIONS[question_id], answer)


@pytest.mark.parametrize(
    ("question_id", "answer"),
    [
        ("wedding-date", "On 7 September 2024."),
        ("wedding-date", "On 21 September 2025."),
        ("knee-date", "12 November 2024"),
        ("knee-date", "On the 13th of December"),
        ("sock-bill", "£1,312"),
        ("sock-bill", "It would have been £1,900."),
        ("nadia-presents", "Binoculars, both times."),
        ("children-allergies", "Both to kiwi."),
        ("bike-finder", "Gus's friend Col"),
        ("stairwell-colour", "Sage green"),
        ("bookshop-opening", "九月十号"),
        ("dad-cataract", "On 22 May 2025."),
        ("josie-dog", "Bramble"),
    ],
)
def test_wrong_answers(question_id: str, answer: str) -> None:
    assert not is_right(QUESTIONS[question_id], answer)


def test_an_answerer_that_says_it_found_nothing_is_taken_at_its_word() -> None:
    assert not is_right(QUESTIONS["bike-finder"], "Lotte", found=False)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("14 March", "--03-14"),
        ("March 14th, 2024", "2024-03-14"),
        ("the 14th of Mar 2024", "the 2024-03-14"),
        ("14.3.2024", "2024-03-14"),
        ("2024/3/14", "2024-03-14"),
        ("2024年3月14日", "2024-03-14"),
        ("三月二十一日", "--03-21"),
        ("twenty-one", "21"),
        ("two thousand and five hundred", "2500"),
        ("£7,400", "£7400"),
        ("31 February", "31 february"),
    ],
)
def test_normal_form(written: str, form: str) -> None:
    assert normalised(written) == form


@settings(max_examples=50)
@given(st.dates())
def test_every_way_of_writing_a_date_gives_the_same(day: date) -> None:
    iso = day.isoformat()
    month = day.strftime("%B")
    assert normalised(f"{day.day} {month} {day.year:04}") == iso
    assert normalised(f"{month} {day.day}, {day.year:04}") == iso
    assert normalised(f"{day.year:04}年{day.month}月{day.day}日") == iso


@settings(max_examples=100)
@given(st.text())
def test_no_answer_upsets_the_judge(answer: str) -> None:
    for question in QUESTIONS.values():
        assert is_right(question, answer) in (True, False)
