"""Groups of articles that are the same story."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from samestory.errors import ParameterError
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


#: The libraries of data frames that `GroupList.to_frame` makes.
FRAMES = ("pandas", "polars", "arrow")


class GroupList(list[Group]):
    """Groups as a list, which can be made a data frame and is shown as a table in notebooks.

    >>> GroupList([Group("a", ("a", "b"))]).to_columns()["id"]
    ['a', 'b']
    """

    def to_columns(self) -> dict[str, list[Any]]:
        """One row for every member: group, id, representative, size of the group, kind and share.

        Groups are numbered from 1. Kind and share are those of the weakest relation that joins the group; None for a
        single article.
        """
        rows = [
            (number, id, group.representative, len(group.members), group.kind and str(group.kind), _share(group))
            for number, group in enumerate(self, 1)
            for id in group.members
        ]
        names = ("group", "id", "representative", "size", "kind", "share")
        columns = zip(*rows, strict=True) if rows else ((),) * len(names)
        return {name: list(column) for name, column in zip(names, columns, strict=True)}

    def to_frame(self, form: str = "pandas") -> Any:
        """The columns of `to_columns` as a data frame of `pandas` or `polars`, or as a table of `arrow`."""
        if form not in FRAMES:
            raise ParameterError(f"form: expected one of {', '.join(FRAMES)}, got {form!r}")
        columns = self.to_columns()
        if form == "polars":
            import polars as pl

            strings = dict.fromkeys(("id", "representative", "kind"), pl.String)
            return pl.DataFrame(columns, schema_overrides={**strings, "share": pl.Float64})
        if form == "arrow":
            import pyarrow as pa

            types = (pa.int64(), pa.string(), pa.string(), pa.int64(), pa.string(), pa.float64())
            return pa.table(columns, pa.schema(list(zip(columns, types, strict=True))))
        import pandas as pd

        return pd.DataFrame(columns)

    def _repr_html_(self) -> str:
        columns = self.to_columns()
        shown = [[row[at] for row in columns.values()] for at in range(min(len(columns["id"]), MAX_SHOWN_ROWS))]
        head = "".join(f"<th>{name}</th>" for name in columns)
        rows = "".join(
            f"<tr>{cells}</tr>"
            for cells in ("".join(f"<td>{escape(_cell(value))}</td>" for value in row) for row in shown)
        )
        more = len(columns["id"]) - len(shown)
        note = f"<p>… {more:,} more rows</p>" if more else ""
        return f"<table><tr>{head}</tr>{rows}</table>{note}"


#: Rows of the table of a notebook.
MAX_SHOWN_ROWS = 50


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _share(group: Group) -> float | None:
    return round(group.weakest.overlap.share, 4) if group.weakest else None
