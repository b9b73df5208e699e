"""The same text by a published hash: SHA-1 or MD5 of the words in lower case, one blank between them.

    signature = SHA-1("ankara da bugün %5")        of "Ankara'da, BUGÜN: %5!"

Punctuation and white space do not count; a suffix behind an apostrophe is a word of its own. Both shares are 1 or 0.
One word more or less is another text: brittle by design, and the mark that other methods are measured from. An article
without words has no digest and is nobody's copy.

Keys: the first 64 bits of the digest. Nothing is lost.
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
    sees: ClassVar[str] = "the same words in the same order, by SHA-1"
    shares: ClassVar[str] = "of their hashes are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL})
    paper: ClassVar[str] = "nist2015"


@dataclass(frozen=True)
class Md5Exact(Native):
    """Finds articles with the same MD5.

    >>> str(Md5Exact())
    'md5-exact()'
    """

    name: ClassVar[str] = "md5-exact"
    sees: ClassVar[str] = "the same words in the same order, by MD5"
    shares: ClassVar[str] = "of their hashes are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL})
    paper: ClassVar[str] = "rivest1992"
