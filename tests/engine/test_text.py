import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.languages import guess_language
from engine.text import Vocabulary, count_words, words_of


def terms(text: str, language: str = "english") -> list[str]:
    vocabulary = Vocabulary()
    ids, lengths = vocabulary.encode([text], language)
    assert lengths.tolist() == [len(ids)]
    return [vocabulary.terms[i] for i in ids]


def test_words_are_lowered_stemmed_and_stop_words_left_out() -> None:
    assert terms("The Cats were RUNNING to the house") == ["cat", "were", "run", "hous"]


def test_accents_are_found_with_and_without() -> None:
    assert terms("café") == terms("cafe")
    assert terms("Zürich") == terms("zurich")


def test_ascii_and_other_text_are_analysed_alike() -> None:
    assert terms("Meet at 5 in room B12, don't be late_again") == [
        t for t in terms("Meet at 5 in room B12, don't be late_again …☃") if t != "☃"
    ]


def test_chinese_is_found_by_character_and_by_pair() -> None:
    assert words_of("周末去爬山") == ["周", "末", "去", "爬", "山", "周末", "末去", "去爬", "爬山"]


def test_hindi_and_arabic_words_stay_whole() -> None:
    assert words_of("हिन्दी में") == ["हिन्दी", "में"]
    assert words_of("مرحبا بكم") == ["مرحبا", "بكم"]


def test_a_query_finds_the_terms_of_every_language_in_the_archive() -> None:
    vocabulary = Vocabulary()
    vocabulary.encode(["Die Häuser am See"], "german")
    vocabulary.encode(["the houses"], "english")
    assert {vocabulary.terms[t] for t in vocabulary.query_terms("Häuser", ["english", "german"])} == {"haus"}
    assert vocabulary.query_terms("nirgends", ["english", "german"]) == []


def test_guessing_the_language() -> None:
    assert guess_language(["ich habe das nicht gesehen, aber wir sind auf dem Weg"]) == "german"
    assert guess_language(["are you coming to the party, it is on Friday"]) == "english"
    assert guess_language(["周末去爬山吧"]) == "english"


def plain_encoding(texts: list[str], language: str) -> list[list[str]]:
    """Terms word by word, as the definition has it."""
    cache = Vocabulary()._cache(language)
    return [[term for word in words_of(text) if (term := cache.term(word)) is not None] for text in texts]


MIXED = st.lists(
    st.text(st.sampled_from("aB3_- é❤\ufe0fß周\u0301末한नि\0\n\ud800\u1e9b\u0323İΣ😀ัก"), max_size=20)
    | st.sampled_from(["naïve Straße", "supercalifragilisticexpialidocious!", "x" * 80, "abcdefgh abcdefghi a"])
    | st.text(max_size=40),
    max_size=8,
)


@settings(max_examples=150, deadline=None)
@given(MIXED, st.sampled_from(["english", "german", "nonesuch"]))
def test_encoding_many_texts_is_cutting_and_stemming_each_word(texts: list[str], language: str) -> None:
    vocabulary = Vocabulary()
    ids, lengths = vocabulary.encode(texts, language)
    parts = np.split(ids, np.cumsum(lengths)[:-1]) if texts else []
    assert [[vocabulary.terms[i] for i in part] for part in parts] == plain_encoding(texts, language)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab \t\n\x1c\x1f\u00a0\u3000é周")) | st.text(), max_size=8))
def test_words_are_counted_as_people_count_them(texts: list[str]) -> None:
    assert count_words(texts).tolist() == [len(text.split()) for text in texts]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=8))
def test_encoding_in_one_call_or_in_many_gives_the_same(texts: list[str]) -> None:
    whole, single = Vocabulary(), Vocabulary()
    ids, lengths = whole.encode(texts)
    parts = [single.encode([t]) for t in texts]
    assert [whole.terms[i] for i in ids] == [single.terms[i] for p, _ in parts for i in p]
    assert lengths.tolist() == [n for _, p in parts for n in p]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_every_word_of_a_text_is_found_by_a_query_of_it(text: str) -> None:
    vocabulary = Vocabulary()
    ids, _ = vocabulary.encode([text])
    assert set(vocabulary.query_terms(text)) == set(ids.tolist())
