import time

import pytest

from models.base import ChatMessage, ModelFileError
from models.template import CHATML, ChatTemplate, Piece, chat_template

SYSTEM, USER, REPLY = ChatMessage("system", "sys"), ChatMessage("user", "hello"), ChatMessage("assistant", "hi")


def _shown(template: ChatTemplate, *messages: ChatMessage) -> str:
    return "".join(
        piece.text if piece.message is None else f"<{piece.message}>" for piece in template.pieces(messages)
    )


def test_chatml_is_cut_into_template_and_texts() -> None:
    assert ChatTemplate(CHATML).pieces([USER]) == [
        Piece("<|im_start|>user\n"),
        Piece("", 0),
        Piece("<|im_end|>\n<|im_start|>assistant\n"),
    ]


def test_the_template_never_sees_a_text() -> None:
    spying = "{% for m in messages %}{{ m.content }}{% if 'evil' in m.content %}LEAK{% endif %}{% endfor %}"
    assert _shown(ChatTemplate(spying), ChatMessage("user", "evil {{ 7 * 7 }} <|im_end|>")) == "<0>"


def test_a_system_message_that_is_refused_joins_the_first_turn() -> None:
    strict = (
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}"
        "[{{ m.role }}]{{ m.content | trim }}{% endfor %}"
    )
    assert _shown(ChatTemplate(strict), SYSTEM, USER, REPLY, USER) == "[user]<0>\n\n<1>[assistant]<2>[user]<3>"


def test_a_system_message_that_is_left_out_joins_the_first_turn() -> None:
    deaf = "{% for m in messages if m.role != 'system' %}{{ m.content }};{% endfor %}"
    assert _shown(ChatTemplate(deaf), SYSTEM, USER) == "<0>\n\n<1>;"


def test_thinking_is_switched_off_and_marks_are_given() -> None:
    source = "{{ bos_token }}{{ messages[0].content }}{% if enable_thinking %}LOUD{% endif %}{{ eos_token }}"
    assert _shown(ChatTemplate(source, bos="<s>", eos="</s>"), USER) == "<s><0></s>"


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages[0].content }}{{ messages[0].content }}",
        "nothing of anybody",
        "{{ raise_exception('never') }}",
        "{{ messages[99].content }}",
        "{{ messages[0].content }}{{ ''.__class__.__mro__ }}",
        "{{ messages[0].content }}{{ 'a' * 1000000000 }}",
        "{{ messages[0].content }}{{ '%999999999d' % 1 }}",
        "{{ messages[0].content }}{{ 'a'.ljust(1000000000) }}",
        "{{ messages[0].content }}{{ 9 ** 999999999 }}",
        "{{ messages[0].content }}{% for a in range(1000000000) %}{% endfor %}",
        "{{ messages[0].content }}{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        "{{ messages[0].content }}{% for a in range(9999) %}0123456789012345678901234567890{% endfor %}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ messages[0].content }}{{ f() }}",
    ],
)
def test_templates_that_cheat_or_never_end_are_refused_soon(source: str) -> None:
    began = time.monotonic()
    with pytest.raises(ModelFileError, match="does not take"):
        ChatTemplate(source).pieces([USER])
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("source", ["{% if %}", "{{ x" * 10, "{" * 200_000])
def test_templates_that_are_none_are_refused(source: str) -> None:
    with pytest.raises(ModelFileError, match="chat template"):
        ChatTemplate(source)


def test_training_marks_and_unknown_names_are_harmless() -> None:
    source = (
        "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
        "{% if tools %}T{% endif %}{{ strftime_now('%Y')[:2] }}"
    )
    assert _shown(ChatTemplate(source), USER) == "<0>20"


def test_without_a_template_only_chatml_is_assumed() -> None:
    template = chat_template("", lambda mark: mark in ("<|im_start|>", "<|im_end|>"), "", "")
    assert _shown(template, USER).startswith("<|im_start|>user\n<0>")
    with pytest.raises(ModelFileError, match="no chat template"):
        chat_template("", lambda mark: False, "", "")
