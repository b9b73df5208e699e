"""Specs: a detector as text that can be read back, as in `minhash(bands=20, rows=5)`."""

from __future__ import annotations

import ast
from dataclasses import fields

from samestory.detectors.base import Detector
from samestory.errors import ParameterError


def parse(spec: str) -> Detector:
    """The detector that a spec names.

    >>> parse("minhash(threshold=0.5)") == parse("minhash(threshold = 0.5, rows=8)")
    True
    """
    from samestory.detectors import DETECTORS

    name, arguments = _read(spec)
    if name not in DETECTORS:
        raise ParameterError(f"no detector is called {name!r}; there are {', '.join(sorted(DETECTORS))}")
    cls = DETECTORS[name]
    known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
    for argument in arguments:
        if argument not in known:
            raise ParameterError(f"{name}: no parameter is called {argument!r}; there are {', '.join(sorted(known))}")
    defaults = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
    for argument, value in arguments.items():
        if isinstance(defaults[argument], bool) != isinstance(value, bool):
            wanted = "True or False" if isinstance(defaults[argument], bool) else "a number"
            raise ParameterError(f"{name}: {argument} must be {wanted}, got {value!r}")
    return cls(**arguments)


def _read(spec: str) -> tuple[str, dict[str, object]]:
    """The name and the arguments of a spec; only names, numbers and True or False can stand there."""
    try:
        call = ast.parse(spec.strip(), mode="eval").body
        if isinstance(call, ast.Name):
            return call.id, {}
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return call.func.id, {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        pass
    raise ParameterError(f"a spec looks like 'minhash(bands=20, rows=5)', got {spec!r}")
