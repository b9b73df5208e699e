"""samestory detectors: what methods there are and what can be set."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from dataclasses import fields
from typing import Any

from samestory.detectors import ALIASES, DETECTORS, Detector, parse
from samestory.model import Kind

HELP = "List the detectors and what each finds; or one of them, with its parameters, their meaning and defaults."
EXAMPLE = "samestory detectors ffp"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("name", nargs="?", metavar="NAME", help="tell all about this one")
    command.add_argument("--json", action="store_true", help="one JSON line a detector")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    chosen = [type(parse(args.name))] if args.name else [cls for _, cls in sorted(DETECTORS.items())]
    for cls in chosen:
        if args.json:
            print(json.dumps(described(cls)))
        elif args.name:
            _tell(cls)
        else:
            print(f"{cls.name:<14}{cls.sees}\n{'':<14}{_traits(cls)}")
    if not args.name and not args.json:
        for alias, name in sorted(ALIASES.items()):
            print(f"{alias:<14}another name of {name}")
    return 0


def described(cls: type[Detector]) -> dict[str, Any]:
    """A detector as a JSON line tells it."""
    return {
        "name": cls.name,
        "aliases": sorted(alias for alias, name in ALIASES.items() if name == cls.name),
        "sees": cls.sees,
        "reports": sorted(map(str, cls.reports)),
        "directed": Kind.PART_OF in cls.reports,
        "needs_fitting": not cls().fitted,
        "paper": cls.paper or None,
        "parameters": {f.name: f.default for f in fields(cls) if f.repr},
        "ranges": {name: each.about(name) for name, each in cls().ranges.items()},
        "meanings": {f.name: f.metadata.get("meaning", "") for f in fields(cls) if f.repr},
    }


def _traits(cls: type[Detector]) -> str:
    """What it reports, whether it tells part from whole, whether it must see the collection first, and whose it is."""
    traits = [", ".join(sorted(map(str, cls.reports)))]
    traits.append("directed" if Kind.PART_OF in cls.reports else "symmetric")
    if not cls().fitted:
        traits.append("weighs words")
    if cls.paper:
        traits.append(cls.paper)
    return " · ".join(traits)


def _tell(cls: type[Detector]) -> None:
    sys.stdout.write(f"{cls.name}: {cls.sees}\n{_traits(cls)}\n\n{inspect.cleandoc(_page(cls))}\n")
    ranges = cls().ranges
    shown = [
        (f"{f.name} = {f.default!r}", ranges[f.name].about(f.name) if f.name in ranges else "", f.metadata["meaning"])
        for f in fields(cls)
        if f.repr
    ]
    if shown:
        widths = [max(len(row[column]) for row in shown) for column in (0, 1)]
        print("\nparameters")
        for default, lies, meaning in shown:
            print(f"  {default:<{widths[0]}}  {lies:<{widths[1]}}  {meaning}")


def _page(cls: type[Detector]) -> str:
    module = inspect.getmodule(cls)
    return (module and module.__doc__) or cls.__doc__ or ""
