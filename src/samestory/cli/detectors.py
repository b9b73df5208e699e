"""samestory detectors: what methods there are and what can be set."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields

from samestory.detectors import DETECTORS

HELP = "List the detectors, what each finds, and its parameters with their defaults."
EXAMPLE = "samestory detectors --json"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("--json", action="store_true", help="one JSON line a detector")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    for name, cls in sorted(DETECTORS.items()):
        parameters = {f.name: f.default for f in fields(cls) if f.repr}
        if args.json:
            print(json.dumps({"name": name, "sees": cls.sees, "parameters": parameters}))
        else:
            shown = ", ".join(f"{key}={value}" for key, value in parameters.items())
            print(f"{name:<10}{cls.sees}\n{'':<10}{name}({shown})")
    return 0
