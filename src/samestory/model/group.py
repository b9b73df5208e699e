"""Groups of articles that are the same story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samestory.model.relation import Kind, Overlap, Relation, html_table

#: Members that the repr of a group lists.
MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class Nearest:
    """The article outside of a group that is most similar to it, and the reason why it did not join."""

    id: str
    overlap: Overlap
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class Group:
    """Articles that are the same story, with a certificate: the weakest relation inside, the nearest article outside.

    >>> Group("a", ("a", "b"), Relation("b", "a", Kind.NEAR, Overlap(0.96, 0.9), "reuse"))
    Group('a', ['a', 'b'], NEAR)
    """

    representative: str
    members: tuple[str, ...]
    weakest: Relation | None = None
    nearest: Nearest | None = None
    forced: bool = False
    """Whether a decision of people put members together."""

    @property
    def kind(self) -> Kind | None:
        """The kind of the weakest relation; None for a single article."""
        return self.weakest.kind if self.weakest else None

    def to_dict(self, number: int | None = None) -> dict[str, Any]:
        """The group as in a line of JSON, with its number if one is given."""
        weakest = self.weakest and {
            key: value for key, value in self.weakest.to_dict().items() if key not in ("kind", "score", "detector")
        }
        nearest = self.nearest and {
            "id": self.nearest.id,
            "forward": round(self.nearest.overlap.forward, 4),
            "backward": round(self.nearest.overlap.backward, 4),
            "why": self.nearest.why,
        }
        out: dict[str, Any] = {} if number is None else {"group": number}
        out |= {
            "representative": self.representative,
            "members": list(self.members),
            "weakest": weakest,
            "kind": self.kind and str(self.kind),
            "nearest": nearest,
        }
        if self.forced:
            out["forced"] = True
        return out

    def __repr__(self) -> str:
        listed = [repr(member) for member in self.members[:MAX_LISTED]]
        if len(self.members) > MAX_LISTED:
            listed.append(f"… {len(self.members):,} members")
        kind = f", {self.kind}" if self.kind else ""
        return f"Group({self.representative!r}, [{', '.join(listed)}]{kind})"

    def _repr_html_(self) -> str:
        row = self.to_dict()
        row["members"] = ", ".join(self.members)
        if self.weakest:
            row["weakest"] = repr(self.weakest)
        if self.nearest:
            row["nearest"] = f"{self.nearest.id}: {self.nearest.why}"
        return html_table({name: "" if value is None else value for name, value in row.items()})
