"""The data of the charts: the same values are drawn and listed in the table beside each chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from string import ascii_uppercase
from typing import Any

from samestory.lab.evaluation.evaluate import Evaluation, Subject, curves, fitting
from samestory.lab.evaluation.gold import GoldPairs
from samestory.lab.evaluation.slices import Slices
from samestory.lab.measures import Figure, Measure, Sweep, figure, parse, sweep

#: The highest cost drawn: reporting nothing costs 1, so a cost above 2 is no option. If all costs are higher, the chart
#: extends to a multiple of the lowest one.
MAX_COST, MIN_COST_FACTOR = 2.0, 1.5
#: More dots than this in one row cannot be distinguished.
MAX_DOTS = 6

Point = tuple[float, float]
ChartRow = tuple[str, ...]


@dataclass(frozen=True)
class Mark:
    """A marked point of a line: the detector's own threshold, the best or the cheapest."""

    word: str
    at: Point


@dataclass(frozen=True)
class ChartLine:
    """A detector's line: measured points, marked points, and its extension by chance."""

    number: int
    name: str
    points: tuple[Point, ...]
    marks: tuple[Mark, ...] = ()
    beyond: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A line chart, and its values as a table."""

    name: str
    title: str
    caption: str
    x: str
    y: str
    lines: tuple[ChartLine, ...]
    header: ChartRow
    rows: tuple[ChartRow, ...]
    highest: float | None = None
    """The upper end of the y axis, if some points are outside."""
    level: tuple[float, str] | None = None
    """A reference height and its label."""
    diagonal: bool = False
    equal_f: bool = False
    """Whether to draw lines of equal F."""


@dataclass(frozen=True)
class Dot:
    """A value with its interval."""

    number: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Forest:
    """A forest plot: values with intervals in rows; a row with None instead of dots is a heading."""

    name: str
    title: str
    caption: str
    x: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Dot, ...] | None], ...]


def letter(number: int) -> str:
    """Return the letter of a detector: A, B, …, Z, AA, AB, …

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'AA')
    """
    tens, ones = divmod(number, len(ascii_uppercase))
    return (letter(tens - 1) if tens else "") + ascii_uppercase[ones]


def named(number: int, name: str) -> str:
    """Return a detector's letter and name."""
    return f"{letter(number)}  {name}"


def share(value: float | None) -> str:
    """Format a value for tables."""
    return "–" if value is None or isnan(value) else f"{value:.3f}"


def count(number: int, word: str) -> str:
    """Format a count with its noun.

    >>> count(1, "pair"), count(1200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def charts(evaluation: Evaluation, rounds: int) -> list[Chart]:
    """Return the charts that apply to this gold."""
    out = [_precision_recall(evaluation)]
    if evaluation.curves:
        out.append(_main(evaluation))
    if isinstance(evaluation.gold, GoldPairs):
        out.append(_roc(evaluation, rounds))
    if evaluation.curves:
        out.append(_cost(evaluation))
    return [chart for chart in out if any(line.points or line.marks for line in chart.lines)]


def _chosen(evaluation: Evaluation, subject: Subject) -> list[tuple[str, float | None]]:
    """Return the thresholds of a detector in the table of results, each with its name."""
    return [(r.chosen, r.threshold) for r in evaluation.results if r.detector == subject.name]


def _measure(evaluation: Evaluation, name: str, default: str) -> Measure[Any]:
    """Return the measure of this name as requested, else the default."""
    return next((m for m in evaluation.measures if m.name == name), None) or parse(default)


def _swept(subject: Subject) -> Sweep | None:
    return None if subject.scores is None else sweep(subject.scores)


def _defined_points(xs: Sequence[float], ys: Sequence[float]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in zip(xs, ys, strict=True) if not isnan(x) and not isnan(y))


def _value(measure: Measure[Any], subject: Subject, threshold: float | None) -> float:
    value = measure.point(fitting(measure, subject.at(threshold)))
    return float("nan") if value is None else value


def _marks(evaluation: Evaluation, subject: Subject, x: Measure[Any] | None, y: Measure[Any]) -> tuple[Mark, ...]:
    """Return the chosen thresholds as points; x is a measure or the threshold itself."""
    out = []
    for word, threshold in _chosen(evaluation, subject):
        if x is None and threshold is None:
            continue
        across = float(threshold or 0.0) if x is None else _value(x, subject, threshold)
        up = _value(y, subject, threshold)
        if not isnan(across) and not isnan(up):
            out.append(Mark(word, (across, up)))
    return tuple(out)


def _thresholds(evaluation: Evaluation, subject: Subject) -> Sequence[float]:
    return evaluation.thresholds if subject.scored.threshold is not None else ()


def _precision_recall(evaluation: Evaluation) -> Chart:
    pairs = isinstance(evaluation.gold, GoldPairs)
    default = "pair_precision(unjudged='out')" if pairs else "pair_precision()"
    precision, recall = (
        _measure(evaluation, "pair_precision", default),
        _measure(evaluation, "pair_recall", "pair_recall()"),
    )
    lines: list[ChartLine] = []
    rows: list[ChartRow] = []
    for number, subject in enumerate(evaluation.subjects):
        swept = _swept(subject)
        thresholds = _thresholds(evaluation, subject)
        if swept is not None:
            points = _defined_points(swept.values(recall).tolist(), swept.values(precision).tolist())
            at = swept.at(thresholds)
            values = list(zip(at.values(precision).tolist(), at.values(recall).tolist(), strict=True))
        else:
            found = [_values(evaluation, subject, measure) for measure in (precision, recall)]
            values = list(zip(*found, strict=True))
            points = _defined_points([r for _, r in values], [p for p, _ in values])
        lines.append(ChartLine(number, subject.name, points, _marks(evaluation, subject, recall, precision)))
        rows += [
            (letter(number), f"{threshold:g}", share(p), share(r))
            for threshold, (p, r) in zip(thresholds, values, strict=True)
        ]
        if not thresholds:
            own = (_value(measure, subject, subject.scored.threshold) for measure in (precision, recall))
            rows.append((letter(number), "–", *map(share, own)))
    caption = (
        "Each line runs from strict thresholds on the left to lax ones on the right. Higher is better: fewer wrong "
        "reports; further right is better: fewer misses. Thin lines join points of equal F. Drawn are "
        f"{precision} and {recall}."
    )
    if not pairs:
        caption += " Counted are pairs of articles inside one group."
    return Chart(
        "precision-recall",
        "Precision and recall",
        caption,
        "recall",
        "precision",
        tuple(lines),
        ("detector", "threshold", "precision", "recall"),
        tuple(rows),
        equal_f=True,
    )


def _values(evaluation: Evaluation, subject: Subject, measure: Measure[Any]) -> list[float]:
    """Return the measure at all thresholds, from an existing curve or computed now."""
    if subject.scored.threshold is None:
        return []
    name = str(measure)
    drawn = next((c for c in evaluation.curves if (c.detector, c.measure) == (subject.name, name)), None)
    drawn = drawn or curves(subject, [measure], evaluation.thresholds)[0]
    return [float("nan") if value is None else value for value in drawn.values]


def _over_thresholds(
    evaluation: Evaluation, measure: Measure[Any]
) -> tuple[tuple[ChartLine, ...], ChartRow, tuple[ChartRow, ...]]:
    """Return lines of a measure against the threshold, and a table with a column per detector."""
    cut = [(n, s) for n, s in enumerate(evaluation.subjects) if s.scored.threshold is not None]
    values = {number: _values(evaluation, subject, measure) for number, subject in cut}
    lines = tuple(
        ChartLine(
            number,
            subject.name,
            _defined_points(evaluation.thresholds, values[number]),
            _marks(evaluation, subject, None, measure),
        )
        for number, subject in cut
    )
    rows = tuple(
        (f"{threshold:g}", *(share(values[number][at]) for number, _ in cut))
        for at, threshold in enumerate(evaluation.thresholds)
    )
    return lines, ("threshold", *(letter(number) for number, _ in cut)), rows


def _main(evaluation: Evaluation) -> Chart:
    main = evaluation.measures[0]
    lines, header, rows = _over_thresholds(evaluation, main)
    better = "higher" if main.best > 0 else "lower"
    caption = (
        f"The main measure at every threshold tried; {better} is better. A broad top means that the exact threshold "
        "matters little. Marked are the detector's own threshold, the best one here and the cheapest one."
    )
    return Chart("main", f"{main} against the threshold", caption, "threshold", str(main), lines, header, rows)


def _cost(evaluation: Evaluation) -> Chart:
    cost = evaluation.cost
    lines, header, rows = _over_thresholds(evaluation, cost)
    costs = [y for line in lines for _, y in line.points]
    top, dearest = max(costs, default=1.0), max(MAX_COST, MIN_COST_FACTOR * min(costs, default=0.0))
    normalised = getattr(cost, "normalised", True)
    caption = (
        "The combined cost of misses and false alarms at every threshold tried; lower is better. Low thresholds cause "
        "false alarms, high ones misses."
    )
    if normalised and top > dearest:
        caption += f" Costs above {dearest:.3g} are outside the chart but listed in the table."
    return Chart(
        "cost",
        "Cost against the threshold",
        caption,
        "threshold",
        str(cost.name),
        lines,
        header,
        rows,
        highest=min(max(top, 1.0), dearest) * 1.08 if normalised else None,
        level=(1.0, "reporting nothing") if normalised else None,
    )


def _roc(evaluation: Evaluation, rounds: int) -> Chart:
    lines: list[ChartLine] = []
    rows: list[ChartRow] = []
    areas = []
    for number, subject in enumerate(evaluation.subjects):
        swept = _swept(subject)
        if swept is None or subject.scores is None:
            continue
        points = _defined_points(*(column.tolist() for column in swept.roc()))
        # the last point, where everything is reported, is not a threshold that was tried
        lines.append(
            ChartLine(number, subject.name, points[:-1], _operating(evaluation, subject, swept), beyond=points[-2:])
        )
        thresholds = _thresholds(evaluation, subject) or (0.0,)
        alarms, recalls = (column.tolist()[:-1] for column in swept.at(thresholds).roc())
        rows += [
            (letter(number), f"{threshold:g}" if threshold else "–", share(alarm), share(recall))
            for threshold, alarm, recall in zip(thresholds, alarms, recalls, strict=True)
        ]
        area = figure("roc_area()", subject.scores, rounds=rounds)
        areas.append(f"{letter(number)} {interval(area)}")
    caption = (
        "Judged pairs only: the share of duplicates found (up) against the share of other pairs wrongly reported "
        "(right). A line near the upper left corner separates them well; the diagonal is chance. Below the lowest "
        "threshold tried there is no data, and the dotted end assumes chance. Area under the line: "
        + ", ".join(areas)
        + "."
    )
    return Chart(
        "roc",
        "ROC: duplicates found against false alarms",
        caption,
        "false alarms: share of the other pairs",
        "recall: share of the duplicates",
        tuple(lines),
        ("detector", "threshold", "false alarms", "recall"),
        tuple(rows),
        diagonal=True,
    )


def _operating(evaluation: Evaluation, subject: Subject, swept: Sweep) -> tuple[Mark, ...]:
    chosen = _chosen(evaluation, subject)
    alarms, recalls = swept.at([threshold or 0.0 for _, threshold in chosen]).roc()
    marks = zip(chosen, alarms.tolist()[:-1], recalls.tolist()[:-1], strict=True)
    return tuple(Mark(word, (x, y)) for (word, _), x, y in marks if not isnan(x) and not isnan(y))


def interval(found: Figure) -> str:
    """Format a figure with its interval for running text."""
    if found.value is None:
        return "undefined"
    if found.low is None or found.high is None:
        return f"{found.value:.3f}"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def forest(evaluation: Evaluation, parts: Sequence[Slices]) -> Forest | None:
    """Return the main measure in every slice, with intervals; None if there are no slices."""
    names = [subject.name for subject in evaluation.subjects][:MAX_DOTS]
    rows: list[tuple[str, tuple[Dot, ...] | None]] = []
    for group in parts:
        rows.append((group.by, None))
        for part in group.parts:
            dots = []
            for number, (found, *_) in enumerate(part.figures[:MAX_DOTS]):
                if found.value is not None:
                    dots.append(Dot(number, found.value, found.low, found.high))
            rows.append((f"{part.name} ({part.count:,})", tuple(dots)))
    if not any(dots for _, dots in rows):
        return None
    main = str(evaluation.measures[0])
    caption = (
        f"{main} of every slice at the detector's own threshold, with its interval and, in parentheses, its size. A "
        "slice without a dot has nothing to find and nothing reported."
    )
    if len(evaluation.subjects) > MAX_DOTS:
        caption += f" The first {MAX_DOTS} detectors are drawn; all are in the tables."
    return Forest("slices", f"{main} by slice", caption, main, tuple(names), tuple(rows))
