"""A file beside another one, for exports that keep names or titles apart from the messages."""

from pathlib import PurePosixPath

from importers.parts import Inside, origin
from importers.source import FileSource, Source, ZipMember


def sibling(source: Source, basename: str) -> Source | None:
    """The file of that name in the same folder or zip folder, None where there is none."""
    source = origin(source) if isinstance(source, Inside) else source
    if isinstance(source, FileSource):
        path = source.path.with_name(basename)
        return FileSource(path) if path.is_file() and not path.is_symlink() else None
    if isinstance(source, ZipMember):
        wanted = str(PurePosixPath(source.name).with_name(basename))
        return next((m for m in source.archive.members() if m.name == wanted), None)
    return None
