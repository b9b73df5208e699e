"""Relations between two articles."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from samestory.model.article import digits, flaw, shown


class Kind(StrEnum):
    """The kind of a relation between two articles; gold data uses the same names.

    >>> Kind.PART_OF.flipped
    <Kind.HAS_PART: 'HAS_PART'>
    """

    NONE = "NONE"
    IDENTICAL = "IDENTICAL"
    NEAR = "NEAR"
    PART_OF = "PART_OF"
    HAS_PART = "HAS_PART"
    UPDATE = "UPDATE"
    SAME_EVENT = "SAME_EVENT"
    SHARES_TEXT = "SHARES_TEXT"

    @property
    def flipped(self) -> Kind:
        """The kind seen from the other side."""
        return {Kind.PART_OF: Kind.HAS_PART, Kind.HAS_PART: Kind.PART_OF}.get(self, self)


#: Kinds by their number in columns.
KINDS: tuple[Kind, ...] = tuple(Kind)

#: The kinds of relations that put two articles into one story.
JOINING = frozenset(Kind) - {Kind.NONE, Kind.SHARES_TEXT}

#: Kinds from the closest dependency to the weakest.
CLOSEST_FIRST = (Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE, Kind.PART_OF, Kind.HAS_PART, Kind.SAME_EVENT, Kind.SHARES_TEXT)


class Overlap(NamedTuple):
    """The share of left found in right and the share of right found in left, both in [0, 1]."""

    forward: float
    backward: float

    @property
    def share(self) -> float:
        """The larger of the two."""
        return max(self.forward, self.backward)

    @property
    def flipped(self) -> Overlap:
        """Seen from the other side."""
        return Overlap(self.backward, self.forward)


def _id(given: object) -> str:
    """An id in a line of JSON: a text or a number."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return digits(given) if isinstance(given, float) else str(given)
    if not isinstance(given, str):
        raise ValueError(f"id: expected a text or a number, got {shown(given)}")
    return given


def _score(given: object) -> float:
    """The score in a line of JSON, on any scale; 0 if there is none."""
    if given is None:
        return 0.0
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise ValueError(f"score: expected a number of at least 0, got {shown(given)}")
    return _float("score", given)


def _float(name: str, given: Any) -> float:
    """A number as a float; raises a ValueError for a whole number that is too large to be one."""
    try:
        return float(given)
    except OverflowError:
        raise ValueError(f"{name}: a number of {len(str(abs(given)))} digits") from None


def check_ids(left: str, right: str) -> None:
    """Raises a ValueError unless these can be the ids of two articles."""
    for id in (left, right):
        if not isinstance(id, str) or not id.strip():
            raise ValueError(f"id: expected a text, got {shown(id)}")
        if wrong := flaw(id):
            raise ValueError(f"id: {wrong}")
    if left == right:
        raise ValueError(f"expected two articles, got {shown(left)} twice")


@dataclass(frozen=True, slots=True, repr=False)
class Relation:
    """How the left article relates to the right one.

    The contained article is left of its container, a new version left of the old one, and otherwise the later article
    left of the earlier one.

    >>> Relation("b", "a", Kind.NEAR, Overlap(0.96, 0.9), "reuse")
    Relation('b', 'a', NEAR, forward=0.96, backward=0.9)
    """

    left: str
    right: str
    kind: Kind
    overlap: Overlap
    detector: str
    score: float = field(default=0.0, compare=False)
    """The pair is related for every threshold of the detector up to this one; 0 if unknown."""

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Relation:
        """The relation in a line of JSON; raises a ValueError with the reason if there is none."""
        try:
            left, right, kind = _id(row["left"]), _id(row["right"]), str(row["kind"]).upper()
            overlap = Overlap(*(_float(name, row[name]) for name in ("forward", "backward")))
        except KeyError as error:
            raise ValueError(f"{error.args[0]!r} is missing") from None
        except TypeError:
            raise ValueError(f"expected an object with numbers for its shares, got {shown(row)}") from None
        if not (0 <= overlap.forward <= 1 and 0 <= overlap.backward <= 1):
            raise ValueError(f"a share lies between 0 and 1, got {overlap.forward} and {overlap.backward}")
        if kind not in Kind.__members__ or kind == Kind.NONE:
            raise ValueError(f"kind: expected one of {', '.join(KINDS[1:])}, got {shown(row['kind'])}")
        check_ids(left, right)
        return cls(left, right, Kind(kind), overlap, str(row.get("detector", "")), _score(row.get("score")))

    def flipped(self) -> Relation:
        """The same relation with left and right exchanged."""
        return Relation(self.right, self.left, self.kind.flipped, self.overlap.flipped, self.detector, self.score)

    def to_dict(self) -> dict[str, Any]:
        """The relation as in a line of JSON."""
        forward, backward = round(self.overlap.forward, 4), round(self.overlap.backward, 4)
        return {
            "left": self.left,
            "right": self.right,
            "kind": str(self.kind),
            "forward": forward,
            "backward": backward,
            "score": round(self.score, 6),
            "detector": self.detector,
        }

    def to_line(self) -> bytes:
        """The line of JSON, byte for byte as `output/lines.rs` writes it.

        >>> Relation("b", "a", Kind.NEAR, Overlap(0.96, 0.9), "reuse", 1e-5).to_line()
        b'{"left":"b","right":"a","kind":"NEAR","forward":0.96,"backward":0.9,"score":0.00001,"detector":"reuse"}\\n'
        """
        kind, detector = (json.dumps(text, ensure_ascii=False) for text in (self.kind, self.detector))
        left, right = (json.dumps(id, ensure_ascii=False) for id in (self.left, self.right))
        forward, backward = (_decimals(share, 4) for share in self.overlap)
        shares = f'"forward":{forward},"backward":{backward},"score":{_decimals(self.score, 6)}'
        return f'{{"left":{left},"right":{right},"kind":{kind},{shares},"detector":{detector}}}\n'.encode()

    def __repr__(self) -> str:
        shares = f"forward={self.overlap.forward:.4g}, backward={self.overlap.backward:.4g}"
        return f"Relation({self.left!r}, {self.right!r}, {self.kind}, {shares})"

    def _repr_html_(self) -> str:
        return html_table(self.to_dict())


def _decimals(value: float, decimals: int) -> str:
    """A rounded number without zeros at the end and without an exponent."""
    short = f"{value:.{decimals}f}".rstrip("0")
    return f"{short}0" if short.endswith(".") else short


def html_table(row: Mapping[str, Any]) -> str:
    """One row with its names as an HTML table, as notebooks show it."""
    from html import escape

    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in row.items())
    return f"<table>{cells}</table>"
