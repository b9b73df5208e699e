"""Published values, and report rows that show them with the measured values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samestory.lab.measures import Figure

Value = float | str | None

#: The basis of a measured value: recomputed from a table of the study, measured on the user's articles, or on built-in
#: articles of the experiment.
TABLE, YOURS, OURS = "table", "yours", "ours"


@dataclass(frozen=True)
class PublishedValue:
    """A value of a study, corrected where the print is wrong, as noted in the erratum."""

    what: str
    value: float | str
    unit: str = ""
    erratum: str = ""

    def with_measured(self, measured: Value, note: str = "", basis: str = TABLE, form: str = ".4g") -> ReportRow:
        """Return a row with this and a measured value."""
        return ReportRow(self.what, self.value, measured, note=_join(note, self.erratum), basis=basis, form=form)

    def with_figure(self, figure: Figure, note: str = "") -> ReportRow:
        """Return a row with this and a figure measured on the user's articles."""
        own = ReportRow.from_figure(self.what, figure, note)
        return ReportRow(
            self.what, self.value, own.measured, own.low, own.high, YOURS, _join(own.note, self.erratum), own.form
        )

    def not_measured(self, reason: str) -> ReportRow:
        """Return a row for a value that cannot be measured, with the reason."""
        return ReportRow(self.what, self.value, note=_join(reason, self.erratum))


@dataclass(frozen=True)
class ReportRow:
    """One line of a report. `measured` is None where nothing could be measured, for the reason in the note."""

    what: str
    published: Value = None
    measured: Value = None
    low: float | None = None
    high: float | None = None
    basis: str = ""
    note: str = ""
    form: str = ".4g"
    """The format of the measured number for display."""

    @classmethod
    def from_figure(cls, what: str, figure: Figure, note: str = "") -> ReportRow:
        """Build a row from a figure measured on the user's articles."""
        why = "undefined: nothing to divide by" if figure.value is None else figure.note or ""
        return cls(what, None, figure.value, figure.low, figure.high, YOURS, _join(note, why), ".4f")

    @property
    def shown(self) -> str:
        """The measured value with its interval, for display."""
        if self.measured is None:
            return "–"
        if self.low is None or self.high is None:
            return number(self.measured, self.form)
        return f"{number(self.measured, self.form)} [{number(self.low, self.form)}, {number(self.high, self.form)}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
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
    """Format a value for display: integers with thousands separators, text unchanged.

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
