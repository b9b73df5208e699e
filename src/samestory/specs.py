"""Specs: a thing with parameters as text that can be read back, as in `minhash(bands=20, rows=5)`.

Detectors and measures are both written so: in commands, in result tables, in the metadata of an index, in test ids.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from samestory.errors import ParameterError


def parameter(default: Any, meaning: str) -> Any:
    """A field of a spec: its default, and what it means, for people who look it up."""
    return field(default=default, metadata={"meaning": meaning})


#: The highest number that the native core counts to. Nobody will want more, so people are not told of it.
COUNTABLE = 2**32


@dataclass(frozen=True)
class Range:
    """Where a number may lie: from `least`, or only above it, up to `most`."""

    least: float
    most: float
    above: bool = False

    def holds(self, value: float) -> bool:
        """Does it lie there?"""
        return (self.least < value if self.above else self.least <= value) and value <= self.most

    def __str__(self) -> str:
        low, high = (f"{end:.10g}" for end in (self.least, self.most))
        if self.most == float("inf"):
            return f"{'above' if self.above else 'at least'} {low}"
        return f"above {low} and at most {high}" if self.above else f"in [{low}, {high}]"

    def about(self, name: str) -> str:
        """The range of a parameter of this name, for people who look it up.

        >>> Range(0, 1).about("x"), Range(0, 1, above=True).about("x"), Range(0, COUNTABLE).about("x")
        ('0 ≤ x ≤ 1', '0 < x ≤ 1', 'x ≥ 0')
        """
        low = f"{self.least:.10g}"
        if self.most >= COUNTABLE:
            return f"{name} {'>' if self.above else '≥'} {low}"
        return f"{low} {'<' if self.above else '≤'} {name} ≤ {self.most:.10g}"


class Spec:
    """What a name and parameters make. Subclasses are frozen dataclasses: their fields are the parameters."""

    name: ClassVar[str]
    """The word used in specs."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    """There in every subclass; said here so that tools know it too."""

    def parameters(self, defaults: bool) -> str:
        """The parameters as they stand between the brackets, those at their default only if asked for."""
        shown = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.repr and (defaults or value != each.default):
                shown.append(f"{each.name}={value!r}")
        return ", ".join(shown)

    def __str__(self) -> str:
        return f"{self.name}({self.parameters(defaults=False)})"

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """Where its numbers may lie, by the name of the parameter; filled in as they are checked."""
        return {}

    def _check(self, name: str, least: float, most: float, above: bool = False) -> None:
        """Refuses a parameter outside its range: from `least`, or only above it, to `most`."""
        value, wanted = getattr(self, name), Range(least, most, above)
        self.ranges[name] = wanted
        kind: type = type(next(f.default for f in fields(self) if f.name == name))
        if isinstance(value, bool) or not isinstance(value, int | float):
            number = "a whole number" if kind is int else "a number"
            raise ParameterError(f"{self.name}: {name} must be {number} {wanted}, got {value!r}")
        if not wanted.holds(value):
            raise ParameterError(f"{self.name}: {name} must be {wanted}, got {value!r}")
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


class Table(Mapping[str, type[S]]):
    """Classes by name. Each is loaded when somebody asks for it: who wants one need not wait for forty."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self.package = package
        self.places = dict(places)
        """Where the class of each name is: `module.Class`."""

    def __getitem__(self, name: str) -> type[S]:
        module, _, cls = self.places[name].rpartition(".")
        found: type[S] = getattr(importlib.import_module(f"{self.package}.{module}"), cls)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def also(self, aliases: Mapping[str, str]) -> Table[S]:
        """The same with other names for some."""
        return Table(self.package, self.places | {alias: self.places[name] for alias, name in aliases.items()})


def parse(spec: str, table: Mapping[str, type[S]], what: str, example: str) -> S:
    """The thing of the table that a spec names; `what` and `example` are for the message when there is none."""
    name, arguments = _read(spec, example)
    name = name if name in table else name.replace("_", "-")
    if name not in table:
        near = difflib.get_close_matches(name, table, 1)
        raise ParameterError(
            f"no {what} is called {name!r}; there are {', '.join(sorted(table))}",
            f"did you mean {near[0]}?" if near else "",
        )
    cls = table[name]
    defaults = {each.name: each.default for each in fields(cls) if each.repr}
    for argument in arguments:
        if argument not in defaults:
            there_are = f"there are {', '.join(sorted(defaults))}" if defaults else "it has none"
            near = difflib.get_close_matches(argument, defaults, 1)
            raise ParameterError(
                f"{name}: no parameter is called {argument!r}; {there_are}", f"did you mean {near[0]}?" if near else ""
            )
    for argument, value in arguments.items():
        switch = isinstance(defaults[argument], bool)
        if switch != isinstance(value, bool) and not isinstance(defaults[argument], str):
            wanted = "True or False" if switch else "a number"
            raise ParameterError(f"{name}: {argument} must be {wanted}, got {value!r}")
    return cls(**arguments)


def _read(spec: str, example: str) -> tuple[str, dict[str, object]]:
    """The name and the arguments of a spec; only names, numbers, texts and True or False can stand there.

    A name may have hyphens, and a word that is no number need not stand in quotes: `dsc-varol(sampling=every_third)`.
    """
    found = re.fullmatch(r"\s*([A-Za-z]\w*(?:-\w+)*)\s*(\(.*\))?\s*", spec, re.DOTALL)
    try:
        call = ast.parse(f"x{found[2] or '()'}", mode="eval").body if found else None
        if found and isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return found[1], {str(k.arg): _value(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        pass
    raise ParameterError(f"a spec looks like {example!r}, got {spec!r}")


def _value(node: ast.expr) -> object:
    """A value; a word or the name of a file, as in `idf=news.idf`, is a text."""
    words = ast.unparse(node)
    return (
        words
        if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", words) and words not in ("True", "False", "None")
        else ast.literal_eval(node)
    )
