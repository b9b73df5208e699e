"""Specs: a thing with parameters as text that can be read back, as in `minhash(bands=20, rows=5)`.

Detectors and measures are both written so: in commands, in result tables, in the metadata of an index, in test ids.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar, TypeVar

from samestory.errors import ParameterError


class Spec:
    """What a name and parameters make. Subclasses are frozen dataclasses: their fields are the parameters."""

    name: ClassVar[str]
    """The word used in specs."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    """There in every subclass; said here so that tools know it too."""

    def parameters(self, defaults: bool) -> str:
        """The parameters as they stand between the brackets, those at their default only if asked for."""
        shown = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.repr and (defaults or value != field.default):
                shown.append(f"{field.name}={value!r}")
        return ", ".join(shown)

    def __str__(self) -> str:
        return f"{self.name}({self.parameters(defaults=False)})"

    def _check(self, name: str, least: float, most: float) -> None:
        """Refuses a parameter outside its range."""
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            wanted = f"at least {least:g}" if most == float("inf") else f"in [{least:g}, {most:g}]"
            raise ParameterError(f"{self.name}: {name} must be {wanted}, got {value!r}")
        kind: type = type(next(f.default for f in fields(self) if f.name == name))
        if kind is int and not isinstance(value, int):
            raise ParameterError(f"{self.name}: {name} must be a whole number, got {value!r}")
        # 1 and 1.0 are one parameter, and must read and hash as one
        object.__setattr__(self, name, kind(value))

    def _check_switch(self, name: str) -> None:
        """Refuses what is neither True nor False."""
        if not isinstance(getattr(self, name), bool):
            raise ParameterError(f"{self.name}: {name} must be True or False, got {getattr(self, name)!r}")

    def _check_choice(self, name: str, *choices: str) -> None:
        """Refuses a word that is not one of the choices."""
        value = getattr(self, name)
        if not isinstance(value, str) or value not in choices:
            raise ParameterError(f"{self.name}: {name} must be {' or '.join(map(repr, choices))}, got {value!r}")


S = TypeVar("S", bound=Spec)


def parse(spec: str, table: Mapping[str, type[S]], what: str, example: str) -> S:
    """The thing of the table that a spec names; `what` and `example` are for the message when there is none."""
    name, arguments = _read(spec, example)
    if name not in table:
        raise ParameterError(f"no {what} is called {name!r}; there are {', '.join(sorted(table))}")
    cls = table[name]
    defaults = {field.name: field.default for field in fields(cls)}
    for argument in arguments:
        if argument not in defaults:
            there_are = f"there are {', '.join(sorted(defaults))}" if defaults else "it has none"
            raise ParameterError(f"{name}: no parameter is called {argument!r}; {there_are}")
    for argument, value in arguments.items():
        switch = isinstance(defaults[argument], bool)
        if switch != isinstance(value, bool) and not isinstance(defaults[argument], str):
            wanted = "True or False" if switch else "a number"
            raise ParameterError(f"{name}: {argument} must be {wanted}, got {value!r}")
    return cls(**arguments)


def _read(spec: str, example: str) -> tuple[str, dict[str, object]]:
    """The name and the arguments of a spec; only names, numbers, texts and True or False can stand there."""
    try:
        call = ast.parse(spec.strip(), mode="eval").body
        if isinstance(call, ast.Name):
            return call.id, {}
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return call.func.id, {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        pass
    raise ParameterError(f"a spec looks like {example!r}, got {spec!r}")
