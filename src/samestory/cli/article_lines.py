"""Articles as JSON lines, which the other commands read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from samestory.cli.result_files import check_result, line_stream
from samestory.errors import InputError
from samestory.model import Article
from samestory.output import Outputs
from samestory.readers import ROLES

if TYPE_CHECKING:
    from samestory.archive import Archive


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments of `index export`."""
    command.add_argument("ids", nargs="*", metavar="ID", help="ids of articles (default: all)")
    command.add_argument(
        "-o", "--output", metavar="FILE", help="write the articles to this file (default: standard output)"
    )


def export(archive: Archive, args: argparse.Namespace) -> None:
    """Writes stored articles as JSON lines, in order of arrival or in that of their ids."""
    check_result("--output", args.output, has_tables=False)
    known = archive.articles(args.ids) if args.ids else {}
    for id in args.ids:
        if id not in known:
            raise InputError(f"no article has the id {id!r}")
    found = (known[id] for id in args.ids) if args.ids else archive.each()
    with Outputs() as out:
        with line_stream(out, args.output) as write:
            for each in found:
                write(line(each.article))
        out.commit()


def line(article: Article, others: Mapping[str, Any] | None = None) -> bytes:
    """Formats an article as a JSON line, with its metadata and other fields; unknown fields are omitted."""
    row = {role: getattr(article, role) for role in ROLES if getattr(article, role) is not None}
    row |= article.metadata
    row |= others or {}
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
