"""The kinds of entities on a terminal: their words, their styles, and how many names there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from samestory.cli.summary import count

#: Each kind also has its own typeface, so that colour is not the only cue.
STYLES = {
    "person": "bold green",
    "location": "underline cyan",
    "organization": "italic magenta",
    "unclassified": "dim yellow",
}

#: Singular and plural of each kind.
WORDS = {
    "person": ("person", "persons"),
    "location": ("place", "places"),
    "organization": ("organisation", "organisations"),
    "unclassified": ("unclassified name", "unclassified names"),
}


def counts(names: Counter[str], kinds: Sequence[str] = tuple(WORDS)) -> str:
    """Formats the number of names of each kind.

    >>> counts(Counter({"location": 2, "person": 1}))
    '1 person, 2 places'
    """
    return ", ".join(count(names[kind], *WORDS[kind]) for kind in kinds if names[kind]) or "no names"
