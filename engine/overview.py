"""What is in the archive: chats, people, dates and sizes, as plain dictionaries for JSON and tables."""

from typing import Any

from engine.store.archive import Archive

_TALK = "m.kind <> 'system'"


def stats(archive: Archive) -> dict[str, Any]:
    """People, first and last message, sizes in bytes."""
    first, last = archive.rows("SELECT min(timestamp), max(timestamp) FROM message WHERE timestamp <> ''")[0]
    people = archive.value(
        "SELECT count(DISTINCT name) FROM who WHERE id IN (SELECT sender FROM message WHERE kind <> 'system')"
    )
    return {
        "people": int(people),
        "first": first,
        "last": last,
        "index_bytes": int(archive.value("SELECT coalesce(sum(length(data)), 0) FROM index_array")),
        "archive_bytes": archive.path.stat().st_size,
    }


def counts(archive: Archive) -> dict[str, int]:
    """How many chats and messages there are; notices of the apps are not counted."""
    return {
        "chats": int(archive.value("SELECT count(*) FROM chat")),
        "messages": int(archive.value(f"SELECT count(*) FROM message m WHERE {_TALK}")),
    }


def chats(archive: Archive) -> list[dict[str, Any]]:
    """Every chat with its people and dates, the most recently written first."""
    people: dict[int, list[str]] = {}
    sql = (
        "SELECT m.chat, s.name, count(*) FROM message m JOIN who s ON s.id = m.sender "
        f"WHERE {_TALK} AND s.name <> '' GROUP BY 1, 2 ORDER BY 1, 3 DESC"
    )
    for chat, name, _ in archive.rows(sql):
        people.setdefault(chat, []).append(name)
    sql = (
        "SELECT c.id, c.title, c.platform, count(m.id), min(m.timestamp), max(m.timestamp) FROM chat c "
        f"LEFT JOIN message m ON m.chat = c.id AND {_TALK} GROUP BY c.id ORDER BY max(m.order_time) DESC"
    )
    keys = ("id", "title", "platform", "messages", "first", "last")
    return [{**dict(zip(keys, row, strict=True)), "people": people.get(row[0], [])} for row in archive.rows(sql)]


def people(archive: Archive) -> list[dict[str, Any]]:
    """Everybody who writes, the most frequent first, with their other names and where they are the owner."""
    sql = (
        "SELECT s.name, count(*), group_concat(DISTINCT c.platform) FROM message m "
        "JOIN who s ON s.id = m.sender JOIN chat c ON c.id = m.chat "
        f"WHERE {_TALK} AND s.name <> '' GROUP BY 1 ORDER BY 2 DESC"
    )
    also = _by_name(archive, "SELECT name, written FROM who WHERE written <> name ORDER BY id")
    mine = _by_name(archive, "SELECT w.name, o.platform FROM owner o JOIN who w ON w.written = o.name ORDER BY 2")
    return [
        {
            "name": name,
            "messages": count,
            "platforms": sorted(platforms.split(",")),
            "also": also.get(name, []),
            "owner_in": mine.get(name, []),
        }
        for name, count, platforms in archive.rows(sql)
    ]


def _by_name(archive: Archive, sql: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in archive.rows(sql):
        found.setdefault(name, []).append(value)
    return found
