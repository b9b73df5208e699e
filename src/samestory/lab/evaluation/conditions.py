"""Conditions on the lines of a gold file, as text: `overlap3<0.1`, `same:overlap3<0.1`, `orig>=0`, `lang=tr`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from samestory.errors import ParameterError

_SHAPE = re.compile(r"(?:(?P<label>\w+):)?(?P<field>\w+)\s*(?P<sign><=|>=|<|>|!=|=)\s*(?P<value>.+)")
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True)
class Condition:
    """A field compared with a value, optionally restricted to lines with one label.

    >>> Condition.parse("same:overlap3<0.1").holds({"label": "same", "overlap3": 0.05})
    True
    """

    field: str
    sign: str
    value: float | str
    label: str | None = None

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition such as "same:overlap3<0.1"."""
        match = _SHAPE.fullmatch(text.strip())
        if not match:
            raise ParameterError(f"a condition looks like 'same:overlap3<0.1' or 'orig>=0', got {text!r}")
        value: float | str = match["value"].strip()
        try:
            value = float(value)
        except ValueError:
            if match["sign"] not in ("=", "!="):
                raise ParameterError(f"{match['sign']} needs a number, got {value!r} in {text!r}") from None
        return cls(match["field"], match["sign"], value, match["label"])

    def holds(self, line: Mapping[str, Any]) -> bool:
        """Whether a line satisfies the condition; a line without the field, or with another label, does not."""
        if self.label is not None and str(line.get("label")) != self.label:
            return False
        value = line.get(self.field)
        if value is None or isinstance(value, (list, dict)):
            return False
        if isinstance(self.value, float):
            try:
                return _SIGNS[self.sign](float(value), self.value)
            except (TypeError, ValueError, OverflowError):
                return self.sign == "!="
        return _SIGNS[self.sign](str(value), self.value)

    def __str__(self) -> str:
        value = f"{self.value:g}" if isinstance(self.value, float) else self.value
        return f"{f'{self.label}:' if self.label else ''}{self.field}{self.sign}{value}"
