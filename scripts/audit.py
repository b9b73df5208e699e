"""Check the locked dependencies against known vulnerabilities, as far as that is possible here.

    python scripts/audit.py      exits with 1 if a dependency has a known vulnerability or a licence that is not allowed

A check whose program is not installed, or whose advisories cannot be fetched, is skipped with the reason.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements/dev.txt", "requirements/release.txt")

#: What the programs print if they cannot fetch the advisories.
UNREACHABLE = ("fetch", "network", "connection", "resolve host", "timed out", "dns", "certificate")


class SkippedError(Exception):
    """A check that cannot be made here, with the reason."""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of the path, or beside this Python."""
    beside = Path(sys.executable).with_name(words[0])
    program = str(beside) if beside.exists() else shutil.which(words[0])
    if program is None:
        raise SkippedError(f"{words[0]} is not installed")
    return subprocess.run([program, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)


def cargo(*words: str) -> str:
    """Runs a cargo command; returns its complaints, empty if there are none."""
    done = run(*words)
    if done.returncode == 0:
        return ""
    message = (done.stderr + done.stdout).strip()
    if any(sign in message.lower() for sign in UNREACHABLE) and "vulnerabilit" not in message.lower():
        raise SkippedError(f"the advisories cannot be fetched: {message.splitlines()[-1]}")
    return message


def python(lock: str) -> str:
    """Audits a lock file; returns the vulnerabilities, empty if there are none."""
    done = run("pip-audit", "--requirement", lock, "--disable-pip", "--no-deps", "--format", "json")
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        lines = done.stderr.strip().splitlines() or ["pip-audit failed"]
        raise SkippedError(f"the advisories cannot be fetched: {lines[-1]}") from None
    known = [each for each in found if "skip_reason" not in each]
    if not known:
        raise SkippedError("the advisories cannot be fetched: the index has none")
    return "\n".join(
        f"{each['name']} {each['version']}: {', '.join(one['id'] for one in each['vulns'])}"
        for each in known
        if each["vulns"]
    )


CHECKS: dict[str, Callable[[], str]] = {
    "licences, bans and sources of crates": lambda: cargo("cargo-deny", "check", "licenses", "bans", "sources"),
    "advisories of crates": lambda: cargo("cargo-deny", "check", "advisories"),
    "advisories of crates (RustSec)": lambda: cargo("cargo-audit", "audit"),
    **{f"advisories of {lock}": (lambda lock=lock: python(lock)) for lock in LOCKS},
}


def main() -> int:
    """Runs all checks."""
    failed = False
    for name, check in CHECKS.items():
        try:
            complaints = check()
        except SkippedError as why:
            print(f"skipped: {name}: {why}")
            continue
        failed = failed or bool(complaints)
        print(f"failed: {name}\n{complaints}" if complaints else f"passed: {name}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
