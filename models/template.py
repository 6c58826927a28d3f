"""Chat templates: from messages to pieces of prompt, each known to be the template's or a person's text.

A template is a small program inside the model file, so it runs in jinja2's sandbox with bounds on its time,
its loops and what it writes. It never sees the texts of the messages: each is a placeholder of private-use
characters, which is cut out of the result again. So a message that holds "<|im_end|>" cannot become a
control token, and no template can do anything with what people wrote.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, pass_eval_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension, loopcontrols
from jinja2.filters import do_tojson
from jinja2.nodes import Concat, EvalContext, Node
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from models.base import ChatMessage, ModelFileError

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_MAX_TEMPLATE = 100_000  # characters; the longest template in the catalogue has about 20,000
_MAX_PROMPT = 200_000  # characters around the messages
_MAX_SECONDS = 1.0
_PLACEHOLDER = re.compile("\ue000([0-9]+)\ue001")
_MAX_RANGE = 10_000
_SWELLING = frozenset(
    "center ljust rjust zfill expandtabs format format_map translate indent batch slice wordwrap pprint".split()
)
_LARGEST_INDENT = 16


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a prompt; `message` is the index of the message whose text it is, None for the template's."""

    text: str
    message: int | None = None


class _Refused(TemplateError):
    """The template does not take these messages, or does something that is out of bounds."""


class _GenerationTag(Extension):
    """`{% generation %}…{% endgeneration %}` marks what training is for; here it is its body."""

    tags = {"generation"}  # noqa: RUF012 - jinja2's way

    def parse(self, parser: Parser) -> list[Node]:
        """The nodes between the two tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Joining(CodeGenerator):
    """Lets `~` go through the sandbox, as the other operators do."""

    def visit_Concat(self, node: Concat, frame: Frame) -> None:
        """Write the call."""
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


def _small(*values: Any) -> None:
    """Refuse values whose text would be long; a list may hold itself many times over, so the walk is bounded."""
    room, queue = _MAX_PROMPT, list(values)
    while queue:
        value = queue.pop()
        room -= 1 + (len(value) if isinstance(value, str | list | tuple | dict) else 0)
        if room < 0:
            raise _Refused("too much text")
        if isinstance(value, dict):
            queue += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple):
            queue += value


class _Sandbox(ImmutableSandboxedEnvironment):
    """jinja2's sandbox, with numbers and texts kept small and a deadline looked at in every loop over them."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})
    code_generator_class = _Joining

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _GenerationTag], finalize=_finished
        )
        self.deadline = float("inf")
        self.globals = {"range": self._range, "namespace": self.globals["namespace"], "dict": dict}
        self.filters = {name: call for name, call in self.filters.items() if name not in _SWELLING}
        self.filters |= {"join": _join, "replace": _replace, "string": _string, "tojson": _tojson}

    def _range(self, *bounds: int) -> Iterator[int]:
        steps = range(*bounds)
        if len(steps) > _MAX_RANGE:
            raise _Refused("a range that is too long")
        for step in steps:
            self.check()
            yield step

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr not in _SWELLING and super().is_safe_attribute(obj, attr, value)

    def check(self) -> None:
        if time.monotonic() > self.deadline:
            raise _Refused("the time is over")

    def joined(self, parts: tuple[Any, ...]) -> str:
        """What `~` gives."""
        _small(*parts)
        return "".join(map(str, parts))

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call something in a template; of a text's own methods only these two can make it longer."""
        owner, name = getattr(__obj, "__self__", None), getattr(__obj, "__name__", "")
        if isinstance(owner, str) and name == "replace":
            return _replace(owner, *args, **kwargs)
        if isinstance(owner, str) and name == "join":
            return _join(args[0] if args else (), owner)
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "+":
            _small(left, right)
            return super().call_binop(context, operator, left, right)
        if operator == "**" or not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise _Refused("arithmetic that no template needs")
        return super().call_binop(context, operator, left, right)


class ChatTemplate:
    """The template of a model file; ChatML where the file has none but knows ChatML's control tokens."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        if len(source) > _MAX_TEMPLATE:
            raise ModelFileError("The chat template of this model is too long to be one.")
        self._sandbox = _Sandbox()
        self._names = {"bos_token": bos, "eos_token": eos}
        try:
            self._template = self._sandbox.from_string(source)
        except (TemplateError, RecursionError, MemoryError) as error:
            raise ModelFileError("The chat template of this model cannot be read.") from error

    def pieces(self, messages: Sequence[ChatMessage]) -> list[Piece]:
        """The prompt for the next reply, in order.

        A template that has no place for a system message gets its text in front of the first message.

        Raises:
            ModelFileError: the template takes the messages in neither form, or leaves one of them out.
        """
        groups = [(message.role, [index]) for index, message in enumerate(messages)]
        if found := self._rendered(groups):
            return found
        if len(groups) > 1 and groups[0][0] == "system":
            merged = [(groups[1][0], groups[0][1] + groups[1][1]), *groups[2:]]
            if found := self._rendered(merged):
                return found
        raise ModelFileError("The chat template of this model does not take a conversation of this form.")

    def _rendered(self, groups: Sequence[tuple[str, list[int]]]) -> list[Piece]:
        """The pieces, none where the template refuses the messages or does not write each of them once."""
        turns = [
            {"role": role, "content": "\n\n".join(f"\ue000{index}\ue001" for index in indices)}
            for role, indices in groups
        ]
        try:
            pieces = _split(self._run(turns))
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError):
            return []
        wanted = [index for _, indices in groups for index in indices]
        return pieces if [piece.message for piece in pieces if piece.message is not None] == wanted else []

    def _run(self, turns: list[dict[str, str]]) -> str:
        self._sandbox.deadline = time.monotonic() + _MAX_SECONDS
        written: list[str] = []
        size = 0
        for text in self._template.generate(
            messages=turns,
            add_generation_prompt=True,
            enable_thinking=False,
            raise_exception=_refuse,
            strftime_now=_now,
            **self._names,
        ):
            self._sandbox.check()
            size += len(text)
            if size > _MAX_PROMPT:
                raise _Refused("too much text")
            written.append(text)
        return "".join(written)


def chat_template(source: str | None, is_control: Callable[[str], bool], bos: str, eos: str) -> ChatTemplate:
    """The file's template, else ChatML if `is_control` knows its marks.

    Raises:
        ModelFileError: the file has no template and ChatML is not its language; nothing is guessed.
    """
    if source:
        return ChatTemplate(source, bos=bos, eos=eos)
    if is_control("<|im_start|>") and is_control("<|im_end|>"):
        return ChatTemplate(CHATML, bos=bos, eos=eos)
    raise ModelFileError("This model has no chat template: it completes texts but does not answer.")


def _split(text: str) -> list[Piece]:
    """Cut the placeholders out."""
    parts = _PLACEHOLDER.split(text)  # template, index, template, index, …, template
    pieces = [Piece("", int(part)) if place % 2 else Piece(part) for place, part in enumerate(parts)]
    return [piece for piece in pieces if piece.text or piece.message is not None]


def _finished(value: Any) -> Any:
    """A value that is about to be written."""
    _small(value)
    return value


def _string(value: Any) -> str:
    _small(value)
    return str(value)


def _join(values: Iterable[Any], between: str = "") -> str:
    parts = list(values)
    if len(parts) * (len(between) + 1) > _MAX_PROMPT:
        raise _Refused("too much text")
    _small(parts)
    return between.join(map(str, parts))


def _replace(text: Any, old: str, new: str, count: int = -1) -> str:
    _small(text)
    if (len(str(text)) + 1) * len(new) > _MAX_PROMPT:
        raise _Refused("too much text")
    return str(text).replace(old, new, count)


@pass_eval_context
def _tojson(context: EvalContext, value: Any, indent: int | None = None) -> str:
    _small(value)
    if indent and indent > _LARGEST_INDENT:
        raise _Refused("an indent that is too wide")
    return do_tojson(context, value, indent)


def _refuse(reason: object = "") -> NoReturn:
    raise _Refused(str(reason))


def _now(form: str) -> str:
    """The day for templates that mention it."""
    return datetime.now().strftime(form)
