"""When the archive was written: messages by month and by hour of the day, for all chats or one."""

from typing import Any

from engine.store.archive import Archive

_SQL = (
    "SELECT substr(timestamp, {start}, {length}), count(*) FROM message "
    "WHERE timestamp <> '' AND kind <> 'system' AND (?1 IS NULL OR chat = ?1) GROUP BY 1 ORDER BY 1"
)
_MONTH = _SQL.format(start=1, length=7)
_HOUR = _SQL.format(start=12, length=2)


def activity(archive: Archive, chat: int | None = None) -> dict[str, Any]:
    """Counts by month (`2024-03`) and a list of 24 counts by hour, both by the wall clock of the messages."""
    hours = [0] * 24
    for hour, count in archive.rows(_HOUR, chat):
        if hour.isdigit() and int(hour) < len(hours):
            hours[int(hour)] = count
    months = [{"month": month, "messages": count} for month, count in archive.rows(_MONTH, chat)]
    return {"months": months, "hours": hours}
