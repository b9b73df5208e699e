"""Hostile feeds: they exhaust neither time nor memory, and read no file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from samestory.errors import InputError
from samestory.feeds import parse
from samestory.feeds.sanitise import MAX_BROKEN_CHARACTERS, sanitise
from tests.conftest import PATIENCE
from tests.feeds.test_parse import URL, rss

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMBS = {
    "billion laughs": f'<!DOCTYPE rss [<!ENTITY l0 "lol">{LAUGHS}]>',
    "one large entity": f'<!DOCTYPE rss [<!ENTITY l11 "{"x" * 100_000}">]>',
    "a file": '<!DOCTYPE rss [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>',
    "an address": '<!DOCTYPE rss [<!ENTITY l11 SYSTEM "http://127.0.0.1:9/">]>',
    "a declaration elsewhere": '<!DOCTYPE rss SYSTEM "file:///etc/passwd">',
    "parameters": '<!DOCTYPE rss [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
    "what looks like an element": '<!DOCTYPE rss [<!ENTITY a "<rss>"><!ENTITY l11 "]><rss>"><!-- ]> <rss> -->]>',
    "small letters": '<!doctype rss [<!ENTITY l11 "boom">]>',
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declared_entities_are_not_expanded(bomb: str, encoding: str) -> None:
    raw = BOMBS[bomb] + rss("<title>T</title><description>a &l11; b</description>").partition("?>")[2]
    feed = parse(raw.encode(encoding), URL)
    assert [article.text for article in feed.articles] == ["a &l11; b"]


def test_everything_before_the_first_element_is_dropped() -> None:
    for bomb in BOMBS.values():
        document, _ = sanitise(
            f"<?xml version='1.0'?><!-- <rss> --><?x y?>{bomb}<rss><channel/></rss>", 10, lambda _: 0.0
        )
        assert document == b"<rss><channel/></rss>"


def test_declared_entities_of_a_broken_feed_are_not_expanded() -> None:
    """The fallback parser for broken documents handles entities differently."""
    raw = (
        '<!DOCTYPE rss [<!ENTITY a "'
        + "x" * 100_000
        + '">]>'
        + rss("<description><b>" + "&a;" * 1000 + "</description>")
    )
    (article,) = parse(raw.encode(), URL).articles
    assert len(article.text) < 10_000


OPENED = "<rss version='2.0'><channel><item><title>T</title><description>"
CLOSED = "</description></item></channel></rss>"
SIZE = 5_000_000
HEAVY = {
    "entries": "'<rss version=\"2.0\"><channel>' + '<item><title>T</title></item>' * 160_000 + '</channel></rss>'",
    "entries of a broken feed": "'<rss version=\"2.0\"><channel>' + '<item><title>T</title></item>' * 160_000",
    "elements": "OPENED + '<a/>' * (SIZE // 4) + CLOSED",
    "depth": "OPENED + '<a>' * 300_000 + '</a>' * 300_000 + CLOSED",
    "depth behind a fault": "OPENED + '< ' + '<a>' * (SIZE // 3)",
    "attributes": "OPENED + '<a ' + ' '.join(f'b{n}=\"\"' for n in range(350_000)) + '/>' + CLOSED",
    "namespaces": "OPENED + ''.join(f'<a{n}:b xmlns:a{n}=\"{n}\"/>' for n in range(150_000)) + CLOSED",
    "lines": "OPENED + 'x\\n' * (SIZE // 2) + CLOSED",
    "references": "OPENED + '&#65;' * (SIZE // 5) + CLOSED",
    "escapes": "OPENED + '&lt;' * (SIZE // 4) + CLOSED",
    "signs": "OPENED + '&' * SIZE + CLOSED",
    "opened tags": "OPENED + '<a b=\"' * (SIZE // 6)",
    "opened sections": "OPENED + '<![CDATA[' * (SIZE // 9)",
    "opened comments": "OPENED + '<!--' * (SIZE // 4)",
    "ends": "OPENED + '</a>' * (SIZE // 4)",
    "declarations": "'<!DOCTYPE a [' * (SIZE // 13) + OPENED + CLOSED",
    "nothing but signs": "'<' * SIZE + OPENED + CLOSED",
    "one word": "OPENED + 'x' * SIZE + CLOSED",
}

PROGRAM = f"""
import pathlib
from samestory.errors import InputError
from samestory.feeds import parse
OPENED, CLOSED, SIZE = {OPENED!r}, {CLOSED!r}, {SIZE}
raw = ({{}}).encode()
try:
    print("articles", len(parse(raw, "http://a.example/rss").articles))
except InputError as refused:
    print("refused", refused)
# the peak of this process alone: that of getrusage starts at the size of its parent
peak = next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""


@pytest.mark.parametrize("what", HEAVY)
def test_five_million_characters_stay_within_time_and_memory(what: str) -> None:
    """On an idle machine five seconds at most, mostly one."""
    program = PROGRAM.replace("{}", HEAVY[what], 1)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=2 * PATIENCE)
    assert done.returncode == 0, done.stderr
    outcome, megabytes = done.stdout.splitlines()
    assert outcome.startswith(("articles", "refused"))
    assert int(megabytes) < 1000


def test_a_large_broken_feed_is_cut_after_an_entry() -> None:
    items = [f"<title>T{number}</title><description>{'word ' * 100}</description>" for number in range(1000)]
    feed = parse(rss(*items)[:-10].encode(), URL)
    assert 300 < len(feed.articles) < 1000
    assert all(article.text == ("word " * 100).strip() for article in feed.articles)
    assert (
        feed.warnings[1].startswith("only the first ")
        and MAX_BROKEN_CHARACTERS - 1000 < int(feed.warnings[1].split()[3]) <= MAX_BROKEN_CHARACTERS
    )


def test_a_feed_is_never_mistaken_for_a_file_name_or_a_url(tmp_path: Path) -> None:
    """feedparser opens a string that is a file name or a URL."""
    secret = tmp_path / "secret.xml"
    secret.write_text(rss("<title>secret</title>"), encoding="utf-8")
    for named in (str(secret), f"file://{secret}", "http://127.0.0.1:9/"):
        with pytest.raises(InputError):
            parse(named.encode(), URL)
