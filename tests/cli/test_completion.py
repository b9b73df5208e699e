"""Scripts of `samestory completion` complete commands, options and values."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from samestory.cli.completion import SHELLS, command_options
from samestory.cli.registry import COMMANDS
from tests.conftest import Runner


def completed(script: str, words: list[str]) -> list[str]:
    """What bash completes in place of the last word."""
    line = " ".join(f"'{word}'" for word in words)
    code = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _samestory; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_values(samestory: Runner) -> None:
    script = samestory("completion", "bash").out
    assert completed(script, ["samestory", "de"]) == ["dedup", "decide", "detectors"]
    assert completed(script, ["samestory", "dedup", "--ke"]) == ["--keep"]
    assert completed(script, ["samestory", "find", "--grouping", ""]) == ["star", "components", "majority"]
    assert completed(script, ["samestory", "find", "news"]) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_every_command_and_option(shell: str, samestory: Runner, tmp_path: Path) -> None:
    done = samestory("completion", shell)
    assert (done.code, done.err) == (0, "")
    for name in COMMANDS:
        assert name in done.out
        for option in command_options(name):
            names = [f"-l {each[2:]}" if shell == "fish" and each[1] == "-" else each for each in option.names]
            assert all(each in done.out for each in names if shell != "fish" or each.startswith("-l "))
    if shutil.which(shell):
        (tmp_path / "script").write_text(done.out)
        assert subprocess.run([shell, "-n", str(tmp_path / "script")]).returncode == 0


def test_an_unknown_shell_is_misuse(samestory: Runner) -> None:
    assert samestory("completion", "tcsh").code == 2
