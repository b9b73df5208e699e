"""samestory show, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from samestory.html import Page
from samestory.html.extractors import Rules
from samestory.html.show import show
from tests.conftest import DEMO, Runner, Writer
from tests.readers.archives import answer, packed, record

FERRY = DEMO / "pages" / "coast-herald" / "ferry.html"


def test_the_command_writes_what_the_library_shows(samestory: Runner, tmp_path: Path, write: Writer) -> None:
    write("ferry.html", FERRY.read_bytes())
    done = samestory("show", "ferry.html", "-e", "rules", "-o", "blocks.html")
    assert (done.code, done.out, done.err) == (0, "", "")
    wanted = show(Page(FERRY.read_bytes()), Rules()).replace('<dl class="facts">', "", 1)
    place = "<div><dt>page</dt><dd>ferry.html</dd></div>"
    written = (tmp_path / "blocks.html").read_text(encoding="utf-8")
    assert written.replace(f'<dl class="facts">{place}', "", 1) == wanted
    assert samestory("show", "ferry.html", "-e", "rules").out == written


def test_one_of_many_pages_is_named_by_its_place(samestory: Runner, write: Writer) -> None:
    write("crawl.warc.gz", packed(*[record(n, answer(f"<p>Number {n}".encode())) for n in (1, 2)]))
    assert "Number 2" in samestory("show", "crawl.warc.gz", "--number", "2").out
    many = samestory("show", "crawl.warc.gz")
    assert many.code == 2
    assert "crawl.warc.gz: contains several pages\nhint: select one with --number" in many.err
    assert "no page 3" in samestory("show", "crawl.warc.gz", "--number", "3").err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["none.html"], 1, "none.html: unreadable: no such file or folder"),
        (["page.html", "-e", "rule"], 2, "did you mean rules?"),
        (["page.html", "--number", "0"], 2, "--number: expected at least 1, got 0"),
        (["page.html", "-o", "page.html"], 2, "page.html is one of the inputs"),
        (["picture.html"], 1, "samestory: picture.html: "),
    ],
)
def test_misuse_is_reported(samestory: Runner, write: Writer, options: list[str], code: int, message: str) -> None:
    write("page.html", "<p>One")
    write("picture.html", b"\x89PNG\r\n\x1a\n" + bytes(100))
    done = samestory("show", *options)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
