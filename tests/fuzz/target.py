"""What a target is, and the errors that an input may raise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from samestory.errors import SamestoryError


@dataclass(frozen=True)
class Target:
    """Functions that read values from outside, and how to call them with random ones."""

    name: str
    functions: tuple[str, ...]
    """The native functions that it calls, as `detectors.Detector.compare`; a class stands for its constructor."""
    make: Callable[[Random], Any]
    """Returns an input: a Python literal, so that it can be kept as text."""
    run: Callable[[Any], None]
    """Calls the functions; raises SamestoryError for an invalid input, and nothing else."""

    def input(self, number: int) -> Any:
        """Return the input with this number: always the same."""
        return self.make(Random(f"{self.name} {number}"))

    def check(self, value: Any) -> None:
        """Run an input; errors of samestory are correct answers."""
        try:
            self.run(value)
        except SamestoryError as error:
            assert "please report" not in str(error)[:200], f"a panic was caught: {error}"


def attempt(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function; None in place of an error of samestory."""
    try:
        return function(*arguments, **options)
    except SamestoryError:
        return None
