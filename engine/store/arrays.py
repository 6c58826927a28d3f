"""The index in the archive: arrays as encrypted blobs, written by the segment, read straight into memory.

Segment −1 holds what all segments share: the words (appended to in chunks), the document columns (a
chunk an import, joined when there are many) and the dead documents.
"""

from dataclasses import fields
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from engine import text
from engine.index import Columns, Index, Segment
from engine.text import Vocabulary

SHARED = -1
MANY_CHUNKS = 24
_SEGMENT_ARRAYS = tuple(f.name for f in fields(Segment))
_COLUMN_ARRAYS = tuple(f.name for f in fields(Columns))


class IndexStore:
    """Reads and writes the index of one archive; remembers what of it is already there."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._saved: dict[int, Segment] = {}
        self._saved_terms = 0
        self._saved_docs = 0
        self._chunks = 0

    # reading

    def load(self) -> Index | None:
        """The index as it was last written, None where there is none of this version."""
        if self._meta("index_version") != text.VERSION:
            return None
        names = {}
        for rowid, segment, name, dtype in self._db.execute("SELECT rowid, segment, name, dtype FROM index_array"):
            names[(segment, name)] = (rowid, dtype)
        words = [self._bytes(names[(SHARED, f"vocabulary.{i}")][0]) for i in range(self._meta("word_chunks"))]
        joined = b"\n".join(words).decode("utf-8")
        vocabulary = Vocabulary(joined.split("\n") if joined else ())
        self._chunks = self._meta("column_chunks")
        chunks = [
            Columns(*(self._array(*names[(SHARED, f"{c}.{i}")]) for c in _COLUMN_ARRAYS))
            for i in range(self._chunks)
        ]
        columns = Columns.joined(chunks) if chunks else Columns.empty()
        numbers = sorted({segment for segment, _ in names if segment != SHARED})
        self._saved = {n: Segment(*(self._array(*names[(n, a)]) for a in _SEGMENT_ARRAYS)) for n in numbers}
        self._saved_terms, self._saved_docs = len(vocabulary), len(columns)
        dead = self._array(*names[(SHARED, "dead")])
        return Index(vocabulary, columns, list(self._saved.values()), dead)

    def _meta(self, key: str) -> int:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return int(row[0]) if row else 0

    def _bytes(self, rowid: int) -> bytes:
        return bytes(self._array(rowid, "u1"))

    def _array(self, rowid: int, dtype: str) -> npt.NDArray[Any]:
        blob = self._db.blob_open("main", "index_array", "data", rowid, False)
        try:
            data = np.empty(blob.length(), np.uint8)
            if len(data):  # an empty buffer is refused
                blob.read_into(data)  # type: ignore[arg-type]  # any writable buffer will do
        finally:
            blob.close()
        return data.view(dtype)

    # writing, inside the caller's transaction

    def save(self, index: Index) -> None:
        """Write what changed since the last save or load."""
        self._save_segments(index)
        self._save_words(index.vocabulary)
        self._save_columns(index.columns)
        self._put(SHARED, "dead", np.flatnonzero(~index.alive).astype(np.int32))
        self._set_meta("index_version", text.VERSION)

    def replace(self, index: Index) -> None:
        """Write the whole index in place of the one that is there."""
        self._db.execute("DELETE FROM index_array")
        self._saved, self._saved_terms, self._saved_docs, self._chunks = {}, 0, 0, 0
        self._set_meta("word_chunks", 0)
        self.save(index)

    def _save_segments(self, index: Index) -> None:
        kept = {n: s for n, s in self._saved.items() if any(s is t for t in index.segments)}
        for number in self._saved.keys() - kept.keys():
            self._db.execute("DELETE FROM index_array WHERE segment = ?", (number,))
        fresh = max(self._saved, default=-1) + 1
        saved: dict[int, Segment] = {}
        for segment in index.segments:
            number = next((n for n, s in kept.items() if s is segment), -1)
            if number < 0:
                number, fresh = fresh, fresh + 1
                for name in _SEGMENT_ARRAYS:
                    self._put(number, name, getattr(segment, name))
            saved[number] = segment
        self._saved = saved

    def _save_words(self, vocabulary: Vocabulary) -> None:
        fresh = vocabulary.terms[self._saved_terms :]
        if fresh:
            chunk = self._meta("word_chunks")
            self._put_bytes(SHARED, f"vocabulary.{chunk}", "utf-8", "\n".join(fresh).encode("utf-8"))
            self._set_meta("word_chunks", chunk + 1)
            self._saved_terms = len(vocabulary)

    def _save_columns(self, columns: Columns) -> None:
        start = self._saved_docs
        if self._chunks >= MANY_CHUNKS:
            for chunk in range(self._chunks):
                for name in _COLUMN_ARRAYS:
                    self._db.execute(
                        "DELETE FROM index_array WHERE segment = ? AND name = ?", (SHARED, f"{name}.{chunk}")
                    )
            self._chunks, start = 0, 0
        if len(columns) > start or self._chunks == 0:
            for name in _COLUMN_ARRAYS:
                self._put(SHARED, f"{name}.{self._chunks}", getattr(columns, name)[start:])
            self._chunks += 1
        self._saved_docs = len(columns)
        self._set_meta("column_chunks", self._chunks)

    def _put(self, segment: int, name: str, array: npt.NDArray[Any]) -> None:
        self._put_bytes(segment, name, array.dtype.str, np.ascontiguousarray(array).tobytes())

    def _put_bytes(self, segment: int, name: str, dtype: str, data: bytes) -> None:
        self._db.execute("INSERT OR REPLACE INTO index_array VALUES (?, ?, ?, ?)", (segment, name, dtype, data))

    def _set_meta(self, key: str, value: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
