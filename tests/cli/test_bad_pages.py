"""Hostile pages through the real command: bounded time and memory, one clear message, and the run continues."""

from __future__ import annotations

import gzip
import json
import os
import random
import socket
import zipfile
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, Done, Runner, Writer
from tests.readers.archives import answer, packed, record

GOOD = "<html><head><title>Ferry</title></head><body><p>The ferry to the island runs again.</p></body></html>"

#: Memory limit of the command: some twenty times the largest page here.
MEMORY = 512 << 20

#: These pages are too small to distinguish content from boilerplate; extracting all text shows that they were read.
ALL = ("-e", "heuristic")


@pytest.fixture
def run(samestory: Runner) -> Runner:
    """Runs the command with no more memory than it may need."""
    return partial(samestory, memory=MEMORY)


def messages(done: Done) -> list[str]:
    return [line for line in done.err.splitlines() if line.startswith("samestory: ")]


def laughs() -> str:
    inner = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{inner}]><html><body><p>&l9; words</p></body></html>'


_PARAGRAPH = f"<div class=story><p>{'words and more words ' * 100}<a href=/x>end</a></p></div>\n"

#: A page, and words that its article has.
READ: dict[str, tuple[bytes, str]] = {
    "broken markup": (b"<p>one<b>two<table><td>three</p></div></b><a href='x\"><li>four<!-- five", "onetwo"),
    "nesting 10,000 deep": (b"<div>" * 10_000 + b"deep words" + b"</div>" * 10_000, "deep words"),
    "a page of 20 MB": (_PARAGRAPH.encode() * (20_000_000 // len(_PARAGRAPH)), "words and more words"),
    "endless attributes": (b"<p " + b" ".join(b"a%d=%d" % (n, n) for n in range(500_000)) + b">words", "words"),
    "an endless attribute": (b"<p class='" + b"x " * 5_000_000 + b"'>words", "words"),
    "a wrong charset": (
        "<meta charset=utf-8><p>Yağış sürüyor, İstanbul'da okullar tatil".encode("windows-1254"),
        "Yağış",
    ),
    "a charset that is none": (b"<meta charset=klingon><p>plain words", "plain words"),
    "entities of its own": (laughs().encode(), "&l9; words"),
    "many entities": (b"<p>" + b"&lt;&amp;&#x41;&nosuch;" * 200_000, "<&A"),
    "frames with words for those without": (b"<frameset><noframes><p>words</p></noframes></frameset>", "words"),
    "NUL bytes": (b"<p>so\0me words that are long enough\0", "some words"),
}

#: Inputs that are not pages, and their messages.
REFUSED: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "empty text: no content found on the page"),
    "an empty page": (b"<html><body> &nbsp; </body></html>", "empty text: no content found on the page"),
    "frames": (b"<frameset><frame src=a.html></frameset>", "empty text: a frameset: the text is on other pages"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a page: a PNG picture"),
    "noise": (random.Random(1).randbytes(1 << 20), "not a page: "),
    "nothing but script": (b"<script>" + b"var x = 1;" * 1000 + b"</script>", "empty text: "),
    "a tag that never ends": (b"<p title='" + b"x" * 1_000_000, "empty text: "),
}


@pytest.mark.parametrize("raw, words", READ.values(), ids=READ.keys())
def test_a_page_that_hurts_is_read_and_its_neighbours_are(raw: bytes, words: str, write: Writer, run: Runner) -> None:
    write("1.html", GOOD)
    write("2.html", raw)
    write("3.html", GOOD)
    done = run("extract", "1.html", "2.html", "3.html", *ALL)
    assert (done.code, messages(done)) == (0, [])
    assert [row["id"] for row in done.rows] == ["1.html", "2.html", "3.html"]
    assert words in done.rows[1]["text"]


@pytest.mark.parametrize("raw, why", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_page_is_reported_once_and_its_neighbours_are_read(
    raw: bytes, why: str, write: Writer, run: Runner
) -> None:
    write("1.html", GOOD)
    write("2.html", raw)
    write("3.html", GOOD.replace("island", "other bank of the river"))
    for words in (["extract"], ["find", "--pages"]):
        done = run(*words, "1.html", "2.html", "3.html", *ALL)
        assert done.code == 0
        (message,) = messages(done)
        assert message.startswith(f"samestory: 2.html: {why}")
        assert "2 articles" in done.err
    done = run("extract", "2.html", *ALL)
    assert (done.code, done.out) == (1, "")
    assert messages(done)[1:] == ["samestory: no articles found on these pages"]


def archive(folder: Path, name: str) -> str:
    """Writes a source that cannot be read, or only in part; returns its message."""
    good = packed(record(1, answer(GOOD.encode())), record(2, answer(os.urandom(9000).hex().encode())))
    path = folder / name
    if name == "cut.warc.gz":
        path.write_bytes(good[:-3000])
        return f"{name}:2: damaged: the file is truncated: "
    if name == "no.warc.gz":
        path.write_bytes(b"words, no archive\n" * 100)
        return f"{name}: unreadable: not a web archive: 1800 bytes where a record should begin"
    if name == "no.zip":
        path.write_bytes(b"PK and words")
        return f"{name}: unreadable: not a ZIP archive: "
    if name == "empty folder":
        path.mkdir()
        return f"{name}: unreadable: no pages (*.html)"
    if name == "bomb.html.gz":
        path.write_bytes(gzip.compress(bytes(80 << 20)))
        return f"{name}: too large: more than 67108864 bytes"
    if name == "bomb.zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("a.html", bytes(60 << 20))
        return f"{name}/a.html: too large: "
    if name == "bomb.warc.gz":
        body = gzip.compress(bytes(80 << 20))
        path.write_bytes(packed(record(1, answer(body, "Content-Encoding: gzip"))))
        return f"{name}:1: too large: more than 67108864 bytes (http://example.com/1)"
    if name == "long.warc.gz":
        path.write_bytes(gzip.compress(record(1, answer(bytes(80 << 20)))))
        return f"{name}:1: too large: 8388"
    if name == "bomb.jsonl.gz":
        path.write_bytes(gzip.compress(b'{"html": "' + b"x" * (140 << 20)))
        return f"{name}:1: too large: a line of more than "
    return f"{name}: unreadable: no such file or folder"


SOURCES = [
    "cut.warc.gz",
    "no.warc.gz",
    "no.zip",
    "empty folder",
    "missing.html",
    "bomb.html.gz",
    "bomb.zip",
    "bomb.warc.gz",
    "long.warc.gz",
    "bomb.jsonl.gz",
]


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_that_cannot_be_read_is_reported_once_and_the_others_are_read(
    name: str, write: Writer, run: Runner, tmp_path: Path
) -> None:
    write("good.html", GOOD)
    why = archive(tmp_path, name)
    for words in (["extract"], ["find", "--pages"]):
        done = run(*words, name, "good.html", *ALL)
        is_lost = "unreadable" in why or "damaged" in why
        assert done.code == is_lost, done.err
        message, *lost = messages(done)
        assert message.startswith(f"samestory: {why}")
        assert ["not all input was read" in line for line in lost] == [True] * is_lost
        assert "good.html" in done.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_rights_is_reported(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("closed/a.html", GOOD)
    write("good.html", GOOD)
    (tmp_path / "closed").chmod(0)
    try:
        done = samestory("extract", "closed", "good.html", *ALL)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert [row["id"] for row in done.rows] == ["good.html"]
    assert messages(done) == ["samestory: closed: unreadable: permission denied"]


def test_names_that_are_no_text_are_ids_that_are(samestory: Runner, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / os.fsdecode(b"\xe9t\xe9.html")).write_text(GOOD)
    (tmp_path / "site" / "caf\u00e9.html").write_text(GOOD)
    assert [row["id"] for row in samestory("extract", "site", *ALL).rows] == ["site/café.html", "site/\\xe9t\\xe9.html"]
    assert samestory("find", "--pages", "site", *ALL).groups == {frozenset(["site/café.html", "site/\\xe9t\\xe9.html"])}


def test_what_a_page_says_does_not_steer_the_terminal(samestory: Runner, write: Writer) -> None:
    write(
        "crawl.warc", record(1, answer(b"\x1b]0;x\x07<title>\x1b[2J</title>")).replace(b"example.com/1", b"x/\x1b[31m")
    )
    write("p.jsonl", [{"html": "", "url": "http://x/\x1b[2J"}, {"html": GOOD}])
    done = samestory("extract", "crawl.warc", "p.jsonl", *ALL)
    assert "\x1b" not in done.err
    assert "\x1b" not in done.out
    assert messages(done)


def test_nothing_that_a_page_names_is_fetched(write: Writer, run: Runner, tmp_path: Path) -> None:
    """A listening server gets no connection, whatever the page or command refers to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        port = server.getsockname()[1]
        here = f"http://127.0.0.1:{port}"
        page = (
            f'<?xml version="1.0"?><?xml-stylesheet href="{here}/a.xsl"?>'
            f'<!DOCTYPE html SYSTEM "{here}/a.dtd" [<!ENTITY x SYSTEM "{here}/x"><!ENTITY y SYSTEM "file:///etc/hostname">]>'
            f'<html manifest="{here}/m"><head><base href="{here}/"><link rel=stylesheet href=a.css>'
            f'<link rel=prefetch href="{here}/p"><link rel=canonical href="{here}/c">'
            f'<link rel=amphtml href="{here}/amp">'
            f'<meta http-equiv=refresh content="0;url={here}/r"><meta property=og:url content="{here}/og">'
            f'<script src="{here}/s.js"></script><script>fetch("{here}/f")</script>'
            f'<script type="application/ld+json">{{"@context": "{here}/ld", "@id": "{here}/id"}}</script>'
            f'<style>@import url("{here}/i.css")</style></head>'
            f'<body background="{here}/b.png" onload="location=\'{here}/l\'"><p>&x;&y; Some words to read, at last.</p>'
            f'<img src="{here}/i.png" srcset="{here}/j.png 2x"><iframe src="{here}/f.html"></iframe>'
            f'<video src="{here}/v"></video><object data="{here}/o"></object><embed src="{here}/e">'
            f'<xi:include href="{here}/xi"/></body></html>'
        )
        write("site/page.html", page)
        write("site/page.xhtml", page)
        write("crawl.warc", record(1, answer(page.encode())).replace(b"http://example.com/1", f"{here}/1".encode()))
        write("p.jsonl", [{"url": f"{here}/2", "html": page}])
        for extractor in ("heuristic", "rules"):
            done = run("extract", "site", "crawl.warc", "p.jsonl", "-e", extractor)
            assert len(done.rows) == 4 or extractor == "rules"
            assert json.dumps(socket.gethostname()) not in done.out
        assert run("find", "--pages", "site", "crawl.warc", "p.jsonl", *ALL).code == 0
        with pytest.raises(BlockingIOError):
            server.accept()
        with socket.create_connection(("127.0.0.1", port)):
            server.settimeout(PATIENCE)
            server.accept()[0].close()  # it was listening
