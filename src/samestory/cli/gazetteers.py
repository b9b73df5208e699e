"""samestory gazetteers: the lists of names of the language packs, made again from the packages they come from."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samestory.entities.build import LANGUAGES, build
from samestory.output import Outputs

HELP = (
    "Make the lists of persons, places and organisations of the language packs (pip install 'samestory[gazetteers]')."
)
EXAMPLE = "samestory gazetteers names --language tr"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("folder", metavar="DIR", help="write DIR/tr/person.txt and so on")
    command.add_argument(
        "--language", action="append", choices=LANGUAGES, help="only of this language; may be repeated (default: all)"
    )


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    made = {language: build(language) for language in dict.fromkeys(args.language or LANGUAGES)}
    with Outputs() as out:
        for language, files in made.items():
            folder = Path(args.folder) / language
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                out.add(str(folder / name), text.encode("utf-8"))
        out.commit()
    for language, files in made.items():
        for name, text in files.items():
            entries = sum(not line.startswith("#") for line in text.splitlines())
            print(f"{Path(args.folder) / language / name}: {entries:,} entries", file=sys.stderr)
    return 0
