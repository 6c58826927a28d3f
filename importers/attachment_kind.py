"""What kind of thing an attachment is, by its MIME type or the ending of its name."""

from pathlib import PurePosixPath

_ENDINGS = {
    "image": "jpg jpeg png webp heic heif bmp tif tiff svg apng avif",
    "gif": "gif",
    "video": "mp4 mov m4v avi mkv 3gp webm mpeg mpg wmv",
    "audio": "mp3 m4a aac wav flac ogg oga wma",
    "voice": "opus amr caf",
    "contact": "vcf vcard",
    "document": "pdf doc docx xls xlsx ppt pptx odt ods odp txt rtf csv epub pages numbers key",
}
_BY_ENDING = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
_BY_MIME = {"image/gif": "gif", "audio/amr": "voice", "text/x-vcard": "contact", "text/vcard": "contact",
            "application/pdf": "document", "text/plain": "document"}  # fmt: skip


def attachment_kind(name: str, mime: str = "") -> str:
    """image, gif, video, audio, voice, contact, document, or file where neither tells."""
    mime = mime.lower().split(";")[0].strip()
    if mime in _BY_MIME:
        return _BY_MIME[mime]
    family = mime.split("/")[0]
    if family in {"image", "video", "audio"}:
        return family
    return _BY_ENDING.get(PurePosixPath(name.replace("\\", "/")).suffix.lower().lstrip("."), "file")


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
