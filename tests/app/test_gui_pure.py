"""The pure parts of the window: protocol lines, restarts, queries, rich text, words, data."""

import json
import re
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import html, query, words
from app.asking import step_words
from app.data import Answer, Citation, Message, Place, Searched, Status, Step, TranscriptPage
from app.export import to_json, to_markdown
from app.protocol import LineReader, read_line, request
from app.restart import PAUSES, RestartPolicy
from app.widgets.avatar import colour, initials
from app.widgets.timeline import last_day, month_counts, months_between
from engine.types import Filters

INK = html.Ink("#000001", "#000002", "#000003", "#000004", "#000005")


class TestProtocol:
    def test_a_request_is_one_line_of_json(self):
        line = request(7, "ask", {"question": "Wer?\nWann? 李"})
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert json.loads(line) == {"id": 7, "method": "ask", "params": {"question": "Wer?\nWann? 李"}}

    @given(st.lists(st.binary(max_size=20).filter(lambda part: b"\n" not in part), max_size=8), st.integers(1, 9))
    @settings(max_examples=60)
    def test_lines_arrive_whole_however_they_are_cut(self, lines: list[bytes], step: int):
        stream = b"".join(line + b"\n" for line in lines)
        reader = LineReader()
        got = [line for at in range(0, len(stream), step) for line in reader.feed(stream[at : at + step])]
        assert got == [line for line in lines if line.strip()]

    @pytest.mark.parametrize(
        ("line", "kind"),
        [
            (b'{"event": "ready", "data": {}}', "ready"),
            (b'{"id": 3, "result": null}', "result"),
            (b'{"id": 3, "error": {"type": "DiskFull"}}', "error"),
            (b'{"id": 3, "event": "text", "data": {"piece": "x"}}', "event"),
            (b"llama_model_loader: hello", "noise"),
            (b"[1, 2]", "noise"),
            (b'{"id": "three", "result": 1}', "noise"),
            (b'{"event": "other"}', "noise"),
        ],
    )
    def test_lines_are_told_apart(self, line: bytes, kind: str):
        assert read_line(line)[0] == kind


class TestRestart:
    def test_pauses_grow_then_settings_are_safe_then_it_ends(self):
        policy = RestartPolicy()
        made = [policy.after_crash(1000.0 + n) for n in range(6)]
        assert [each.pause for each in made] == [*PAUSES, PAUSES[-1], PAUSES[-1], None]
        assert [each.safe for each in made] == [False, False, True, True, True, True]

    def test_a_calm_while_forgets_earlier_crashes(self):
        policy = RestartPolicy()
        for n in range(3):
            policy.after_crash(1000.0 + n)
        assert policy.after_crash(2000.0).safe is False


class TestQuery:
    def test_operators_become_filters(self):
        text, filters = query.parse(
            'heron from:Nour in:"Riverside neighbours" app:WhatsApp after:2024-03 before:2024'
        )
        assert text == "heron"
        assert filters.senders == ("Nour",)
        assert filters.chats == ("Riverside neighbours",)
        assert filters.platforms == ("whatsapp",)
        assert filters.date_from == date(2024, 3, 1)
        assert filters.date_to == date(2023, 12, 31)

    @pytest.mark.parametrize(
        "text", ["from:", "after:soon", "before:2024-13", "after:2024-02-31", "http://from:x", "10:30"]
    )
    def test_what_is_no_operator_stays_in_the_words(self, text: str):
        assert query.parse(text) == (text, Filters())

    def test_filters_add_up_and_the_narrower_dates_hold(self):
        one = Filters(date(2024, 1, 1), date(2024, 6, 1), ("Ana",))
        other = Filters(date(2024, 2, 1), None, ("Ana", "Bo"), platforms=("signal",))
        assert query.merged(one, other) == Filters(
            date(2024, 2, 1), date(2024, 6, 1), ("Ana", "Bo"), platforms=("signal",)
        )

    def test_parameters_are_what_the_engine_takes(self):
        made = query.params(Filters(date(2024, 1, 2), None, ("Ana",), (), ("signal",)))
        assert made == {"from": "2024-01-02", "to": None, "senders": ["Ana"], "chats": [], "sources": ["signal"]}

    @given(st.text(max_size=60))
    @settings(max_examples=100)
    def test_no_text_makes_it_fail(self, text: str):
        query.parse(text)


class TestHtml:
    @given(st.text(max_size=80), st.sets(st.integers(1, 9)), st.text(max_size=10))
    @settings(max_examples=150)
    def test_nothing_of_a_text_becomes_markup(self, text: str, marks: set[int], unsupported: str):
        made = html.answer_html(text, dict.fromkeys(marks, True), [unsupported], INK, "unsure")
        for tag in ("<script", "<img", "<b>"):
            assert tag not in made
        bare = made
        for allowed in ("<a ", "</a>", "<br>", "<span ", "</span>"):
            bare = bare.replace(allowed, "")
        assert "<" not in bare

    def test_marks_become_links_and_unverified_ones_differ(self):
        made = html.answer_html("Yes [1], or no [2, 3]. [9]", {1: True, 2: False, 3: True}, [], INK, "")
        assert 'href="cite:1"' in made
        assert ">[2?]</a>" in made
        assert ">[3]</a>" in made
        assert "[9]" in made
        assert "cite:9" not in made
        assert made.count(INK.warning) == 1

    def test_an_unsupported_sentence_says_so(self):
        made = html.answer_html("True [1]. Invented.", {1: True}, ["Invented."], INK, "not supported")
        assert "underline" in made
        assert made.endswith("(not supported)</span>")

    def test_a_link_gives_its_number_and_no_other_link_does(self):
        assert html.cited("cite:12") == 12
        assert html.cited("https://example.com/12") is None
        assert html.cited("cite:x") is None

    @pytest.mark.parametrize(
        ("text", "query_text", "found"),
        [
            ("The plumbers came", "plumber", ["plumbers"]),
            ("we planned it", "planning", ["planned"]),
            ("ten tents", "ten ", ["ten"]),
            ("ten tents", "ten", ["ten", "tents"]),
            ("a heron", "he", ["heron"]),
            ("我们星期四见", "星期四", ["星期四"]),
            ("Straße und STRASSE", "straße", ["Straße", "STRASSE"]),
            ("nothing here", "heron", []),
        ],
    )
    def test_matches_are_found_where_a_person_expects_them(self, text: str, query_text: str, found: list[str]):
        assert [text[a:b] for a, b in html.spans(text, html.query_words(query_text))] == found

    @given(st.text(max_size=60), st.text(max_size=20))
    @settings(max_examples=150)
    def test_highlighting_keeps_the_text(self, text: str, wanted: str):
        made = html.spans(text, html.query_words(wanted))
        assert all(0 <= a < b <= len(text) for a, b in made)
        assert all(one[1] < other[0] for one, other in pairwise(made))

    def test_a_snippet_holds_the_match(self):
        text = "word " * 200 + "heron " + "word " * 200
        made = html.around_match(text, ("heron",))
        assert "heron" in made
        assert len(made) <= html.SNIPPET + 1

    def test_links_are_found_without_their_full_stop(self):
        assert html.links("see https://a.example/x?y=1. And HTTP://b.example!") == (
            "https://a.example/x?y=1",
            "HTTP://b.example",
        )


class TestWords:
    def test_coverage_reads_like_a_sentence(self):
        searched = Searched(37, 9000, "2019-01-03", "2024-03-30T10:00:00", 4, 14.2)
        assert words.coverage(searched, 212) == "4 searches · 37 of 212 chats read · Jan 2019 – Mar 2024 · 14 s"

    def test_unknown_parts_are_left_out(self):
        assert words.coverage(Searched(), 3) == ""

    @pytest.mark.parametrize(
        ("seconds", "text"), [(0.42, "0.4 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
    )
    def test_durations(self, seconds: float, text: str):
        assert words.duration(seconds) == text

    def test_counts_have_two_forms(self):
        assert words.messages(1) == "1 message"
        assert words.messages(2410) == "2,410 messages"

    def test_progress_says_rate_and_time_left(self):
        assert words.progress_line(1200, 8000, 350.4, 19.6) == "1,200 of 8,000 · 350 a second · 20 s left"
        assert words.progress_line(1200, None, 0.0, None) == "1,200"

    def test_dates(self):
        assert words.date_and_time("2024-03-14T16:30:00+01:00") == "Thu 14 Mar 2024, 16:30"
        assert words.date_and_time("") == "no date"
        assert words.date_range("2024-03-01", "2024-03-30") == "Mar 2024"

    def test_trace_lines(self):
        step = Step("search_chatrecord", {"keywords": ["dentist", "moved"], "date_from": "2024-03-01"}, (1, 2))
        assert words.trace_line(step, {}) == "Searched for “dentist moved” (1 Mar 2024): 2 places"
        known = {turn: Place(turn, sender="Ana", timestamp="2024-03-02T10:00:00") for turn in step.hits}
        assert words.trace_line(step, known).endswith(": 2 places · Ana, 2 Mar 2024")
        assert words.trace_line(Step("take_note", {"indices": [1]}), {}) == "Kept 1 place"
        assert words.trace_line(Step("finish_search"), {}) == "Finished searching"

    def test_the_archive_in_a_line(self):
        line = words.archive_line(Status(4, 2410, 900, "2022-01-01", "2024-03-01"))
        assert line == "4 chats · 2,410 messages · Jan 2022 – Mar 2024"


class TestData:
    def test_unknown_keys_are_ignored_and_missing_ones_have_defaults(self):
        message = Message.read({"id": 3, "sender": None, "novelty": 1, "attachments": [{"name": "a.jpg"}]})
        assert message == Message(3, attachments=(message.attachments[0],))
        assert message.attachments[0].kind == "file"

    def test_a_page_without_a_chat_can_be_read(self):
        assert TranscriptPage.read({"messages": []}).chat.title == ""


class TestExport:
    ANSWER = Answer(
        "On Thursday [1].",
        True,
        (Citation(1, Place(1, "Family", 2, "whatsapp", "Mum", "2024-03-12T09:04", "he comes\nThursday"), True),),
    )

    def test_markdown_has_the_sources(self):
        made = to_markdown("When\nis it?", self.ANSWER, "1 search")
        assert made.startswith("## When is it?\n\nOn Thursday [1].")
        assert "**[1]** Mum, Tue 12 Mar 2024, 09:04 · Family · WhatsApp\n\n> he comes\n> Thursday" in made
        assert made.endswith("*1 search*\n")

    def test_what_could_not_be_checked_says_so(self):
        answer = Answer("x [1]", True, (Citation(1, Place(), False),))
        assert "could not be checked" in to_markdown("q", answer, "")

    def test_not_found_lists_what_came_close(self):
        made = to_markdown("q", Answer(nearest=(Place(sender="Mum", text="near"),)), "")
        assert "Not found in the chats." in made
        assert "- Mum, no date: near" in made

    def test_json_holds_everything(self):
        made = json.loads(to_json("q", self.ANSWER))
        assert made["question"] == "q"
        assert made["citations"][0]["place"]["sender"] == "Mum"


class TestSmallParts:
    @pytest.mark.parametrize(
        ("name", "letters"),
        [("Nour", "N"), ("Ana de Sá", "AS"), ("李梅", "李"), ("+44 7700", "7"), ("", "?"), ("🙂", "🙂")],
    )
    def test_initials(self, name: str, letters: str):
        assert initials(name) == letters

    def test_a_name_always_has_the_same_colour(self):
        assert colour("Nour") == colour("Nour")

    def test_months_of_a_range(self):
        assert months_between("2023-11-30", "2024-02-01T08:00") == ["2023-11", "2023-12", "2024-01", "2024-02"]
        assert months_between("", "2024-02") == []
        assert month_counts(["2024-02-01", "2024-02-09", "x"]) == {"2024-02": 2}
        assert last_day("2024-02") == date(2024, 2, 29)


class TestSteps:
    def test_every_step_that_the_engine_tells_has_words_of_the_window(self):
        engine = Path(__file__).parents[2] / "engine"
        told = [
            step
            for path in engine.rglob("*.py")
            for step in re.findall(r'emit\("step", text=f?"([^"]+)"', path.read_text("utf-8"))
        ]
        assert told
        for text in told:
            shown = step_words(re.sub(r"\{[^}]+\}", "x", text))
            assert shown.endswith("…"), text

    def test_a_sentence_that_is_not_known_is_shown_as_it_is(self):
        assert step_words("Thinking hard") == "Thinking hard"


class TestImportLines:
    def test_bytes_are_read_and_chats_are_indexed(self):
        reading = {
            "done": 2_000_000,
            "total": 8_000_000,
            "note": "1,200 messages read",
            "rate": 1e6,
            "seconds_left": 6,
        }
        assert words.import_lines(reading) == (
            "1,200 messages",
            "1.9 MB of 7.6 MB · 976.6 kB a second · 6 s left",
        )
        indexing = {"done": 3, "total": 27, "note": "Indexing", "rate": 0.5, "seconds_left": None}
        assert words.import_lines(indexing) == ("Making the messages searchable", "3 of 27")
