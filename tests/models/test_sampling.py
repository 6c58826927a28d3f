from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import ModelError
from models.grammar import Choice, Grammar, Literal, Node, Numbers, Sequence, Text, json_string
from models.sampling import Chooser, Place

END, CONTROL = 0, 1


@dataclass
class Pieces:
    """A vocabulary: an end, a control token, then these pieces."""

    pieces: list[bytes]

    @property
    def n_vocab(self) -> int:
        return len(self.pieces) + 2

    def piece(self, token: int) -> bytes:
        return self.pieces[token - 2] if token > 1 else b""

    def is_end(self, token: int) -> bool:
        return token == END

    def is_control(self, token: int) -> bool:
        return token in (END, CONTROL)

    def ranked(self, *best: bytes | int) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
        logits = np.zeros(self.n_vocab, dtype=np.float32)
        for rank, wanted in enumerate(best):
            logits[wanted if isinstance(wanted, int) else self.pieces.index(wanted) + 2] = 100 - rank
        return logits


BYTES = Pieces(
    [bytes([byte]) for byte in range(256)] + [b" yes", b"yes", b" no", "é".encode(), b"1, 2", b"ab\xc3"]
)


def test_without_a_grammar_the_best_token_that_is_no_control_token_wins() -> None:
    chooser = Chooser(BYTES)
    assert chooser.best(BYTES.ranked(b"yes"), None) == BYTES.pieces.index(b"yes") + 2
    assert chooser.best(BYTES.ranked(CONTROL, b"yes"), None) == BYTES.pieces.index(b"yes") + 2
    assert chooser.best(BYTES.ranked(END), None) == END


def _best(node: Node, *ranked: bytes | int) -> bytes | int:
    token = Chooser(BYTES).best(BYTES.ranked(*ranked), Place(node))
    return BYTES.piece(token) if token > 1 else token


def test_the_best_token_that_fits_wins() -> None:
    assert _best(Choice((Literal("yes"), Literal("no"))), b" yes", END, CONTROL, b"n", b"yes") == b"n"
    assert _best(Numbers((1, 2), 1, 2), b"3", b"1, 2", b"2") == b"1, 2"
    assert _best(Numbers((1, 2), 1, 2), b"3", b"2", b"1, 2") == b"2"


def test_the_table_is_made_only_where_none_of_the_likeliest_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    chooser, place = Chooser(BYTES), Place(Choice((Literal("yes"), Literal("no"))))
    ranked = BYTES.ranked(*(bytes([letter]) for letter in b"abcdefg"), b" no", b"n", b"y")
    assert chooser.best(ranked, place) == BYTES.pieces.index(b"n") + 2
    assert "_first" not in vars(chooser)
    monkeypatch.setattr("models.sampling._FEW", 5)
    assert chooser.best(ranked, place) == BYTES.pieces.index(b"n") + 2
    assert "_first" in vars(chooser)


def test_a_reply_may_end_only_where_the_grammar_lets_it() -> None:
    assert _best(Literal("no"), END, b"n") == b"n"
    assert _best(Numbers((1, 2), 0, 2), END, b"1") == END
    assert Place(Text(0)).must_end
    assert not Place(Text(1)).must_end


def test_the_space_before_a_word_is_not_taken_alone() -> None:
    words = Sequence((Literal(" "), Choice((Literal("yes"), Literal("no")))))
    assert _best(words, b" ", b" no") == b" no"
    assert _best(Sequence((Literal(" "), Choice((Literal("1"), Literal("no"))))), b" ", b" no") == b" "
    assert _best(Sequence((Literal(" "), Literal("zebra"))), b" ") == b" "


def test_a_character_may_come_in_two_tokens() -> None:
    place = Place(Text(3)).after(b"ab\xc3")
    assert place is not None
    assert place.tail == b"\xc3"
    assert not place.may_end
    assert Chooser(BYTES).best(BYTES.ranked(b"a", END, b"\xa9"), place) == 0xA9 + 2
    assert place.after(b"x") is None
    done = place.after(b"\xa9")
    assert done is not None
    assert done.must_end
    assert Place(Literal("ö")).after(b"\xc3") is not None
    assert Place(Literal("z")).after(b"\xc3") is None
    assert Place(Text(3)).after(b"\xff") is None


def test_every_beginning_of_a_character_can_be_completed() -> None:
    begun = [b""]
    for tail in begun:
        tried = range(256) if len(tail) < 2 else (0x80, 0xBF)
        ways = [place for byte in tried if (place := Place(Text(1), tail).after(bytes([byte])))]
        assert ways, tail
        begun += [place.tail for place in ways if place.tail]
    assert len(begun) > 1000


def test_a_vocabulary_that_cannot_write_it_says_so() -> None:
    poor = Pieces([b"a"])
    with pytest.raises(ModelError, match="cannot write"):
        Chooser(poor).best(poor.ranked(b"a"), Place(Literal("b")))


@given(st.lists(st.integers(0, BYTES.n_vocab - 1), min_size=60, max_size=60), st.sampled_from([0, 1, 2]))
def test_whatever_the_model_wants_the_reply_fits_the_grammar(wishes: list[int], number: int) -> None:
    node = (
        Sequence((Literal("["), Numbers((1, 2, 12), 1, 3), Literal("]"), Text(4))),
        Sequence((Literal('{"a": '), json_string(5), Literal("}"))),
        Choice((Literal("é1"), Text(6, 2, without="a"))),
    )[number]
    chooser, place, written = Chooser(BYTES), Place(node), b""
    for wish in wishes:
        if place.must_end:
            break
        token = chooser.best(BYTES.ranked(wish, END), place)
        if token == END:
            break
        written += BYTES.piece(token)
        following = place.after(BYTES.piece(token))
        assert following is not None
        place = following
    else:
        pytest.fail("the reply did not end")
    assert Grammar(node).complete(written.decode())
