"""What goes out: files whole or not at all, and texts that people can be shown."""

from __future__ import annotations

import os
from pathlib import Path

#: Control characters, each as an escape that can be read; what people see must not steer their terminal or page.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}
ONE_LINE = CONTROLS | {9: " ", 10: " ", 13: " "}


def write_file(path: Path, data: bytes) -> None:
    """Writes a file in one step: it is there whole or not at all. Pipes and devices are written to as they are."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    trial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        trial.write_bytes(data)
        trial.replace(path)
    except BaseException:
        trial.unlink(missing_ok=True)
        raise


def printable(text: str, one_line: bool = True) -> str:
    """A text as it may be shown to people.

    >>> printable("news\\x1b[2J")
    'news\\\\x1b[2J'
    """
    return text.translate(ONE_LINE if one_line else CONTROLS)
