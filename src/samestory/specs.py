"""Specs: a name with parameters as parseable text, as in `minhash(bands=20, rows=5)`.

Detectors, measures and extractors are written as specs in commands, result tables, index metadata and test ids.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from samestory.errors import ParameterError

#: The largest number that the native core counts to; bounds this high are not shown to users.
COUNTABLE = 2**32


@dataclass(frozen=True)
class Range:
    """The range of a number: from `least` (exclusive if `above`) to `most`."""

    least: float
    most: float
    above: bool = False

    def contains(self, value: float) -> bool:
        """Returns whether a value is in the range."""
        return (self.least < value if self.above else self.least <= value) and value <= self.most

    def __str__(self) -> str:
        low, high = (f"{end:.10g}" for end in (self.least, self.most))
        if self.most == float("inf"):
            return f"{'above' if self.above else 'at least'} {low}"
        return f"above {low} and at most {high}" if self.above else f"in [{low}, {high}]"

    def about(self, name: str) -> str:
        """Returns the range as an inequality of a parameter name, for the reference.

        >>> Range(0, 1).about("x"), Range(0, 1, above=True).about("x"), Range(0, COUNTABLE).about("x")
        ('0 ≤ x ≤ 1', '0 < x ≤ 1', 'x ≥ 0')
        """
        low = f"{self.least:.10g}"
        if self.most >= COUNTABLE:
            return f"{name} {'>' if self.above else '≥'} {low}"
        return f"{low} {'<' if self.above else '≤'} {name} ≤ {self.most:.10g}"


#: The range of shares and probabilities.
SHARE = Range(0, 1)


def parameter(default: Any, meaning: str, allowed: Range | tuple[str, ...] | None = None) -> Any:
    """Declares a field of a spec: its default, a description for the reference, and its range or choices."""
    return field(default=default, metadata={"meaning": meaning, "allowed": allowed})


class Spec:
    """An object written as a name with parameters. Subclasses are frozen dataclasses; fields are parameters."""

    name: ClassVar[str]
    """The name used in specs."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    """Present in every subclass; declared here for type checkers."""

    def __post_init__(self) -> None:
        """Rejects parameters outside their ranges and choices."""
        for each in fields(self):
            match each.metadata.get("allowed"):
                case Range() as range:
                    self._check(each.name, range)
                case tuple() as choices:
                    self._check_choice(each.name, *choices)
                case None if isinstance(each.default, bool) and "meaning" in each.metadata:
                    self._check_switch(each.name)

    def parameters(self, defaults: bool) -> str:
        """Returns the parameters as written between the brackets; those at their default only if `defaults`."""
        shown = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.repr and (defaults or value != each.default):
                shown.append(f"{each.name}={value!r}")
        return ", ".join(shown)

    def __str__(self) -> str:
        return f"{self.name}({self.parameters(defaults=False)})"

    @property
    def ranges(self) -> dict[str, Range]:
        """The ranges of numeric parameters by name."""
        allowed = {each.name: each.metadata.get("allowed") for each in fields(self)}
        return {name: range for name, range in allowed.items() if isinstance(range, Range)}

    def _check(self, name: str, wanted: Range) -> None:
        """Rejects a parameter outside its range."""
        value = getattr(self, name)
        kind: type = type(next(f.default for f in fields(self) if f.name == name))
        if isinstance(value, bool) or not isinstance(value, int | float):
            number = "a whole number" if kind is int else "a number"
            raise ParameterError(f"{self.name}: {name} must be {number} {wanted}, got {value!r}")
        if not wanted.contains(value):
            raise ParameterError(f"{self.name}: {name} must be {wanted}, got {value!r}")
        if kind is int and not isinstance(value, int):
            raise ParameterError(f"{self.name}: {name} must be a whole number, got {value!r}")
        # 1 and 1.0 are the same parameter and must print and hash alike
        object.__setattr__(self, name, kind(value))

    def _check_switch(self, name: str) -> None:
        """Rejects a value that is not a bool."""
        if not isinstance(getattr(self, name), bool):
            raise ParameterError(f"{self.name}: {name} must be True or False, got {getattr(self, name)!r}")

    def _check_choice(self, name: str, *choices: str) -> None:
        """Rejects a value that is not one of the choices."""
        value = getattr(self, name)
        if not isinstance(value, str) or value not in choices:
            raise ParameterError(f"{self.name}: {name} must be {' or '.join(map(repr, choices))}, got {value!r}")


S = TypeVar("S", bound=Spec)


class Table(Mapping[str, type[S]]):
    """Classes by name, each imported on first access, so that using one does not import forty."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self.package = package
        self.places = dict(places)
        """The location of each class by name: `module.Class`."""

    def __getitem__(self, name: str) -> type[S]:
        module, _, cls = self.places[name].rpartition(".")
        found: type[S] = getattr(importlib.import_module(f"{self.package}.{module}"), cls)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def also(self, aliases: Mapping[str, str]) -> Table[S]:
        """Returns the table extended by aliases."""
        return Table(self.package, self.places | {alias: self.places[name] for alias, name in aliases.items()})


def parse(spec: str, table: Mapping[str, type[S]], what: str, example: str, listing: str = "") -> S:
    """Parses a spec into an instance of a class of the table; `what` and `example` are used in error messages.

    `listing`: a command that lists the names, in place of the names in the error for an unknown one.
    """
    name, arguments = _read(spec, example)
    name = name if name in table else name.replace("_", "-")
    if name not in table:
        near = difflib.get_close_matches(name, table, 1)
        guess = f"did you mean {near[0]}?" if near else ""
        if listing:
            raise ParameterError(f"unknown {what} {name!r}", f"{guess} {listing} lists all".strip())
        raise ParameterError(f"unknown {what} {name!r}; available: {', '.join(sorted(table))}", guess)
    cls = table[name]
    defaults = {each.name: each.default for each in fields(cls) if each.repr}
    for argument in arguments:
        if argument not in defaults:
            available = f"available: {', '.join(sorted(defaults))}" if defaults else "it has no parameters"
            near = difflib.get_close_matches(argument, defaults, 1)
            raise ParameterError(
                f"{name}: unknown parameter {argument!r}; {available}", f"did you mean {near[0]}?" if near else ""
            )
    for argument, value in arguments.items():
        switch = isinstance(defaults[argument], bool)
        if switch != isinstance(value, bool) and not isinstance(defaults[argument], str):
            wanted = "True or False" if switch else "a number"
            raise ParameterError(f"{name}: {argument} must be {wanted}, got {value!r}")
        if isinstance(value, str) and "\0" in value:
            raise ParameterError(f"{name}: {argument} must not contain NUL, got {value!r}")
    return cls(**arguments)


def _read(spec: str, example: str) -> tuple[str, dict[str, object]]:
    """Returns the name and arguments of a spec; values are names, numbers, strings, True or False.

    A name may contain hyphens, and a word needs no quotes: `dsc-varol(sampling=every_third)`.
    """
    found = re.fullmatch(r"\s*([A-Za-z]\w*(?:-\w+)*)\s*(\(.*\))?\s*", spec, re.DOTALL)
    try:
        call = ast.parse(f"x{found[2] or '()'}", mode="eval").body if found else None
        if found and isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return found[1], {str(k.arg): _value(k.value) for k in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass  # MemoryError, too, is raised for nesting
    raise ParameterError(f"expected a spec like {example!r}, got {spec!r}")


def _value(node: ast.expr) -> object:
    """Returns the value of a node.

    A bare word or file name, as in `idf=news.idf`, and a spec, as in `inner=event(threshold=0.6)`, are strings.
    """
    source = ast.unparse(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
        return source
    return (
        source
        if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", source) and source not in ("True", "False", "None")
        else ast.literal_eval(node)
    )
