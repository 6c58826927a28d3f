"""What the engine says about files before and after an import, as frozen data for the window."""

from dataclasses import dataclass, field

from app.data import Json, Message, known, read_all


@dataclass(frozen=True, slots=True)
class Problem:
    """A line or record that did not become a message, and why."""

    line: int = 0
    reason: str = ""
    excerpt: str = ""

    @classmethod
    def read(cls, data: Json) -> "Problem":
        """From JSON."""
        return known(cls, data)


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What an export would bring, before anything is stored."""

    path: str = ""
    name: str = ""
    format: str = ""
    title: str = ""
    status: str = "recognised"
    chats: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    date_order: str = ""
    date_order_reason: str = ""
    date_order_is_guess: bool = False
    other_orders: tuple[str, ...] = ()
    naive_times: bool = False
    first: str = ""
    last: str = ""
    messages: int = 0
    contacts: int = 0  # of a contact list
    headers: tuple[str, ...] = ()  # of a table
    columns: dict[str, str] = field(default_factory=dict)  # our field → column of the table
    sample: tuple[Message, ...] = ()
    problems: tuple[Problem, ...] = ()
    reason: str = ""

    @classmethod
    def read(cls, data: Json) -> "FilePreview":
        """From JSON."""
        lists = {key: tuple(data.get(key) or ()) for key in ("chats", "senders", "other_orders", "headers")}
        return known(
            cls,
            data,
            sample=read_all(Message, data.get("sample")),
            problems=read_all(Problem, data.get("problems")),
            **lists,
        )

    @property
    def recognised(self) -> bool:
        """Whether it can be imported."""
        return self.status == "recognised"


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What an import did with one file."""

    path: str = ""
    format: str = ""
    status: str = ""
    new: int = 0
    duplicate: int = 0
    system: int = 0
    skipped: int = 0
    contacts: int = 0
    named: int = 0  # people who got their name from a contact
    date_order: str = ""
    date_order_reason: str = ""
    timezone: str = ""
    problems: tuple[Problem, ...] = ()

    @classmethod
    def read(cls, data: Json) -> "ImportedFile":
        """From JSON."""
        return known(cls, data, problems=read_all(Problem, data.get("problems")))


@dataclass(frozen=True, slots=True)
class PastImport:
    """An entry of the ledger: a file that was imported, when, and what that did."""

    id: int
    imported_at: str
    file: ImportedFile

    @classmethod
    def read(cls, data: Json) -> "PastImport":
        """From JSON."""
        return cls(int(data["id"]), str(data.get("imported_at") or ""), ImportedFile.read(data))


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, file by file."""

    files: tuple[ImportedFile, ...] = ()
    chats: int = 0
    messages: int = 0

    @classmethod
    def read(cls, data: Json) -> "ImportReport":
        """From JSON."""
        return known(cls, data, files=read_all(ImportedFile, data.get("files")))

    def total(self, count: str) -> int:
        """The sum of `new`, `duplicate`, `system` or `skipped` over all files."""
        return sum(getattr(each, count) for each in self.files)


@dataclass(frozen=True, slots=True)
class Format:
    """An export format that can be read, and how to get such a file."""

    name: str = ""
    title: str = ""
    platform: str = ""
    patterns: tuple[str, ...] = ()
    how_to_export: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Json) -> "Format":
        """From JSON."""
        return known(
            cls,
            data,
            patterns=tuple(data.get("patterns") or ()),
            how_to_export=tuple(data.get("how_to_export") or ()),
        )
