"""Who is who: one person under several names and apps, who the owner is, and names for phone numbers.

Messages keep the sender as the export wrote it; the table `person` says under which name people see a sender,
and senders of one name are one person. Nothing is merged that nobody asked for, apart from phone numbers and
mail addresses whose contact the person imported, and each merge can be taken apart again.
"""

from collections.abc import Iterator, Sequence

from engine import ledger
from engine.addresses import AddressBook, is_mail, is_number, normal
from engine.directory import Directory
from engine.errors import KnownError, NothingThere
from engine.job import Job
from engine.ledger import FileReport
from engine.store.archive import Archive, Connection, rows_of
from engine.suggestions import Speaker, Suggestion, suggest
from importers.base import ME
from importers.source import Source
from importers.vcard import Contact, contacts

VCARD = "vcard"
EVERY = 1_000  # contacts between two looks at whether the person stopped it


def suggestions(archive: Archive) -> list[Suggestion]:
    """People of the archive who may be one; never two who speak in the same chat."""
    apart = {
        row[0]
        for row in archive.rows(
            "SELECT s.name FROM person p JOIN sender s ON s.id = p.sender WHERE p.chosen AND p.name = s.name"
        )
    }
    owners = Directory(archive).owners
    people: dict[str, Speaker] = {}
    sql = "SELECT DISTINCT w.name, w.written, t.chat FROM turn t JOIN who w ON w.id = t.sender WHERE w.name <> ''"
    for name, written, chat in archive.rows(sql):
        speaker = people.setdefault(name, Speaker(name, is_owner=name in owners, apart=name in apart))
        speaker.written.add(written)
        speaker.chats.add(chat)
    return suggest(list(people.values()))


def merge(archive: Archive, names: Sequence[str], into: str) -> None:
    """Show all senders of these people as one. Raises NothingThere for a name that nobody has."""
    name = " ".join(into.split())
    if not name:
        raise KnownError("A person needs a name.", advice="Choose one of the names, or write another.")
    senders = [sender for each in names for sender in _senders(archive, each)]
    with archive.transaction() as db:
        for sender, written in senders:
            db.execute("DELETE FROM person WHERE sender = ?", (sender,))
            if written != name:
                db.execute("INSERT INTO person VALUES (?, ?, 1)", (sender, name))


def split(archive: Archive, name: str) -> list[str]:
    """Show each sender of a person under the name of the export again; returns these names.

    They are remembered as different people: no contact and no suggestion puts them together again.
    """
    senders = _senders(archive, name)
    with archive.transaction() as db:
        db.executemany("INSERT OR REPLACE INTO person VALUES (?, ?, 1)", senders)
    return [written for _, written in senders]


def set_owner(archive: Archive, platform: str, name: str | None) -> None:
    """Say who of a platform's people is the owner; None for nobody. Messages of theirs become "mine"."""
    senders = [] if name is None else _writing_in(archive, platform, _senders(archive, name))
    if name is not None and not senders:
        raise NothingThere(f"“{name}” wrote nothing in {platform}.")
    with archive.transaction() as db:
        before = rows_of(
            db,
            "SELECT s.id FROM owner o JOIN sender s ON s.name = o.name WHERE o.platform = ? AND o.name <> ?",
            platform,
            ME,
        )
        db.execute("DELETE FROM owner WHERE platform = ? AND name <> ?", (platform, ME))
        chats = "SELECT id FROM chat WHERE platform = ?"
        mine = f"UPDATE message SET from_me = ? WHERE sender = ? AND chat IN ({chats})"
        for (sender,) in before:
            db.execute(mine, (0, sender, platform))
        for sender, written in senders:
            db.execute(mine, (1, sender, platform))
            db.execute("INSERT OR IGNORE INTO owner VALUES (?, ?)", (platform, written))


def owners(archive: Archive) -> list[dict[str, str]]:
    """Who the owner is on each platform."""
    sql = (
        "SELECT DISTINCT o.platform, coalesce(w.name, o.name) FROM owner o "
        "LEFT JOIN who w ON w.written = o.name ORDER BY 1, 2"
    )
    return [{"platform": platform, "name": name} for platform, name in archive.rows(sql)]


def _senders(archive: Archive, name: str) -> list[tuple[int, str]]:
    """Senders, with their names as written, of the person of exactly this name, shown or written."""
    for column in ("name", "written"):
        found = archive.rows(f"SELECT id, written FROM who WHERE {column} = ? AND name <> ''", name)
        if found:
            return [(sender, written) for sender, written in found]
    raise NothingThere(f"There is no person named “{name}” in the archive.")


def _writing_in(archive: Archive, platform: str, senders: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Those of the senders who write in chats of a platform."""
    sql = "SELECT DISTINCT m.sender FROM message m JOIN chat c ON c.id = m.chat WHERE c.platform = ?"
    there = {row[0] for row in archive.rows(sql, platform)}
    return [(sender, written) for sender, written in senders if sender in there]


# contacts


def import_contacts(archive: Archive, source: Source, path: str, job: Job) -> FileReport:
    """Keep the contacts of a vCard file and name the senders that they know; all of it or nothing."""
    report = FileReport(path, VCARD)
    with archive.transaction() as db:
        before = _named(db)
        for entries in read_contacts(source, report, job):
            db.executemany("INSERT OR IGNORE INTO contact VALUES (?, ?)", entries)
        name_senders(db)
        report.named = len(_named(db) - before)
        report.settle()
        ledger.write(db, int(next(db.execute("SELECT coalesce(max(id), 0) + 1 FROM file"))[0]), report)
    return report


def read_contacts(source: Source, report: FileReport, job: Job) -> Iterator[list[tuple[str, str]]]:
    """Normal address and name of each contact; contacts and problems are counted in the report."""
    for count, found in enumerate(contacts(source)):
        if count % EVERY == 0:
            job.report(*source.progress(), "Reading contacts")
        if isinstance(found, Contact):
            report.contacts += 1
            addresses = (normal(a) for a in (*found.numbers, *found.mails))
            yield [(address, found.name) for address in addresses if len(address.lstrip("+")) > 2]
        else:
            report.add_problem(found)


def _named(db: Connection) -> set[tuple[int, str]]:
    return set(rows_of(db, "SELECT sender, name FROM person WHERE NOT chosen"))


def name_senders(db: Connection) -> int:
    """Give senders who are only a number or mail address the name of their contact; returns how many got one."""
    unnamed = [
        (sender, name)
        for sender, name in rows_of(
            db, "SELECT id, name FROM sender WHERE id NOT IN (SELECT sender FROM person WHERE chosen)"
        )
        if is_number(name) or is_mail(name)
    ]
    if not unnamed:
        return 0
    book = AddressBook((address, name) for address, name in rows_of(db, "SELECT address, name FROM contact"))
    named = [(sender, found) for sender, name in unnamed if (found := book.name_of(name))]
    db.executemany("INSERT OR REPLACE INTO person VALUES (?, ?, 0)", named)
    return len(named)


def forget_gone(db: Connection) -> None:
    """After an erasure: drop senders who wrote nothing that is left, with their names, marks and contacts."""
    gone = rows_of(db, "SELECT id, name FROM sender WHERE id NOT IN (SELECT sender FROM message)")
    addresses = [normal(name) for _, name in gone if is_number(name) or is_mail(name)]
    if addresses:
        book = AddressBook(
            (address, address) for (address,) in rows_of(db, "SELECT DISTINCT address FROM contact")
        )
        known = {(found,) for address in addresses for found in book.names_of(address)}
        db.executemany("DELETE FROM contact WHERE address = ?", sorted(known))
    db.executemany("DELETE FROM person WHERE sender = ?", [(sender,) for sender, _ in gone])
    db.executemany("DELETE FROM sender WHERE id = ?", [(sender,) for sender, _ in gone])
    db.execute("DELETE FROM owner WHERE name NOT IN (SELECT name FROM sender)")
