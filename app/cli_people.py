"""The command about people: who is in the archive, who may be one, putting names together, who you are."""

import argparse
from typing import Any

from app.cli_archive import open_library
from app.cli_console import print_json
from engine import overview, people, shapes
from engine.errors import KnownError
from engine.library import Library


def add_parser(commands: Any) -> None:
    """`backscroll people`."""
    parser = commands.add_parser("people", help="who writes in the archive; put names of one person together")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--merge", nargs="+", metavar="NAME", help="show these as one person")
    change.add_argument("--split", metavar="NAME", help="show a person's names apart again")
    change.add_argument("--me", metavar="APP=NAME", help="who you are in an app, as whatsapp=Ana; APP= for nobody")
    parser.add_argument("--into", metavar="NAME", help="the name that they are shown under (the first)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Change what was asked for, then list everybody, the owner's names and the suggestions."""
    library = open_library(options)
    try:
        _change(library, options)
        everybody = overview.people(library.archive)
        owners = people.owners(library.archive)
        suggestions = [shapes.suggestion(each) for each in people.suggestions(library.archive)]
    finally:
        library.close()
    if options.json:
        print_json({"people": everybody, "owners": owners, "suggestions": suggestions})
        return 0
    own = {(each["platform"], each["name"]) for each in owners}
    for each in everybody:
        mine = " (you)" if any((app, each["name"]) in own for app in each["platforms"]) else ""
        print(f"{each['name']}{mine}: {each['messages']:,} messages, {', '.join(each['platforms'])}")
    for each in suggestions:
        print(f"One person? {', '.join(each['names'])}. {each['sentence']}")
    return 0


def _change(library: Library, options: argparse.Namespace) -> None:
    if options.merge:
        people.merge(library.archive, options.merge, options.into or options.merge[0])
    elif options.split:
        people.split(library.archive, options.split)
    elif options.me is not None:
        app, mark, name = options.me.partition("=")
        if not mark:
            raise KnownError(f"“{options.me}” names no app.", advice="Write it as whatsapp=Ana.")
        people.set_owner(library.archive, app.strip(), name.strip() or None)
