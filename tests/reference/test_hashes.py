"""The oracles of hashes against worked examples, and cases counted by hand."""

from __future__ import annotations

import hashlib

import pytest

from tests.reference import (
    cooper,
    exact_hash,
    imatch,
    rabin,
)
from tests.reference.examples import EMPTY_SHA1, article


def test_sha1() -> None:
    fox = "The quick brown fox jumps over the lazy "
    assert exact_hash.sha1(fox + "dog") == "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"
    assert exact_hash.sha1(fox + "cog") == "de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3"
    assert exact_hash.sha1("") == EMPTY_SHA1


def test_the_exact_hash_is_that_of_the_words() -> None:
    assert exact_hash.normalised(article("  Ankara'da, BUGÜN:\n%5! ", "tr")) == "ankara da bugün %5"
    assert exact_hash.digest(article("The fox!")) == exact_hash.sha1("the fox")
    assert exact_hash.digest(article("The fox!"), "md5") == hashlib.md5(b"the fox").hexdigest()
    assert exact_hash.compare(article("The fox!"), article("the FOX")) == (1, 1, "IDENTICAL")
    assert exact_hash.compare(article("The fox"), article("A fox")) == (0, 0, None)


@pytest.mark.parametrize("text", ["", "—!"])
def test_nothing_is_never_hashed(text: str) -> None:
    assert exact_hash.digest(article(text)) is None
    assert imatch.digest([]) is None


def test_the_digest_of_imatch() -> None:
    words = ["starts", "day", "nasdaq", "increase", "day"]
    assert imatch.digest(words) == "d132e1d0ebc8d2e0bbb371684110ceb568df4b21"


def test_the_hash_code_of_java() -> None:
    assert cooper.java_hash("hello") == 99162322
    assert cooper.java_hash("😀") == 31 * 0xD83D + 0xDE00
    assert cooper.signature(["hello", "hello"]) == 2 * 99162322
    assert cooper.signature(["zzzzzzz", "hello"]) == (cooper.java_hash("zzzzzzz") + 99162322) % 2**32


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [("a cat is a", 542244960197, 22), ("cat is a cat", 489832809167, 17), ("is a cat is", 950756104139, 14)],
)
def test_the_fingerprint_of_rabin(text: str, value: int, rest: int) -> None:
    assert rabin.fingerprint(text.encode()) == value
    assert value % 25 == rest
