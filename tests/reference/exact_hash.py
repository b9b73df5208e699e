"""The hash of the normalised text: lower case, single blanks, no punctuation. SHA-1 or MD5; brittle by design."""

from __future__ import annotations

import hashlib

from samestory import Article
from tests.reference.shares import APART, Result
from tests.reference.text import Table, fold, language
from tests.reference.tokens import tokens


def sha1(text: str) -> str:
    """SHA-1 of the UTF-8 bytes of a text."""
    return hashlib.sha1(text.encode()).hexdigest()


def normalised(article: Article) -> str:
    """The words in lower case, one blank between them; a suffix behind an apostrophe is a word of its own."""
    code = language(article)
    words = []
    for token in tokens(article.text):
        words.append(fold(article.text[token.start : token.base], code))
        suffix = article.text[token.base : token.end][1:]
        if suffix:
            words.append(fold(suffix, code))
    return " ".join(words)


def digest(article: Article, algorithm: str = "sha1") -> str | None:
    """The hash, none for an article without words."""
    text = normalised(article)
    return hashlib.new(algorithm, text.encode()).hexdigest() if text else None


def compare(left: Article, right: Article, *, table: Table | None = None, algorithm: str = "sha1") -> Result:
    """Equal hashes."""
    return (1.0, 1.0, "IDENTICAL") if digest(left, algorithm) == digest(right, algorithm) else APART
