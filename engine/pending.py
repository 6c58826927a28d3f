"""An import that is under way, noted in the archive, so that one that was cut off can be gone on with.

Each export is one transaction, so what a crash leaves is a whole number of exports: going on means reading the
others. The note lies in the encrypted archive, because names of files tell whom a person talks to.
"""

import contextlib
import json
from typing import Any

from engine.errors import KnownError
from engine.store.archive import Archive

Json = dict[str, Any]
_KEY = "pending_import"


def begin(archive: Archive, params: Json) -> None:
    """Note what is being imported, and how far the ledger was before."""
    before = int(archive.value("SELECT coalesce(max(id), 0) FROM file"))
    note = json.dumps({"params": params, "before": before})
    with archive.transaction() as db:
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, note))


def end(archive: Archive) -> None:
    """The import is over, whatever its end was. A disk that takes nothing any more is no reason to fail here."""
    with contextlib.suppress(KnownError), archive.transaction() as db:
        db.execute("DELETE FROM meta WHERE key = ?", (_KEY,))


def unfinished(archive: Archive) -> Json | None:
    """The import that was cut off: its `params`, and the paths that are `done`. None where there is none."""
    row = archive.rows("SELECT value FROM meta WHERE key = ?", _KEY)
    if not row:
        return None
    note = json.loads(row[0][0])
    done = [path for (path,) in archive.rows("SELECT path FROM file WHERE id > ?", note["before"])]
    return {"params": note["params"], "done": done}
