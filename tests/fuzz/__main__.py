"""Gives pages to the parser and the extractors, in a child process, for a time; keeps what hurts.

    python -m tests.fuzz --seconds 60 --seed 1

A crash of the child, an error that is none of ours, a page that takes too long or too much memory, and an answer that
breaks a law ends the child; the page is kept, and another child goes on behind it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

from samestory.errors import NotAPage
from samestory.html import Extractor, Page, blocks, parse
from tests.fuzz.mutate import page

#: A page of these sizes takes a hundredth of this, and a tenth of that.
SECONDS = 5
MEMORY = 1 << 30

CHARSETS = (None, "utf-8", "windows-1254", "utf-16", "iso-2022-jp", "klingon")
EXTRACTORS = ("heuristic", "rules", "heuristic(least=5)", "maxent", "crf")


def main() -> int:
    """0: nothing found; 1: something was, and is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="number of the first page")
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"), help="where pages are kept that hurt")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return work(args.seed, args.seconds)
    first, number, until, found = args.seed, args.seed, time.monotonic() + args.seconds, 0
    while (left := until - time.monotonic()) > 0:
        number, why = watch(number, left)
        if why:
            found += 1
            args.keep.mkdir(exist_ok=True)
            (args.keep / f"{number}.html").write_bytes(page(number))
            print(f"page {number}: {why}; kept as {args.keep / f'{number}.html'}", flush=True)
        number += 1
    print(f"{number - first:,} pages in {args.seconds:.0f} s, {found} kept")
    return int(found > 0)


def watch(number: int, seconds: float) -> tuple[int, str]:
    """Lets a child work from a page on; the last page it began, and why it ended, if it ended badly."""
    words = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz", "--child"]
    child = subprocess.Popen(
        [*words, "--seed", str(number), "--seconds", str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stderr is not None
    last = number
    for line in child.stdout:  # a child that hangs is ended by its own alarm
        last = int(line)
    code, errors = child.wait(), child.stderr.read()
    if code == 0:
        return last, ""
    told = [line for line in errors.splitlines() if line.strip()]
    return last, f"exit {code}: {told[-1] if told else 'no word'}"


def work(number: int, seconds: float) -> int:
    """Works on one page after the other, saying the number of each before."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    extractors = []
    for spec in EXTRACTORS:
        try:
            extractors.append(parse(spec))
            extractors[-1].extract([Page(b"")])
        except OSError:  # a model that is not part of the package yet
            extractors.pop()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        print(number, flush=True)
        resource.setrlimit(resource.RLIMIT_CPU, (_cpu() + SECONDS, resource.RLIM_INFINITY))
        given = Page(page(number), "http://example.com.tr/", CHARSETS[number % len(CHARSETS)])
        check(given, extractors[number % len(extractors)])
        number += 1
    return 0


def _cpu() -> int:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return int(used.ru_utime + used.ru_stime) + 1


def is_unseen(letter: str) -> bool:
    """White space and control characters are not seen."""
    return letter.isspace() or unicodedata.category(letter) == "Cc"


def check(given: Page, extractor: Extractor) -> None:
    """The laws: an answer or NotAPage, the same for all; blocks that fit their page; texts made of blocks."""
    try:
        found = blocks(given)
    except NotAPage:
        found = None
    if found is not None:
        assert sum(len(block.text) for block in found) <= 3 * len(given.raw) + 100, "text out of nothing"
        for block in found:
            assert not all(map(is_unseen, block.text)), "a block of nothing"
            assert 0 <= block.linked <= block.tokens, "more tokens in links than there are"
            assert -1 <= block.element < len(found.elements), "an element that is not there"
            assert all(0 <= share <= block.tokens for share in block.gold), "more gold than tokens"
        for element, each in enumerate(found.elements):
            assert -1 <= each.parent < element, "a parent behind its child"
    one, other = extractor.extract([given, given])
    assert isinstance(one, NotAPage) == (found is None), f"{extractor} sees a page, or none, alone"
    assert "please report" not in str(one)[:200], f"{extractor} panicked"
    if not isinstance(one, NotAPage):
        assert one == other, f"{extractor} is not the same twice"
        one.text.encode()


if __name__ == "__main__":
    sys.exit(main())
