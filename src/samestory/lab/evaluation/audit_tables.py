"""The figures of an audit as text tables, for the terminal and the page, with explanatory notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from samestory.lab.evaluation.audit import (
    KIND_NAMES,
    LENGTH_RATIO_NAMES,
    SHARE_NAMES,
    Audit,
    DropSlice,
    Measurement,
    View,
)
from samestory.lab.evaluation.calibration import Calibration
from samestory.lab.evaluation.growth import Growth
from samestory.lab.evaluation.rates import Rate
from samestory.lab.evaluation.report.charts import count


def notes(found: Audit) -> Iterator[str]:
    """Yield the notes that explain the figures."""
    dates, blocks = found.blocks.dates, found.blocks
    yield f"{found.detector}: {found.audited:,} of {count(found.articles, 'article')} audited"
    if found.is_whole:
        yield (
            f"{len(blocks.sizes):,} blocks of {blocks.gap_days} days with {blocks.gap_days} days between them, "
            f"{dates.first} to {dates.last}, {min(blocks.sizes):,} to {max(blocks.sizes):,} articles each"
        )
    left_out = [
        (dates.undated, "without a readable date"),
        (dates.placeholder, "with a placeholder date (before 1600, or the first second of 1970)"),
        (dates.future, "with a date in the future"),
    ]
    reasons = [f"{number:,} {why}" for number, why in left_out if number]
    if reasons:
        where = "left out of the blocks" if found.is_whole else "in no block"
        yield f"dates: {'; '.join(reasons)}; {where}"
    if len(dates.zones) > 1:
        yield "zones: " + ", ".join(f"{number:,} × {zone}" for zone, number in dates.zones.items()) + "; days are UTC"
    for line in found.missing:
        yield f"missing: {line}"
    for line in found.estimated:
        yield f"estimated: {line}"
    if found.is_whole:
        if found.confirmed and found.confirmed.total:
            yield _judged(found, found.confirmed)
        yield "dropped: members of groups except the representatives"
        yield (
            f"presumed false: dropped for an article of another block, {blocks.gap_days} days or more away. "
            "They include anniversaries, columns and standing texts: judge a sample before quoting a figure"
        )
        yield "not measured: false merges inside a block; the rates are lower bounds where news of one day is similar"


def _judged(found: Audit, confirmed: Rate) -> str:
    """Return how many drops presumed false are judged, and the rate corrected by that."""
    line = (
        f"judged: of {confirmed.total:,} judged drops presumed false {confirmed.count:,} are not the same "
        f"({share(confirmed)} %)"
    )
    rate = found.views[0].whole.falsely_dropped
    if rate is None or rate.value is None or confirmed.value is None:
        return line
    return f"{line}: about {1000 * rate.value * confirmed.value:.2f} falsely dropped per 1,000 articles"


def share(rate: Rate | None, times: int = 100, digits: int = 1) -> str:
    """Format a rate with its interval, in per cent or per thousand.

    >>> from samestory.lab.evaluation.rates import independent_rate
    >>> share(independent_rate(1, 10))
    '10.0 [1.8, 40.4]'
    """
    if rate is None or rate.value is None or rate.low is None or rate.high is None:
        return "–"
    return f"{rate.value * times:.{digits}f} [{rate.low * times:.{digits}f}, {rate.high * times:.{digits}f}]"


def exponent(growth: Growth | None) -> str:
    """Format an exponent with its interval."""
    return "–" if growth is None else f"{growth.exponent:.2f} [{growth.low:.2f}, {growth.high:.2f}]"


#: The title, header and rows of a table.
TextTable = tuple[str, list[str], list[list[str]]]


def sections(found: Audit) -> Iterator[TextTable]:
    """Yield all figures as tables, for the terminal and the page."""
    cut = found.is_whole
    head = ["dates", "articles", "groups", "dropped", "per 1,000", "largest group"]
    if cut:
        head = ["dates", "articles", "groups", "spanning", "% of groups", "dropped", "presumed false", "% of dropped"]
        head += ["per 1,000 articles", "largest group", "largest spanning"]
    yield "dropped articles", head, [_size_row(view, size, cut) for view in found.views for size in view.sizes]
    if any(view.groups_growth or view.dropped_growth for view in found.views):
        head = ["dates", "groups", "dropped", *(["presumed false", "articles", "per 1,000 articles"] if cut else [])]
        yield "growth: exponent of the size", head, [_growth_row(view, cut) for view in found.views]
    head = [name for view in found.views for name in _slice_heads(view, cut)]
    for by, names, slices in (
        ("kind", KIND_NAMES, [view.by_kind for view in found.views]),
        ("length ratio", LENGTH_RATIO_NAMES, [view.by_length_ratio for view in found.views]),
        ("share", SHARE_NAMES, [view.by_share for view in found.views]),
    ):
        if rows := _slice_rows(names, slices, cut):
            yield f"dropped articles by {by}", [by, *head], rows
    if found.calibration:
        yield "calibration", *_calibration(found.calibration)


def _size_row(view: View, size: Measurement, cut: bool) -> list[str]:
    row = [view.dates, f"{size.articles:,}", f"{size.groups:,}"]
    if not cut:
        return [*row, f"{size.dropped.count:,}", share(size.dropped, 1000), f"{size.largest:,}"]
    assert size.spanning and size.false and size.largest_spanning is not None, "set where there are blocks"
    row += [f"{size.spanning.count:,}", share(size.spanning), f"{size.dropped.count:,}", f"{size.false.count:,}"]
    row += [share(size.false), share(size.falsely_dropped, 1000, 2)]
    return [*row, f"{size.largest:,}", f"{size.largest_spanning:,}"]


def _growth_row(view: View, cut: bool) -> list[str]:
    row = [view.dates, exponent(view.groups_growth), exponent(view.dropped_growth)]
    if cut:
        ahead = view.prediction
        row += [exponent(view.growth), f"{ahead.articles:,}" if ahead else "–"]
        row.append(f"{ahead.per_thousand:.2f} [{ahead.low:.2f}, {ahead.high:.2f}]" if ahead else "–")
    return row


def _slice_heads(view: View, cut: bool) -> list[str]:
    return [f"dates {view.dates}: dropped", "presumed false", "% of dropped"] if cut else ["dropped"]


def _slice_rows(names: Sequence[str], slices: Sequence[Sequence[DropSlice]], cut: bool) -> list[list[str]]:
    by_name = [{each.name: each for each in view} for view in slices]
    out = []
    for name in names:
        row = [name]
        for view in by_name:
            found = view.get(name)
            row.append(f"{found.dropped:,}" if found else "0")
            if cut:
                row += [f"{found.false.count:,}", share(found.false)] if found and found.false else ["0", "–"]
        if any(name in view for view in by_name):
            out.append(row)
    return out


def _calibration(curve: Calibration) -> tuple[list[str], list[list[str]]]:
    rows = [
        [f"{each.low:g} to {each.high:g}", f"{each.same.total:,}", f"{each.mean_score:.3f}", share(each.same)]
        for each in curve.bins
    ]
    if curve.unreported and curve.unreported.total:
        rows.append(["not reported", f"{curve.unreported.total:,}", "–", share(curve.unreported)])
    error = "–" if curve.error is None else f"{curve.error:.3f}"
    rows.append(["expected calibration error", "", error, ""])
    return ["score", "judged pairs", "mean score", f"% judged {curve.relation}"], rows
