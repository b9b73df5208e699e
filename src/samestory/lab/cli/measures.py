"""samestory measures: the available measures, their inputs and formulas."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields

HELP = "List the measures: what each counts, its formula, its parameters with their defaults."
EXAMPLE = "samestory measures --json"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("--json", action="store_true", help="one JSON line per measure")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from samestory.lab.measures import MEASURES

    for name, cls in MEASURES.items():
        parameters = {f.name: f.default for f in fields(cls) if f.repr}
        needs = [data.what for data in cls.needs]
        if args.json:
            row = {"name": name, "unit": cls.unit, "needs": needs, "formula": cls.formula, "parameters": parameters}
            print(json.dumps(row, ensure_ascii=False))
        else:
            shown = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
            print(f"{name}({shown})\n    {cls.formula}\n    counts: {cls.unit}; computed from: {', '.join(needs)}")
    return 0
