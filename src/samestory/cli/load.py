"""The option --load: modules of the user whose detectors an archive uses.

A stored spec such as `my_module:MyDetector()` never imports a module; the user names it.
"""

from __future__ import annotations

import argparse


def add_load(command: argparse.ArgumentParser) -> None:
    """Adds the option, for commands that open an archive."""
    command.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="MODULE",
        help="import this module first, for archives with its detectors; can be repeated",
    )


def load_modules(args: argparse.Namespace) -> None:
    """Imports the modules of the arguments, also from the current folder."""
    if modules := getattr(args, "load", None):
        from samestory.detectors.plugins import load_module

        for module in modules:
            load_module(module, "--load")
