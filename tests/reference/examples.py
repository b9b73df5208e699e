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


#: Words of an article that each variant of Park chooses, in order.
PARK = {
    "tf": "f m x",
    "df": "q r x",
    "tfidf": "m x r",
    "pw": "x m r",
    "df1tf4": "q f m",
    "df2tf3": "q r f",
    "df1tfidf4": "q m x",
    "df2tfidf3": "q r m",
}

#: Conrad and Schriber: words in common of 60, words of either article, date of the second (the first: 2020-01-01).
DDD = [
    (48, (500, 410), "2020-01-31", "NEAR"),
    (47, (500, 410), "2020-01-31", None),
    (48, (500, 399), "2020-01-31", None),
    (48, (500, 400), "2020-01-31", "NEAR"),
    (48, (500, 410), "2020-02-12", "NEAR"),
    (48, (500, 410), "2020-02-13", None),
]
