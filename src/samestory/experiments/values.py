"""What an experiment published and what came out here: a published value, and a row with both side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samestory.measures import Figure

Value = float | str | None

#: Where a value of ours comes from: computed again from a table of the study, measured on the user's articles, or on
#: articles that come with the experiment.
TABLE, YOURS, OURS = "table", "yours", "ours"


@dataclass(frozen=True)
class Published:
    """A value of a study: put right where the print is wrong, and then the erratum says so."""

    what: str
    value: float | str
    unit: str = ""
    erratum: str = ""

    def beside(self, measured: Value, note: str = "", basis: str = TABLE, form: str = ".4g") -> Row:
        """The row that shows it next to ours."""
        return Row(self.what, self.value, measured, note=_join(note, self.erratum), basis=basis, form=form)

    def figure(self, found: Figure, note: str = "") -> Row:
        """The row that shows it next to a figure measured on the user's articles."""
        own = Row.of(self.what, found, note)
        return Row(
            self.what, self.value, own.measured, own.low, own.high, YOURS, _join(own.note, self.erratum), own.form
        )

    def lacking(self, what: str) -> Row:
        """The row for a value that cannot be measured, and why."""
        return Row(self.what, self.value, note=_join(what, self.erratum))


@dataclass(frozen=True)
class Row:
    """One line of a report. `measured` is None where nothing could be measured; the note says why."""

    what: str
    published: Value = None
    measured: Value = None
    low: float | None = None
    high: float | None = None
    basis: str = ""
    note: str = ""
    form: str = ".4g"
    """How the measured number is written for people."""

    @classmethod
    def of(cls, what: str, found: Figure, note: str = "") -> Row:
        """A figure measured on the user's articles."""
        why = "undefined: nothing to divide by" if found.value is None else found.note or ""
        return cls(what, None, found.value, found.low, found.high, YOURS, _join(note, why), ".4f")

    @property
    def shown(self) -> str:
        """The measured value with its interval, for people."""
        if self.measured is None:
            return "–"
        if self.low is None or self.high is None:
            return number(self.measured, self.form)
        return f"{number(self.measured, self.form)} [{number(self.low, self.form)}, {number(self.high, self.form)}]"

    def as_dict(self) -> dict[str, Any]:
        """The row as it stands in a line of JSON."""
        return {
            "what": self.what,
            "published": self.published,
            "measured": self.measured,
            "low": self.low,
            "high": self.high,
            "from": self.basis or None,
            "note": self.note,
        }


def number(value: Value, form: str = ".7g") -> str:
    """A value for people: whole numbers with commas, texts as they are.

    >>> number(134519), number(1.21e-7), number("rises"), number(None)
    ('134,519', '1.21e-07', 'rises', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else format(value, form)


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
