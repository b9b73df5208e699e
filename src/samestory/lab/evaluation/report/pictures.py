"""Charts drawn with matplotlib: SVG for the page and for download, PNG for download.

The same chart always produces the same bytes. The inline SVG uses the colours of the page, which may be dark; the
downloaded one has its own. Detectors differ by letter, colour and dashes, thresholds by marker shape.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from samestory.errors import MissingExtraError
from samestory.hypertext import Html, clean, tag
from samestory.lab.evaluation.report.charts import Chart, ChartLine, Forest, letter, named

#: Okabe and Ito's colours, which colour-blind readers can distinguish; their yellow is too light for lines.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#2a9fd8", "#5b5b5b")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1.6)), (0, (1.4, 1.2)), (0, (6, 1.6, 1.4, 1.6)))
#: The shape and size of a threshold marker; only the first is filled, so that none hides another.
MARKER_SHAPES = {"own": ("o", 6.0), "best": ("^", 11.0), "cheapest": ("s", 11.0)}
#: Marker shapes of a forest plot, one per detector.
DOT_SHAPES = ("o", "s", "^", "D", "v", "P")
INK, MUTED, GRID, PAPER = "#1c1f24", "#5c6470", "#d9dde3", "#ffffff"

#: The box behind letters, which keeps them readable on lines.
LETTER_BOX = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.85, "pad": 0.8}
#: Minimum distance between letters, in points.
LETTER_DISTANCE = 13.0

#: In inches; at this width the text of a picture is as large as that of the page on a phone.
WIDTH, HEIGHT = 4.6, 3.2
DPI = 200
#: Longer names are cut in the middle: specs differ at both ends.
MAX_NAME_CHARS = 46

SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "samestory",
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.labelspacing": 0.35,
    "legend.borderaxespad": 0.2,
    "legend.borderpad": 0.2,
    "path.simplify_threshold": 0.4,
}


@dataclass(frozen=True)
class Picture:
    """A picture as inline HTML and as files."""

    inline: Html
    svg: bytes
    png: bytes


@contextmanager
def _matplotlib() -> Iterator[Any]:
    """Yield matplotlib with our settings; raise with an install hint where it is missing."""
    try:
        matplotlib: Any = import_module("matplotlib")
        for part in ("figure", "lines"):
            import_module(f"matplotlib.{part}")
    except ImportError as missing:
        raise MissingExtraError("the charts of a report need matplotlib", "pip install 'samestory[lab]'") from missing
    with matplotlib.rc_context(), warnings.catch_warnings():
        # a script that the font lacks is drawn as boxes in the PNG, but correctly in the SVG
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield matplotlib


def require() -> None:
    """Raise where matplotlib is missing, before any work is done."""
    with _matplotlib():
        pass


def draw(chart: Chart) -> Picture:
    """Draw a line chart."""
    with _matplotlib() as library:
        figure = library.figure.Figure(figsize=(WIDTH, HEIGHT + 0.17 * len(chart.lines)), layout="constrained")
        axes = figure.subplots()
        points = [point for line in chart.lines for point in (*line.points, *(mark.at for mark in line.marks))]
        left, right = _range([x for x, _ in points])
        lowest, highest = _range([y for _, y in points])
        highest = highest if chart.highest is None else chart.highest
        axes.set_xlim(left, right)
        axes.set_ylim(lowest, highest)
        axes.set_xlabel(chart.x)
        # rotated about its anchor, a label keeps its position whatever the font
        axes.set_ylabel(chart.y, rotation_mode="anchor")
        if chart.equal_f:
            _equal_f(axes)
        if chart.diagonal:
            axes.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=(0, (2, 3)))
        if chart.level:
            height, words = chart.level
            axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=(0, (2, 3)))
            axes.annotate(
                words, (right, height), (-2, -4), textcoords="offset points", ha="right", va="top", fontsize=8.5,
                color=MUTED, bbox=LETTER_BOX, zorder=1.5,
            )  # fmt: skip
        handles = [_line(axes, line, highest) for line in chart.lines]
        _letters(axes, chart.lines, right - left, highest - lowest, highest)
        _legends(figure, library, chart.lines, handles)
        return _picture(figure, chart.name, chart.title)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the axis range: 0 to 1, extended to the values beyond."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    # leave room for a line along the edge
    return min(0.0, low * 1.08), 1.02 if high <= 1.0 else high * 1.08


def _line_style(number: int) -> dict[str, Any]:
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}


def _shape(word: str) -> dict[str, Any]:
    marker, size = MARKER_SHAPES[word]
    fill = {} if word == "own" else {"markerfacecolor": "none"}
    return {"marker": marker, "markersize": size, "markeredgewidth": 1.4, "linestyle": "none", **fill}


def _line(axes: Any, line: ChartLine, highest: float) -> Any:
    style = _line_style(line.number)
    xs, ys = [x for x, _ in line.points], [y for _, y in line.points]
    (handle,) = axes.plot(xs, ys, linewidth=1.8, solid_capstyle="round", **style)
    if line.beyond:
        axes.plot(*zip(*line.beyond, strict=True), color=style["color"], linewidth=1.0, linestyle=(0, (1, 2.5)))
    for mark in line.marks:
        if mark.at[1] > highest:
            continue
        axes.plot(*mark.at, color=style["color"], zorder=4, clip_on=False, **_shape(mark.word))
    return handle


def _letters(axes: Any, lines: Sequence[ChartLine], width: float, height: float, highest: float) -> None:
    """Put a letter at the end of every line; letters that would overlap are stacked."""
    placed: list[tuple[float, float]] = []
    for line in lines:
        points = [at for at in line.points or [mark.at for mark in line.marks] if at[1] <= highest]
        if not points:
            continue
        x, y = max(points)
        # in points, estimated before the picture is laid out
        across, up = x / width * WIDTH * 60, y / height * HEIGHT * 50
        moved, step = up, LETTER_DISTANCE if y < height / 2 else -LETTER_DISTANCE
        while any(
            abs(across - other) < LETTER_DISTANCE and abs(moved - above) < LETTER_DISTANCE for other, above in placed
        ):
            moved += step
        placed.append((across, moved))
        colour = COLOURS[line.number % len(COLOURS)]
        axes.annotate(
            letter(line.number),
            (x, y),
            (11, moved - up),
            textcoords="offset points",
            fontweight="bold",
            fontsize=8,
            ha="center",
            va="center",
            annotation_clip=False,
            bbox=LETTER_BOX | {"edgecolor": colour, "linewidth": 1.2, "pad": 1.4, "alpha": 1.0},
            zorder=5,
        )


def _equal_f(axes: Any) -> None:
    import numpy as np

    for value in (0.2, 0.4, 0.6, 0.8, 0.9):
        recall = np.linspace(value / (2 - value), 1, 80)
        axes.plot(recall, value * recall / (2 * recall - value), color=GRID, linewidth=0.9, zorder=1)
        axes.text(value, value, f"F {value:g}", ha="center", va="center", fontsize=7.5, color=MUTED, bbox=LETTER_BOX)
    axes.grid(False)


def _legends(figure: Any, library: Any, lines: Sequence[ChartLine], handles: Sequence[Any]) -> None:
    """Add the detectors above the picture and the marker shapes below it."""
    if handles:
        names = [_short(named(line.number, line.name)) for line in lines]
        figure.legend(handles, names, loc="outside upper left", ncols=1)
    words = [word for word in MARKER_SHAPES if any(mark.word == word for line in lines for mark in line.marks)]
    if words:
        shapes = [library.lines.Line2D([], [], color=MUTED, **_shape(word)) for word in words]
        figure.legend(
            shapes,
            [f"{word} threshold" for word in words],
            loc="outside lower center",
            ncols=len(words),
            fontsize=8.5,
            handletextpad=0.1,
            columnspacing=1.2,
        )


def _short(name: str) -> str:
    name = clean(name)
    half = (MAX_NAME_CHARS - 1) // 2
    return name if len(name) <= MAX_NAME_CHARS else f"{name[:half]}…{name[-half:]}"


def draw_forest(forest: Forest) -> Picture:
    """Draw a forest plot: one row of dots with whiskers per slice."""
    many = len(forest.names)
    step = 0.2 + 0.1 * (many - 1)
    with _matplotlib() as library:
        height = step * len(forest.rows) + 0.17 * many + 0.75
        figure = library.figure.Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots()
        ends = [end for _, dots in forest.rows for dot in dots or () for end in (dot.low, dot.value, dot.high)]
        left, right = _range([end for end in ends if end is not None])
        axes.set_xlim(left - 0.01 * (right - left), right + 0.01 * (right - left))
        axes.set_ylim(len(forest.rows) - 0.4, -0.6)
        axes.set_xlabel(forest.x)
        axes.grid(False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        handles: dict[int, Any] = {}
        for at, (_, dots) in enumerate(forest.rows):
            if not dots:
                continue
            axes.axhline(at, color=GRID, linewidth=0.6, zorder=0)
            for dot in dots:
                place = at + (dot.number - (many - 1) / 2) * 0.62 / many
                colour = COLOURS[dot.number % len(COLOURS)]
                if dot.low is not None and dot.high is not None:
                    axes.plot([dot.low, dot.high], [place, place], color=colour, linewidth=1.6, solid_capstyle="butt")
                (handles[dot.number],) = axes.plot(
                    [dot.value], [place], DOT_SHAPES[dot.number % len(DOT_SHAPES)], color=colour, markersize=4.6,
                    markeredgecolor=PAPER, markeredgewidth=0.6, zorder=4,
                )  # fmt: skip
        labels = axes.set_yticks(range(len(forest.rows)), [_short(name) for name, _ in forest.rows])
        for tick, (_, dots) in zip(labels, forest.rows, strict=True):
            tick.label1.set_fontweight("bold" if dots is None else "normal")
        numbers = sorted(handles)
        figure.legend(
            [handles[n] for n in numbers],
            [_short(named(n, forest.names[n])) for n in numbers],
            loc="outside upper left",
            handlelength=1.2,
        )
        return _picture(figure, forest.name, forest.title)


def _picture(figure: Any, name: str, title: str) -> Picture:
    svg, png = io.BytesIO(), io.BytesIO()
    metadata = {"Title": clean(title)}
    figure.savefig(svg, format="svg", facecolor=PAPER, metadata={"Date": None, "Creator": None, **metadata})
    figure.set_layout_engine("none")  # already laid out; a second layout would double the time
    figure.savefig(png, format="png", facecolor=PAPER, dpi=DPI, metadata={"Software": None, **metadata})
    return Picture(_inline(svg.getvalue().decode(), name, title), svg.getvalue(), png.getvalue())


#: Colours of a picture, as CSS variables of the page.
_VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--paper",
    **{colour: f"--series-{number}" for number, colour in enumerate(COLOURS)},
}
_COLOUR = re.compile("|".join(_VARIABLES), re.IGNORECASE)
_STYLE = re.compile(r'style="[^"]*"')
_REFERENCE = re.compile(r'(?:url\(#|xlink:href="#)([^)"]+)')
_ID = re.compile(r' id="([^"]+)"')


def _inline(svg: str, name: str, title: str) -> Html:
    """Return the drawing for the page: with the page's colours, prefixed ids, and described by its caption."""
    body = svg[svg.index("<svg") :]
    shape = re.search(r'viewBox="([^"]+)"', body)
    inner = body[body.index(">") + 1 : body.rindex("</svg>")]
    inner = re.sub(r"<metadata>.*?</metadata>", "", inner, flags=re.DOTALL)
    # an inline style sheet would apply to the whole page
    inner = re.sub(r"<style.*?</style>", "", inner, flags=re.DOTALL)
    used = set(_REFERENCE.findall(inner))
    inner = _ID.sub(lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", inner)
    inner = _REFERENCE.sub(lambda m: m[0].replace(f"#{m[1]}", f"#{name}-{m[1]}"), inner)
    inner = _STYLE.sub(lambda m: _COLOUR.sub(lambda c: f"var({_VARIABLES[c[0].lower()]})", m[0]), inner)
    return tag(
        "svg",
        Html(inner),
        viewBox=shape[1] if shape else None,
        class_="picture",
        role="img",
        aria_label=title,
        aria_describedby=f"{name}-caption",
    )
