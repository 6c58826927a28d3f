"""The words of HTML: what stays, what goes, and that hostile input takes time in proportion to its length."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from importers.html_text import html_text


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("plain", "plain"),
        ("a < b &amp; c > d <3", "a < b & c > d <3"),
        ("<p>one</p><p>two<br><br>three</p>", "one\ntwo\n\nthree"),
        ("<ul><li>clay</li><li>glaze</li></ul>then", "- clay\n- glaze\nthen"),
        ('<a href="https://example.org/?a=1&amp;b" title="x > y">link</a>', "link"),
        ("<style>p{}</style>kept<!-- gone --> too<script>1 < 2</script>", "kept too"),
        ("&lt;b&gt; is no tag", "<b> is no tag"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
    ],
)
def test_words_stay_and_markup_goes(fragment: str, text: str) -> None:
    assert html_text(fragment) == text


def test_named_elements_are_silent() -> None:
    assert html_text('said<e_m t="61">x</e_m> so<e_m/>', frozenset(("e_m",))) == "said so"


@pytest.mark.parametrize(
    "piece", ["<a ", '<a href="', "<svg/", "<!--", "</", "<div>", "<a b='", "&#", "<script>", "<a '\""]
)
def test_hostile_markup_takes_linear_time(piece: str) -> None:
    started = time.monotonic()
    html_text(piece * 40_000)
    assert time.monotonic() - started < 5


@settings(max_examples=60)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="<>&"), min_size=1),
        min_size=1,
    )
)
def test_paragraphs_come_back_as_lines(lines: list[str]) -> None:
    assert html_text("".join(f"<p>{line}</p>" for line in lines)) == "\n".join(lines)
