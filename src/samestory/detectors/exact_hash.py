"""The same text by a published hash: SHA-1 or MD5 of the words in lower case, one blank between them.

    signature = SHA-1("ankara da bugün %5")        of "Ankara'da, BUGÜN: %5!"

Punctuation and white space are ignored; a suffix after an apostrophe is a separate word. Both shares are 1 or 0. One
word more or less is a different text: brittle by design, and the baseline of other methods. An article without words
has no digest and no relations.

Keys: the first 64 bits of the digest. No related pair is missed.
NIST (2015), Secure hash standard, FIPS 180-4 [nist2015]; Rivest (1992), The MD5 message-digest algorithm [rivest1992].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind


@dataclass(frozen=True)
class Sha1Exact(Native):
    """Finds articles with the same SHA-1.

    >>> str(Sha1Exact())
    'sha1-exact()'
    """

    name: ClassVar[str] = "sha1-exact"
    summary: ClassVar[str] = "the same words in the same order, by SHA-1"
    share_phrase: ClassVar[str] = "of their hashes are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL})
    paper: ClassVar[str] = "nist2015"


@dataclass(frozen=True)
class Md5Exact(Native):
    """Finds articles with the same MD5.

    >>> str(Md5Exact())
    'md5-exact()'
    """

    name: ClassVar[str] = "md5-exact"
    summary: ClassVar[str] = "the same words in the same order, by MD5"
    share_phrase: ClassVar[str] = "of their hashes are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL})
    paper: ClassVar[str] = "rivest1992"
