"""The text inside Apple's archived attributed strings, as Messages keeps them in `attributedBody`.

Two archives occur: the old typedstream and, in the newest rows, NSKeyedArchiver property lists. Of either only
the plain string is wanted, so this reads no more of them than leads there.
"""

import plistlib
from typing import Any

_STREAM = b"streamtyped"
_STRING = b"\x84\x01+"  # a new type "+", which is a counted run of bytes
_LENGTH_BYTES = {
    0x81: 2,
    0x82: 4,
}  # marks of the longer integers, little endian; anything below 0x80 is the length


def attributed_text(blob: object) -> str | None:
    """The string of an `attributedBody`, None where the blob is of neither kind or holds none."""
    if not isinstance(blob, bytes):
        return None
    if blob.startswith(b"bplist"):
        return _keyed_text(blob)
    return _stream_text(blob) if _STREAM in blob[:32] else None


def _stream_text(blob: bytes) -> str | None:
    start = blob.find(_STRING, max(blob.find(b"String"), 0))
    if start < 0:
        return None
    start += len(_STRING)
    mark = blob[start] if start < len(blob) else 0
    start += 1
    length = mark
    if mark in _LENGTH_BYTES:
        width = _LENGTH_BYTES[mark]
        length = int.from_bytes(blob[start : start + width], "little")
        start += width
    elif mark >= 0x80:
        return None
    return blob[start : start + length].decode("utf-8", "replace")


def _keyed_text(blob: bytes) -> str | None:
    plist = read_plist(blob)
    objects = plist.get("$objects")
    top = plist.get("$top")
    if not isinstance(objects, list) or not isinstance(top, dict):
        return None
    value: Any = top.get("root", next(iter(top.values()), None))
    for _ in range(8):  # root, attributed string, string: never deeper, and never round in circles
        if isinstance(value, plistlib.UID):
            value = objects[value.data] if value.data < len(objects) else None
        elif isinstance(value, dict):
            value = value.get("NSString", value.get("NS.string"))
        elif isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        else:
            break
    return value if isinstance(value, str) else None


def read_plist(blob: object) -> dict[str, Any]:
    """A binary or XML property list as a dictionary, empty where it is damaged or something else."""
    if not isinstance(blob, bytes) or not blob:
        return {}
    try:
        plist = plistlib.loads(blob)
    except Exception:  # noqa: BLE001 - plistlib raises whatever the damage brings about
        return {}
    return plist if isinstance(plist, dict) else {}


def edited_text(summary: dict[str, Any]) -> str | None:
    """The last version in a message's edit history (`ec`: part → versions), parts joined."""
    history = summary.get("ec")
    if not isinstance(history, dict):
        return None
    parts = []
    for _, versions in sorted(history.items(), key=lambda item: str(item[0]).zfill(6)):
        last = versions[-1] if isinstance(versions, list) and versions else None
        text = attributed_text(last.get("t")) if isinstance(last, dict) else None
        if text:
            parts.append(text)
    return "\n".join(parts) or None
