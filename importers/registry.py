"""Which importers there are, and which of them reads what in a file, folder or zip.

Content decides, not names. A folder or zip is first offered whole, since some exports only make sense so
(Slack's messages need its list of users). What nobody claims is looked through file by file, folder by
folder, and zip by zip, and the surest importer reads each.

An importer may have two methods more than `Importer` asks for: see `Claiming` and `Splitting`.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from importers.base import Importer
from importers.chatgpt import CHATGPT
from importers.claude import CLAUDE
from importers.discord import DISCORD
from importers.discord_package import DISCORD_PACKAGE
from importers.gemini import GEMINI
from importers.google_chat import GOOGLE_CHAT
from importers.google_voice import GOOGLE_VOICE
from importers.imessage import IMESSAGE
from importers.imessage_exporter import IMESSAGE_EXPORTER
from importers.imessage_html import IMESSAGE_HTML
from importers.irc import IRC
from importers.kakaotalk import KAKAOTALK
from importers.line_app import LINE
from importers.mail import MAIL
from importers.matrix import MATRIX
from importers.meta import INSTAGRAM, MESSENGER
from importers.meta_html import INSTAGRAM_HTML, MESSENGER_HTML
from importers.parts import Parts, folders, origin
from importers.signal_export import SIGNAL_EXPORT
from importers.signalbackup import SIGNAL_BACKUP
from importers.signalbackup_csv import SIGNAL_BACKUP_CSV
from importers.signalbackup_html import SIGNAL_BACKUP_HTML
from importers.sigtop import SIGTOP
from importers.skype import SKYPE
from importers.slack import SLACK
from importers.sms_backup import SMS_BACKUP
from importers.source import MEDIA, FileSource, Source, SourceError, ZipSource
from importers.table import TABLE
from importers.teams import TEAMS
from importers.telegram import TELEGRAM
from importers.telegram_html import TELEGRAM_HTML
from importers.text import looks_binary
from importers.viber import VIBER
from importers.wechat import WECHAT
from importers.whatsapp import WHATSAPP

IMPORTERS: tuple[Importer, ...] = (
    CHATGPT,
    CLAUDE,
    DISCORD,
    DISCORD_PACKAGE,
    GEMINI,
    GOOGLE_CHAT,
    GOOGLE_VOICE,
    IMESSAGE,
    IMESSAGE_EXPORTER,
    IMESSAGE_HTML,
    INSTAGRAM,
    INSTAGRAM_HTML,
    IRC,
    KAKAOTALK,
    LINE,
    MAIL,
    MATRIX,
    MESSENGER,
    MESSENGER_HTML,
    SIGNAL_BACKUP,
    SIGNAL_BACKUP_CSV,
    SIGNAL_BACKUP_HTML,
    SIGNAL_EXPORT,
    SIGTOP,
    SKYPE,
    SLACK,
    SMS_BACKUP,
    TABLE,
    TEAMS,
    TELEGRAM,
    TELEGRAM_HTML,
    VIBER,
    WECHAT,
    WHATSAPP,
)
"""All formats, by name. A new format is a module and a line here."""

SURE_ENOUGH = 0.5
MAX_NESTED_ZIP = 256 * 2**20  # bytes; a zip inside a zip is held in memory, never unpacked to the disk
_DATABASES = frozenset({"db", "sqlite", "sqlite3", "sqlitedb"})
_CLUTTER = frozenset(
    {"thumbs.db", "desktop.ini", ".ds_store", ".localized", "group_info.json", "user_info.json", "endpoints.json"}
)


@runtime_checkable
class Claiming(Protocol):
    """An importer that reads folders or zips whole, but not all that may lie in them."""

    def covers(self, name: str) -> bool:
        """Whether the member belongs to the export; the others are looked at one by one as usual."""


@runtime_checkable
class Splitting(Protocol):
    """An importer of exports that are split into numbered files in one folder."""

    def part(self, basename: str) -> tuple[str, int]:
        """The name that the parts have in common, and the number of this one."""


@dataclass(frozen=True, slots=True)
class Export:
    """Something to read and the importer for it; `importer` is None for what nobody recognises."""

    importer: Importer | None
    source: Source
    confidence: float = 0.0
    reason: str = ""  # why it is not recognised, a sentence
    inside: str = ""  # the name of the zip inside the folder or zip that it lies in

    @property
    def name(self) -> str:
        """Where it lies, for people: relative to what they gave, zips on the way included."""
        return "/".join(filter(None, (self.inside, self.source.name if self.source.name != self.inside else "")))


def find_exports(source: Source) -> Iterator[Export]:
    """All exports in a place, and all files that might be one and are not recognised.

    Each export's `source` goes to its importer's `read`. Raises SourceError for a folder or zip with more
    files than can be looked through.
    """
    if source.members():
        yield from _in_container(source, zips=True, prefix="")
    else:
        yield _best(source) or _unrecognised(source)


def _in_container(container: Source, *, zips: bool, prefix: str) -> Iterator[Export]:
    claim = _best(container)
    if claim:
        yield claim
    members = _left_by(claim, container)
    yield from _loose([m for m in members if "/" not in m.name], zips=zips)
    for folder in folders(prefix, members):
        yield from _in_container(folder, zips=zips, prefix=folder.name)


def _left_by(claim: Export | None, container: Source) -> list[Source]:
    """The members that might be exports and are not part of the claimed one."""
    left = [m for m in container.members() if m.suffix not in MEDIA and m.basename.lower() not in _CLUTTER]
    if claim is None:
        return left
    importer = claim.importer
    return [m for m in left if not importer.covers(m.name)] if isinstance(importer, Claiming) else []


def _loose(members: Sequence[Source], *, zips: bool) -> Iterator[Export]:
    """The exports among the files of one folder; the parts of a split one are put together."""
    found: dict[tuple[str, str], list[tuple[int, Export]]] = {}
    for member in members:
        if member.suffix == "zip" and member.head.startswith(b"PK"):
            yield from _nested_zip(origin(member), zips=zips)
        elif export := _best(origin(member)):
            importer = export.importer
            key, number = importer.part(member.basename) if isinstance(importer, Splitting) else (member.name, 1)
            found.setdefault((importer.name if importer else "", key), []).append((number, export))
        elif _may_be_text(member):
            yield _unrecognised(origin(member))
    for numbered in found.values():
        exports = [e for _, e in sorted(numbered, key=lambda n: n[0])]
        whole = exports[0].source if len(exports) == 1 else Parts([e.source for e in exports])
        yield Export(exports[0].importer, whole, exports[0].confidence)


def _nested_zip(member: Source, *, zips: bool) -> Iterator[Export]:
    if not zips:
        yield Export(None, member, reason="This zip lies too deep in other zips. Unpack the outer one first.")
    elif not isinstance(member, FileSource) and member.size > MAX_NESTED_ZIP:
        yield Export(None, member, reason="This zip inside a zip is too large. Unpack the outer one first.")
    else:
        try:
            inner = ZipSource(member.path, member.name) if isinstance(member, FileSource) else _held(member)
            for export in _in_container(inner, zips=False, prefix=""):
                yield replace(export, inside=member.name)
        except SourceError as error:
            yield Export(None, member, reason=str(error))


def _held(member: Source) -> ZipSource:
    with member.open() as stream:
        return ZipSource(io.BytesIO(stream.read(MAX_NESTED_ZIP)), member.name)


def _best(source: Source) -> Export | None:
    """The surest importer; of equals the first."""
    sure, importer = max(
        ((i.recognise(source), i) for i in IMPORTERS), key=lambda found: found[0], default=(0.0, None)
    )
    return Export(importer, source, sure) if importer and sure >= SURE_ENOUGH else None


def _may_be_text(source: Source) -> bool:
    return bool(source.head) and (source.suffix in _DATABASES or not looks_binary(source.head))


def _unrecognised(source: Source) -> Export:
    if not source.head:
        return Export(None, source, reason="This is empty, or it cannot be opened.")
    return Export(None, source, reason="This is no export that Backscroll knows.")
