"""The picture of the README: articles per second against pair F1, of samestory and its peers, on one corpus.

    python benchmarks/picture.py [--out docs/pictures]

Draws the latest session of benchmarks/results/speed.jsonl with at least five peers: speed-light.svg, speed-dark.svg.
Nothing is measured here.
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import record
import table

MIN_PEERS = 5
WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 28, 44, 52
THEMES = {
    "light": {"ink": "#1f2328", "grey": "#6e7781", "line": "#d8dee4", "peer": "#6e7781", "ours": "#0a7d4f"},
    "dark": {"ink": "#e6edf3", "grey": "#9198a1", "line": "#30363d", "peer": "#9198a1", "ours": "#3fb98a"},
}
#: Variants of one package: the fastest of them is drawn.
VARIANTS = ("-expert", "-xxh", "-dedup", "-r")
#: Labels below this many pixels apart would cover each other.
LABEL_HEIGHT = 14


@dataclass(frozen=True)
class Point:
    """A program: its speed and its quality."""

    name: str
    version: str
    per_second: float
    f1: float
    ours: bool


def points() -> tuple[list[Point], table.Session]:
    """The programs of the latest session with enough peers, fastest first."""
    rows = list(record.read(record.RESULTS / "speed.jsonl"))
    found = None
    for date in sorted({row["date"] for row in rows}):
        for session in table.latest([row for row in rows if row["date"] == date]):
            if sum(session.kind(what) == "peer" for what in session.timed) >= MIN_PEERS:
                found = max(found or session, session, key=lambda s: (s.rows[0]["date"], s.articles))
    if found is None:
        raise SystemExit(f"no session with {MIN_PEERS} peers in benchmarks/results/speed.jsonl: make bench")
    out: dict[str, Point] = {}
    for what in sorted(found.timed, key=lambda what: found.median(what, "seconds")):
        row = found.timed[what][-1]
        if "pair_f1" in row["measures"] and (what == "samestory" or found.kind(what) == "peer"):
            speed = found.articles / found.median(what, "seconds")
            name = what
            for variant in VARIANTS:
                name = name.removesuffix(variant)
            out.setdefault(name, Point(name, row["version"], speed, row["measures"]["pair_f1"], what == "samestory"))
    return list(out.values()), found


def draw(theme: dict[str, str]) -> str:
    """The picture as SVG."""
    found, session = points()
    low, high = min(p.per_second for p in found) * 0.7, max(p.per_second for p in found) * 1.6
    bottom = math.floor(min(p.f1 for p in found) * 10) / 10

    def x(per_second: float) -> float:
        share = math.log(per_second / low) / math.log(high / low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(f1: float) -> float:
        return TOP + (1 - f1) / (1 - bottom) * (HEIGHT - TOP - BOTTOM)

    core = session.rows[0]["machine"]["cores"]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="12">',
        f"<title>Speed and quality on {session.articles:,} synthetic news articles, {core} cores</title>",
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="600" fill="{theme["ink"]}">'
        f"Speed and quality: {session.articles:,} synthetic news articles, {core} cores</text>",
    ]
    for step in range(round(bottom * 10), 11):
        level = y(step / 10)
        out.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}" stroke="{theme["line"]}"/>'
            f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end" fill="{theme["grey"]}">{step / 10:.1f}</text>'
        )
    for decade in range(2, 7):
        for digit in (1, 2, 5):
            value = digit * 10**decade
            if low < value < high:
                out.append(
                    f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" '
                    f'fill="{theme["grey"]}">{value:,}</text>'
                )
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle" fill="{theme["grey"]}">'
        "articles per second, from the file to groups (logarithmic)</text>"
        f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" fill="{theme["grey"]}" '
        f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">pair F1</text>'
    )
    taken: list[tuple[float, float]] = []
    for point in found:
        at_x, at_y = x(point.per_second), y(point.f1)
        label = at_y + 4
        while any(abs(label - other) < LABEL_HEIGHT and abs(at_x - left) < 110 for left, other in taken):
            label += LABEL_HEIGHT
        taken.append((at_x, label))
        colour, size, weight = (theme["ours"], 8, 600) if point.ours else (theme["peer"], 5, 400)
        anchor, shift = ("end", -12) if at_x > WIDTH - 150 else ("start", 10)
        out.append(
            f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="{size}" fill="{colour}"/>'
            f'<text x="{at_x + shift:.1f}" y="{label:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{theme["ours"] if point.ours else theme["ink"]}">{escape(point.name)}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "pictures")
    out = parser.parse_args().out
    for name, theme in THEMES.items():
        (out / f"speed-{name}.svg").write_text(draw(theme), encoding="utf-8")


if __name__ == "__main__":
    main()
