"""The directive `command-reference`: all commands and options, read from the parser of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from samestory.cli import parser


def lines() -> Iterator[str]:
    """Yield the reference in Markdown: a section for each command, one below it for each of its subcommands."""
    for name, command in _subcommands(parser()):
        yield from _section(f"samestory {name}", command, "##")


def _section(name: str, command: argparse.ArgumentParser, level: str) -> Iterator[str]:
    yield from (f"{level} {name}", "", _sentence(command.description), "")
    if command.epilog:
        yield from ("```sh", command.epilog.removeprefix("example: "), "```", "")
    actions = [action for action in command._actions if not isinstance(action, argparse._HelpAction)]
    rows = [a for a in actions if not isinstance(a, argparse._SubParsersAction) and a.help != argparse.SUPPRESS]
    if rows:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| {_names(action)} | {_meaning(action)} |" for action in rows)
        yield ""
    for sub, parser_of_sub in _subcommands(command):
        yield from _section(f"{name} {sub}", parser_of_sub, level + "#")


def _subcommands(command: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _names(action: argparse.Action) -> str:
    value = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    if isinstance(value, tuple):
        value = " ".join(value)
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    if not action.option_strings:
        return f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{option}{takes}`" for option in action.option_strings)


def _meaning(action: argparse.Action) -> str:
    words = (action.help or "") % {**vars(action), "prog": "samestory"} if action.help else ""
    return _escaped(words)


def _escaped(words: str) -> str:
    """Escape what Markdown would read as markup: help is plain text, and a table splits cells at bars."""
    return "".join("\\" + letter if letter in "\\|*_<>[]`$" else letter for letter in " ".join(words.split()))


def _sentence(words: str | None) -> str:
    return _escaped(words or "")


class CommandReference(SphinxDirective):
    """The reference of all commands."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        return self.parse_text_to_nodes("\n".join(lines()), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-reference", CommandReference)
    return {"parallel_read_safe": True}
