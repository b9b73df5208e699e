"""samestory gazetteers: rebuilds the name lists of the language packs from their source packages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samestory.lab.training.gazetteers import LANGUAGES, build
from samestory.output import Outputs

HELP = (
    "Build the lists of persons, places and organisations of the language packs (pip install 'samestory[gazetteers]')."
)
EXAMPLE = "samestory gazetteers names --language tr"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("folder", metavar="DIR", help="write DIR/tr/person.txt and so on")
    command.add_argument(
        "--language", action="append", choices=LANGUAGES, help="only this language; can be repeated (default: all)"
    )


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
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
