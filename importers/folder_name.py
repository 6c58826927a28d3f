"""The name of the folder that a file lies in, for exports that name the chat there."""

from pathlib import PurePosixPath

from importers.source import FileSource, Source


def folder_name(source: Source) -> str:
    """The folder of the file, whether it was given alone, in a folder or in a zip; else the file's own name."""
    inside = PurePosixPath(source.name).parent.name
    if inside:
        return inside
    if isinstance(source, FileSource):
        return source.path.resolve().parent.name
    return PurePosixPath(source.name).stem
