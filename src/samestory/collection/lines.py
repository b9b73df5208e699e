"""Lines of JSON of which some may be broken: each is told, and the others are taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from samestory.errors import InputError


def lenient_lines(path: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The objects of a file with the numbers of their lines; in the place of a broken one, what is wrong with it."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            yield number, "no JSON"
            continue
        yield number, found if isinstance(found, dict) else "no object"
