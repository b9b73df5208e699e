"""The table in docs/reference/measures.md, made from the code; `python -m tests.lab.measures.table` rewrites it."""

from __future__ import annotations

from pathlib import Path

from samestory.lab.measures import MEASURES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "measures.md"
BEGIN, END = "<!-- measures:begin -->\n", "<!-- measures:end -->\n"


def render() -> str:
    """One row a measure, in the order of the table in the code."""
    rows = ["| measure | unit | formula | computed from | source |", "|---|---|---|---|---|"]
    for cls in MEASURES.values():
        measure = cls()
        spec = f"{cls.name}({measure.parameters(defaults=True)})"
        needs = ", ".join(f"`{need.__name__}`" for need in cls.needs)
        formula = cls.formula.replace("|", "\\|")
        rows.append(f"| `{spec}` | {cls.unit} | {formula} | {needs} | {cls.source} |")
    return "\n".join(rows) + "\n"


def written() -> str:
    """Return the table of the page."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + render() + END + rest.partition(END)[2], encoding="utf-8")
