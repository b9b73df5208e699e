"""Detectors from outside of this package: by entry point (`samestory.detectors`) or by import path (`module:Class`)."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import is_dataclass
from pathlib import Path

from samestory.detectors.base import Detector
from samestory.detectors.entry_points import installed
from samestory.errors import ParameterError

#: An import path with optional parameters, as in `my_package.mine:Mine(threshold=0.5)`.
IMPORT_PATH = re.compile(r"\s*([A-Za-z_]\w*(?:\.\w+)*:[A-Za-z_]\w*)\s*(\(.*\))?\s*", re.DOTALL)

#: The name of a module, as in `my_package.mine`.
MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def load_installed(name: str) -> type[Detector]:
    """The class of the entry point with this name."""
    point = installed()[name]
    try:
        found = point.load()
    except Exception as error:
        package = point.dist.name if point.dist else point.value
        raise ParameterError(f"detector {name!r} of the package {package} cannot be loaded: {error}") from error
    return check_class(found, point.value)


def load_path(path: str, imports: bool) -> type[Detector]:
    """The class with an import path, `module:Class`. With `imports`, its module is imported, also from this folder.

    Specs in stored data must not import modules: for them, the module was imported before, or there is an error.
    """
    module, _, name = path.partition(":")
    if imports and module not in sys.modules:
        load_module(module, path)
    if module not in sys.modules:
        raise ParameterError(
            f"the detector {path} is not loaded",
            f"pass --load {module}, or register the detector as an entry point (CONTRIBUTING.md)",
        )
    found = getattr(sys.modules[module], name, None)
    if found is None:
        raise ParameterError(f"{path}: the module {module} has no class {name}")
    return check_class(found, path)


def load_module(module: str, place: str) -> None:
    """Imports a module that the user has named, also from the current folder; `place` is named in errors."""
    if not MODULE.fullmatch(module):
        raise ParameterError(f"{place}: expected the name of a module such as my_module, got {module!r}")
    here = str(Path.cwd())
    added = here not in sys.path and "" not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        importlib.import_module(module)
    except Exception as error:  # of any kind: the module is the user's
        hint = f"pass the name of the module: {module.removesuffix('.py')}" if module.endswith(".py") else ""
        raise ParameterError(f"{place}: cannot import {module}: {error}", hint) from error
    finally:
        if added:
            sys.path.remove(here)


def check_class(found: object, path: str) -> type[Detector]:
    """The class of a detector, checked."""
    if not (isinstance(found, type) and issubclass(found, Detector)):
        raise ParameterError(f"{path} is no detector", "a detector is a subclass of samestory.Detector")
    if not is_dataclass(found) or not isinstance(getattr(found, "name", None), str):
        raise ParameterError(f"{path}: a detector is a frozen dataclass with a name")
    return found
