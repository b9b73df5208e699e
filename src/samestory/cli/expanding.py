"""Input paths that stand for several files: patterns, and folders of Parquet files."""

from __future__ import annotations

import argparse
import glob
import os
from pathlib import Path

from samestory.readers import is_missing, is_parquet

_OPTIONS = ("files", "against")


def expand_inputs(args: argparse.Namespace) -> None:
    """Replaces patterns and folders of Parquet files among the inputs by their files, sorted by name."""
    if not hasattr(args, "format") or getattr(args, "pages", False):
        return
    for option in _OPTIONS:
        if paths := getattr(args, option, None):
            setattr(args, option, [file for path in paths for file in _files(path, args.format)])


def _files(path: str, format: str | None) -> list[str]:
    """The files of a path: itself unless it is a pattern that matches some, or a folder of Parquet files.

    Parts of a pattern and files of a folder that begin with a dot or an underscore are left out.
    """
    if is_missing(path) and glob.has_magic(path):
        return sorted(glob.glob(path, recursive=True)) or [path]  # noqa: PTH207  a pattern may be absolute
    if path == "-" or not Path(path).is_dir() or format not in (None, "parquet"):
        return [path]
    found, others = [], False
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        for file in names:
            if is_parquet(file, None) and not file.startswith((".", "_")):
                found.append(str(Path(folder) / file))
            others = others or file.lower().endswith(".txt")
    # a folder of texts stays one, whatever else is in it
    return sorted(found) if found and (format or not others) else [path]
