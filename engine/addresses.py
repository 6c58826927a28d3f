"""Phone numbers and mail addresses as senders and contact lists write them, and when two are the same.

Numbers are compared by their digits. One with a country code meets one without ("+44 7700 900123" and
"07700 900123") where the shorter, without its leading zeros, ends the longer; two with different country
codes never meet.
"""

import re
from collections.abc import Iterable, Iterator

SHORTEST = 7  # digits that a number must have to meet one that is written otherwise
LONGEST_CODE = 3  # digits of a country code
TAIL = 7  # digits by which numbers are looked up
_NUMBER = re.compile(r"[~+\d\s().\-/\u2010-\u2015\u00a0\u202a-\u202f\u2060\u2066-\u2069]+")
_MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
_MOBILE = (("521", "52", 13), ("549", "54", 13))
"""Codes that some apps write with a mobile digit which others leave out: with it, without it, digits in all."""
_TRUNK_EIGHT = 11  # digits of a Russian number that begins with the trunk prefix 8 instead of +7


def is_number(name: str) -> bool:
    """Whether a sender's name is nothing but a phone number."""
    return bool(_NUMBER.fullmatch(name)) and sum(c.isdigit() for c in name) >= SHORTEST


def is_mail(name: str) -> bool:
    """Whether a sender's name is nothing but a mail address."""
    return bool(_MAIL.fullmatch(name))


def normal(address: str) -> str:
    """A mail address in lower case; a number as its digits, with a plus where it names its country."""
    if "@" in address:
        return address.strip().casefold()
    kept = address.replace("(0)", "")
    digits = "".join(str(int(c)) for c in kept if c.isdecimal())
    if "+" not in kept and not digits.startswith("00"):
        return digits
    digits = digits.lstrip("0") if digits.startswith("00") else digits
    for long, short, length in _MOBILE:
        if digits.startswith(long) and len(digits) == length:
            digits = short + digits[len(long) :]
    return "+" + digits


def same(one: str, other: str) -> bool:
    """Whether two normal addresses reach the same person."""
    if one == other:
        return True
    if "@" in one or "@" in other or (one[:1] == "+" and other[:1] == "+"):
        return False
    return any(_ends(a, b) for a in _nationals(one) for b in _nationals(other))


def _nationals(number: str) -> Iterator[str]:
    """The digits without what only callers in the same country dial."""
    yield number.lstrip("+0")
    if len(number) == _TRUNK_EIGHT and number.startswith("8"):
        yield number[1:]


def _ends(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST and long.endswith(short) and len(long) - len(short) <= LONGEST_CODE


class AddressBook:
    """Names by address. A number that meets contacts of different names has none: nobody is guessed."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        """`entries` are normal addresses with names."""
        self._exact: dict[str, set[str]] = {}
        self._tails: dict[str, list[str]] = {}
        for address, name in entries:
            if address not in self._exact:
                self._tails.setdefault(address[-TAIL:], []).append(address)
            self._exact.setdefault(address, set()).add(name)

    def name_of(self, sender: str) -> str | None:
        """The name for a sender who is a number or a mail address; None where there is none or several."""
        if not is_number(sender) and not is_mail(sender):
            return None
        found = self.names_of(normal(sender))
        return next(iter(found)) if len(found) == 1 else None

    def names_of(self, address: str) -> set[str]:
        """Names of all contacts with this normal address; the very same address before one that only meets it."""
        if address in self._exact:
            return self._exact[address]
        near = self._tails.get(address[-TAIL:], ())
        return {name for other in near if same(address, other) for name in self._exact[other]}
