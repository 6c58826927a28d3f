from engine.segment import LONG_SESSION, LONGEST_SESSION, Row, cut_sessions, cut_turns

HOUR = 3600


def row(
    number: int, time: int, sender: int = 1, text: str = "hello", kind: str = "talk", user: bool = False
) -> Row:
    return Row(number, sender, time, kind, text, user)


def test_six_hours_of_silence_end_a_session() -> None:
    rows = [row(1, 0), row(2, 6 * HOUR - 1), row(3, 12 * HOUR - 1)]
    assert [[r.id for r in s] for s in cut_sessions(rows)] == [[1, 2], [3]]


def test_a_channel_that_never_sleeps_is_cut_at_half_an_hour_once_it_is_long() -> None:
    rows = [row(i, i * 60) for i in range(LONG_SESSION + 10)]
    rows.append(row(9999, rows[-1].time + 1801))
    assert [len(s) for s in cut_sessions(rows)] == [LONG_SESSION + 10, 1]


def test_a_channel_without_any_pause_is_cut_all_the_same() -> None:
    sizes = [len(s) for s in cut_sessions(row(i, i) for i in range(LONGEST_SESSION * 2 + 5))]
    assert sizes == [LONGEST_SESSION, LONGEST_SESSION, 5]


def test_a_turn_is_one_senders_burst() -> None:
    rows = [row(1, 0), row(2, 299), row(3, 599), row(4, 600, sender=2), row(5, 601)]
    assert [[r.id for r in t] for t in cut_turns(rows, ai=False)] == [[1, 2], [3], [4], [5]]


def test_notices_and_empty_messages_are_in_no_turn() -> None:
    rows = [row(1, 0), row(2, 1, kind="system"), row(3, 2, text=" "), row(4, 3, kind="deleted"), row(5, 4)]
    assert [[r.id for r in t] for t in cut_turns(rows, ai=False)] == [[1, 5]]


def test_in_ai_chats_a_turn_is_a_question_with_its_answers() -> None:
    rows = [
        row(1, 0, 1, user=True),
        row(2, 1, 1, user=True),
        row(3, 5, 2),
        row(4, 900, 2),
        row(5, 990, 1, user=True),
    ]
    assert [[r.id for r in t] for t in cut_turns(rows, ai=True)] == [[1, 2, 3, 4], [5]]
