"""The sample archive: two years of an invented life, as the export files that chat apps write.

Every person, place and sentence in `exports/` was made up for Backscroll. `questions.json` asks 25 things
about it; `questions.py` knows what counts as a right answer.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "exports"
OWNER = "Robin Hale"
"""The name under which the archive's owner writes."""
TIMEZONE = "Europe/London"
"""Where the owner's phone wrote its wall clock."""
FIRST_QUESTIONS = ("bench-idea", "wedding-date", "sock-bill", "doubanjiang", "lisbon-flat")
"""What is offered to ask first, by id: several kinds, and one that the chats do not answer."""


def files() -> tuple[Path, ...]:
    """The exports, each a file, a zip or a folder that the importers read as a whole."""
    return tuple(sorted(FOLDER.iterdir()))
