"""samestory detectors: lists the detectors and their parameters."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from samestory.detectors import ALIASES, DETECTORS, Detector, parse
from samestory.detectors.entry_points import installed
from samestory.detectors.plugins import load_installed
from samestory.errors import ParameterError
from samestory.model import Kind

HELP = "List the detectors with what each detects, or print one with its parameters, their meaning and defaults."
EXAMPLE = "samestory detectors ffp"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("name", nargs="?", metavar="NAME", help="print all parameters of this detector")
    command.add_argument("--json", action="store_true", help="one JSON line per detector")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    chosen = [type(parse(args.name))] if args.name else list(_all())
    for cls in chosen:
        if args.json:
            print(json.dumps(described(cls)))
        elif args.name:
            _print_detector(cls)
        else:
            print(f"{cls.name:<14}{cls.summary}\n{'':<14}{_traits(cls)}")
    if not args.name and not args.json:
        for alias, name in sorted(ALIASES.items()):
            print(f"{alias:<14}alias of {name}")
    return 0


def _all() -> Iterator[type[Detector]]:
    """The detectors of this package, then those of other installed packages; warns of those that cannot be loaded."""
    yield from (cls for _, cls in sorted(DETECTORS.items()))
    for name in sorted(installed()):
        try:
            yield load_installed(name)
        except ParameterError as error:
            print(f"warning: {error}", file=sys.stderr)


def described(cls: type[Detector]) -> dict[str, Any]:
    """Returns the JSON description of a detector."""
    return {
        "name": cls.name,
        "aliases": sorted(alias for alias, name in ALIASES.items() if name == cls.name),
        "summary": cls.summary,
        "reports": sorted(map(str, cls.reports)),
        "directed": Kind.PART_OF in cls.reports,
        "needs_fitting": not cls().fitted,
        "paper": cls.paper or None,
        "parameters": {f.name: f.default for f in fields(cls) if f.repr},
        "ranges": {name: each.about(name) for name, each in cls().ranges.items()},
        "meanings": {f.name: f.metadata.get("meaning", "") for f in fields(cls) if f.repr},
    }


def _traits(cls: type[Detector]) -> str:
    """Formats the relation kinds, whether they are directed, whether fitting is needed, and the paper."""
    traits = [", ".join(sorted(map(str, cls.reports)))]
    traits.append("directed" if Kind.PART_OF in cls.reports else "symmetric")
    if not cls().fitted:
        traits.append("weighs words")
    if cls.paper:
        traits.append(cls.paper)
    return " · ".join(traits)


def _print_detector(cls: type[Detector]) -> None:
    sys.stdout.write(f"{cls.name}: {cls.summary}\n{_traits(cls)}\n\n{inspect.cleandoc(_page(cls))}\n")
    ranges = cls().ranges
    shown = [
        (f"{f.name} = {f.default!r}", ranges[f.name].about(f.name) if f.name in ranges else "", f.metadata["meaning"])
        for f in fields(cls)
        if f.repr
    ]
    if shown:
        widths = [max(len(row[column]) for row in shown) for column in (0, 1)]
        print("\nparameters")
        for default, range_text, meaning in shown:
            print(f"  {default:<{widths[0]}}  {range_text:<{widths[1]}}  {meaning}")


def _page(cls: type[Detector]) -> str:
    module = inspect.getmodule(cls)
    return (module and module.__doc__) or cls.__doc__ or ""
