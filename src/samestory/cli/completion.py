"""samestory completion: prints a script with which a shell completes commands, options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from shlex import quote
from typing import NamedTuple

from samestory.cli.registry import COMMANDS, module
from samestory.output import write_out

HELP = "Print a script that completes commands, options and their values in bash, zsh or fish."
EXAMPLE = "samestory completion bash > ~/.local/share/bash-completion/completions/samestory"
SHELLS = ("bash", "zsh", "fish")


class CommandOption(NamedTuple):
    """An option of a command: its names, its values if there is a choice of them, and its help."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    help: str


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]()
    write_out(("\n".join(lines) + "\n").encode())
    return 0


def command_options(name: str) -> list[CommandOption]:
    """Returns the options of a command."""
    parser = argparse.ArgumentParser(prog=f"samestory {name}")
    module(name).arguments(parser)
    return [
        CommandOption(tuple(action.option_strings), tuple(map(str, action.choices or ())), str(action.help or ""))
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    ]


def _bash() -> Iterator[str]:
    """A function that completes the command, then its options, values of the option before, and files."""
    yield from (
        "_samestory() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    )
    yield '  case "$COMP_CWORD:${COMP_WORDS[1]}:$before" in'
    yield f"    1:*) words={quote(' '.join((*COMMANDS, '--help', '--version')))} ;;"
    for name in COMMANDS:
        options = command_options(name)
        for option in options:
            if option.choices:
                places = "|".join(f"*:{name}:{each}" for each in option.names)
                yield f"    {places}) words={quote(' '.join(option.choices))} ;;"
        names = " ".join(each for option in options for each in option.names)
        yield f'    *:{name}:*) [[ "$word" == -* ]] && words={quote(names)} ;;'
    yield from ("  esac", '  COMPREPLY=($(compgen -W "$words" -- "$word"))', "}")
    yield "complete -o default -F _samestory samestory"


def _zsh() -> Iterator[str]:
    """The function of bash, which zsh can run."""
    yield from ("#compdef samestory", "autoload -Uz bashcompinit && bashcompinit")
    yield from _bash()


def _fish() -> Iterator[str]:
    """One line for every command and option."""
    for name in COMMANDS:
        yield f"complete -c samestory -n __fish_use_subcommand -a {name} -d {quote(module(name).HELP)}"
        for option in command_options(name):
            words = [f"-s {each[1:]}" if len(each) == 2 else f"-l {each[2:]}" for each in option.names]
            values = f" -x -a {quote(' '.join(option.choices))}" if option.choices else ""
            about = f"-d {quote(option.help.replace('%%', '%'))}"
            yield f"complete -c samestory -n '__fish_seen_subcommand_from {name}' {' '.join(words)}{values} {about}"
