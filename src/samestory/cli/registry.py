"""The commands by name. The only place where the library names modules of the workbench, imported when one runs."""

from __future__ import annotations

import importlib
from typing import Any

#: All commands in the order of the help; each has a module with `HELP`, `EXAMPLE`, `arguments` and `run`.
COMMANDS = (
    *("extract", "dedup", "find", "relate", "fit", "group", "explain", "entities", "decide"),
    *("index", "follow", "collection", "evaluate", "tune", "audit", "tag", "train-extractor", "fit-r"),
    *("show", "portal", "judge", "reproduce", "detectors", "measures", "gazetteers", "completion"),
)
#: Those of the workbench.
WORKBENCH = frozenset(
    {
        *("collection", "evaluate", "tune", "audit", "tag", "train-extractor", "fit-r"),
        *("judge", "reproduce", "measures", "gazetteers"),
    }
)


def module_name(command: str) -> str:
    """Returns the name of the module of a command."""
    package = "samestory.lab.cli" if command in WORKBENCH else "samestory.cli"
    return f"{package}.{command.replace('-', '_')}"


def module(command: str) -> Any:
    """Imports the module of a command."""
    return importlib.import_module(module_name(command))
