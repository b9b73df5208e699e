"""What the tests of the oracles share: short articles, a few stop words, and a hash that stands in."""

from __future__ import annotations

import hashlib

from samestory import Article

EMPTY_SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
CAT, DOG = "a cat is a cat is a cat", "a cat is a dog"


def article(text: str, lang: str = "en", published: str | None = None) -> Article:
    return Article("x", text, lang=lang, published=published)


def few_stops(code: str) -> list[str]:
    return {"en": ["a", "an", "at", "off", "the", "to", "with"], "tr": ["bunun", "için", "ve"]}.get(code, [])


def stand_in(number: int, term: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{number} {term}".encode()).digest()[:8], "big")


def many(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]
