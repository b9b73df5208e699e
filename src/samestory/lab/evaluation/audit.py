"""Audit: precision estimated without labels, from publication dates.

A dated collection is cut into blocks of days, and every second block is kept, so that articles of different blocks are
at least a gap apart. A newspaper does not edit one copy, or report one event, a month later: an article dropped for a
representative of another block is presumed a false merge. The audit counts what deduplication loses:

    dropped           members of groups but for the representatives
    presumed false    dropped articles whose representative is in another block

The detector runs with dates and addresses withheld, which shows what the text alone decides, and once more with them.
Anniversaries, columns and standing texts are true repetitions across blocks: judge a sample before quoting a figure.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any

from samestory.detectors import Detector
from samestory.errors import InputError, ParameterError
from samestory.explanation import chosen_or_default
from samestory.groups import GroupingOptions
from samestory.jobs import Articles
from samestory.lab.evaluation.blocks import GAP_DAYS, DateBlocks, cut_blocks
from samestory.lab.evaluation.calibration import Calibration, calibrate
from samestory.lab.evaluation.drops import INDIRECT, Drop, DropGroup, find_drops
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.growth import MAX_EXPONENT, Growth, Prediction, fit_growth, predict
from samestory.lab.evaluation.rates import Rate, clustered_rate, independent_rate
from samestory.model import KINDS, Article
from samestory.readers import Source, read
from samestory.readers import articles as as_articles
from samestory.run import Progress

#: Shares of the collection at which growth is measured.
GROWTH_SHARES = (0.25, 0.5, 1.0)
#: Pairs shown: this many of the worst and as many at random.
SAMPLE_PAIRS = 20
#: Blocks with fewer articles than this, at the median, hardly contain articles that a detector could confuse.
SMALL_BLOCK_ARTICLES = 20
#: Upper ends of the bins of length ratios (words of the longer article in words of the shorter one) and of shares.
LENGTH_RATIOS = (1.25, 2.0, 4.0, 10.0)
SHARES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


def _names(ends: Sequence[float], last: float | None) -> Iterator[str]:
    """Yield the names of the half-open bins between these edges.

    >>> list(_names((1.25, 2.0), None)), list(_names((0.5,), 1.0))
    (['below 1.25', '1.25 to 2', '2 and more'], ['below 0.5', '0.5 to 1'])
    """
    yield f"below {ends[0]:g}"
    for low, high in pairwise(ends):
        yield f"{low:g} to {high:g}"
    yield f"{ends[-1]:g} and more" if last is None else f"{ends[-1]:g} to {last:g}"


#: The names of slices, in the order of tables.
KIND_NAMES = (*(str(kind) for kind in KINDS[1:]), INDIRECT)
LENGTH_RATIO_NAMES = tuple(_names(LENGTH_RATIOS, None))
SHARE_NAMES = (*_names(SHARES, 1.0), INDIRECT)

WITHHELD, GIVEN = "withheld", "given"


@dataclass(frozen=True, slots=True)
class Measurement:
    """Grouping counts for a number of articles; presumed-false figures are None where there are no blocks."""

    articles: int
    groups: int
    """Groups of two or more."""
    spanning: Rate | None
    """Groups with members in two or more blocks, as a share of all groups."""
    dropped: Rate
    """Dropped articles, as a share of all articles."""
    false: Rate | None
    """Drops presumed false, as a share of all dropped articles."""
    falsely_dropped: Rate | None
    """Drops presumed false, as a share of all articles."""
    largest: int
    """Size of the largest group; 1 where no two articles are grouped."""
    largest_spanning: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as a JSON object."""
        return {
            "articles": self.articles,
            "groups": self.groups,
            "spanning_groups": self.spanning and self.spanning.to_dict(),
            "dropped": self.dropped.to_dict(),
            "presumed_false": self.false and self.false.to_dict(),
            "presumed_false_per_thousand": self.falsely_dropped and self.falsely_dropped.to_dict(1000),
            "largest_group": self.largest,
            "largest_spanning_group": self.largest_spanning,
        }


@dataclass(frozen=True, slots=True)
class DropSlice:
    """Dropped articles of one kind, length ratio or share, and how many of them are presumed false."""

    name: str
    dropped: int
    false: Rate | None

    def to_dict(self) -> dict[str, Any]:
        """Return the slice as a JSON object."""
        return {"name": self.name, "dropped": self.dropped, "presumed_false": self.false and self.false.to_dict()}


@dataclass(frozen=True, slots=True)
class View:
    """The audit of a detector with dates and addresses `withheld` or `given`."""

    dates: str
    sizes: tuple[Measurement, ...]
    """Smallest sample first; the last one is all audited articles."""
    growth: Growth | None
    """Growth of the drops presumed false; None where there are none, or only one size."""
    groups_growth: Growth | None
    dropped_growth: Growth | None
    prediction: Prediction | None
    """Falsely dropped articles per thousand in a collection ten times as large."""
    by_kind: tuple[DropSlice, ...]
    by_length_ratio: tuple[DropSlice, ...]
    by_share: tuple[DropSlice, ...]

    @property
    def whole(self) -> Measurement:
        """The measurement of all audited articles."""
        return self.sizes[-1]


@dataclass(frozen=True, slots=True)
class Audit:
    """The articles that a detector drops in a collection, and how many of them are presumed false."""

    detector: str
    articles: int
    audited: int
    """Articles in the kept blocks; all articles where there are fewer than two blocks."""
    blocks: DateBlocks
    views: tuple[View, ...]
    """Dates withheld, then dates given; with fewer than two blocks only dates given."""
    worst: tuple[Drop, ...]
    """The drop of the smallest share in each group; groups with most drops presumed false first."""
    sample: tuple[Drop, ...]
    """Drawn at random from the drops presumed false; with fewer than two blocks, from all drops."""
    calibration: Calibration | None
    confirmed: Rate | None
    """Drops presumed false that the gold judges not the same, of those judged; None without gold or blocks."""
    missing: tuple[str, ...]
    """What the collection lacks for an audit."""
    estimated: tuple[str, ...]
    """What the figures still estimate where something is missing."""

    @property
    def is_whole(self) -> bool:
        """Whether there are two blocks, so that false merges can be presumed."""
        return self.blocks.enough


def audit(
    articles: Articles | Sequence[Source],
    detector: Detector | str | None = None,
    *,
    gap_days: int = GAP_DAYS,
    sizes: Sequence[float] = GROWTH_SHARES,
    max_articles: int | None = None,
    options: GroupingOptions | None = None,
    gold: GoldPairs | GoldGroups | None = None,
    sample: int = SAMPLE_PAIRS,
    seed: int = 0,
    now: datetime | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Audit:
    """Audit what a detector drops in a dated collection, given as articles or as sources of them.

    `sizes` are the shares of the collection at which growth is measured, `max_articles` limits the articles audited;
    both select articles by a hash of their ids, so that samples are nested and reproducible for a `seed`. `gold` adds a
    calibration curve, and the number of drops presumed false that it judges not the same.

    Articles without a usable date are counted and left out; for a collection with fewer than two blocks the audit
    reports what is missing.

    >>> day = "The council of Oldmere met on Monday and agreed to mend {} lamps in the harbour before winter, it said."
    >>> news = [{"id": d, "text": day.format("forty"), "date": d} for d in ("2026-01-02", "2026-03-10")]
    >>> found = audit(news, "minhash", now=datetime.fromisoformat("2026-11-01T00:00:00Z"))
    >>> found.views[0].whole.falsely_dropped.count, found.views[0].by_kind[0].name
    (1, 'NEAR')
    """
    parts = _parts(sizes)
    if sample < 0:
        raise ParameterError(f"sample: must be at least 0, got {sample}")
    if max_articles is not None and max_articles < 1:
        raise ParameterError(f"max_articles: must be at least 1, got {max_articles}")
    chosen = chosen_or_default(detector)
    collection = _load(articles)
    if not collection:
        raise InputError("no articles to audit")
    options = options or GroupingOptions(chosen.grouping)
    blocks = cut_blocks(collection, gap_days, now)
    audited = [each for each in collection if each.id in blocks.of_article] if blocks.enough else collection
    order = sorted(range(len(audited)), key=lambda at: _hash(audited[at].id, seed))[:max_articles]
    blocks = blocks.restricted({audited[at].id for at in order})
    names = (WITHHELD, GIVEN) if blocks.enough else (GIVEN,)
    counts = sorted({max(1, round(part * len(order))) for part in parts})
    steps = _Steps(progress, len(names) * len(counts) + (gold is not None), len(order))
    views, groups = [], []
    for name in names:
        found = []
        for count in counts:
            part = [audited[at] for at in sorted(order[:count])]
            if name == WITHHELD:
                part = [replace(each, published=None, url=None) for each in part]
            at = blocks.of_article if blocks.enough else {}
            steps.begin()
            found.append(find_drops(part, chosen, options, at, blocks.days, threads))
        views.append(_view(name, counts, found, blocks.enough))
        groups.append(found[-1])
    curve = None
    if gold is not None:
        steps.begin()
        curve = calibrate(gold, chosen, collection)
    steps.begin()
    missing, estimated = _shortcomings(blocks, len(collection))
    return Audit(
        str(chosen),
        len(collection),
        len(order),
        blocks,
        tuple(views),
        tuple(_worst(groups[0], sample)),
        tuple(_sample(groups[0], sample, seed)),
        curve,
        _confirmed(groups[0], gold) if gold is not None and blocks.enough else None,
        tuple(missing),
        tuple(estimated),
    )


def _load(articles: Articles | Sequence[Source]) -> list[Article]:
    """Return the articles; of sources, those that can be read. Unreadable dates are counted with the blocks."""
    if isinstance(articles, Sequence) and articles and all(isinstance(each, Source) for each in articles):
        seen: set[str] = set()
        return [item for source in articles for item in read(source, known_ids=seen) if isinstance(item, Article)]
    return as_articles(articles)


class _Steps:
    """Reports the number of finished runs."""

    def __init__(self, progress: Progress | None, total: int, articles: int) -> None:
        self._progress, self._total, self._articles = progress, total, articles
        self._done = -1

    def begin(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress("auditing", self._done, self._total, self._articles)


def _parts(sizes: Sequence[float]) -> list[float]:
    """Return the shares in order, including 1 for the whole collection."""
    for size in sizes:
        if not 0 < size <= 1:
            raise ParameterError(f"sizes: each must be above 0 and at most 1, got {size}")
    return sorted({*sizes, 1.0})


def _hash(id: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _view(name: str, counts: Sequence[int], found: Sequence[list[DropGroup]], cut: bool) -> View:
    sizes = tuple(_measurement(count, groups, cut) for count, groups in zip(counts, found, strict=True))
    several = len(sizes) > 1
    growth = fit_growth(counts, [each.false.count if each.false else 0 for each in sizes]) if several and cut else None
    whole, groups = sizes[-1], found[-1]
    rate = whole.falsely_dropped
    prediction = None
    if several and rate and rate.value is not None and rate.low is not None and rate.high is not None:
        # without counts, only the limits of the exponent are known
        assumed = growth or Growth(0.0, 0.0, MAX_EXPONENT)
        prediction = predict(assumed, whole.articles, rate.low, rate.value, rate.high)
    return View(
        name,
        sizes,
        growth,
        fit_growth(counts, [each.groups for each in sizes]) if several else None,
        fit_growth(counts, [each.dropped.count for each in sizes]) if several else None,
        prediction,
        _slices(groups, cut, KIND_NAMES, lambda drop: drop.kind),
        _slices(
            groups, cut, LENGTH_RATIO_NAMES, lambda drop: _bin(drop.length_ratio, LENGTH_RATIOS, LENGTH_RATIO_NAMES)
        ),
        _slices(groups, cut, SHARE_NAMES, lambda drop: _bin(drop.share, SHARES, SHARE_NAMES)),
    )


def _measurement(articles: int, groups: Sequence[DropGroup], cut: bool) -> Measurement:
    dropped = [len(group.drops) for group in groups]
    members = [group.members for group in groups]
    false = [group.false for group in groups]
    spanning = [group for group in groups if group.blocks > 1]
    alone = articles - sum(members)
    return Measurement(
        articles,
        len(groups),
        independent_rate(len(spanning), len(groups)) if cut else None,
        clustered_rate(dropped, members, alone),
        clustered_rate(false, dropped) if cut else None,
        clustered_rate(false, members, alone) if cut else None,
        max(members, default=1),
        max((group.members for group in spanning), default=0) if cut else None,
    )


def _bin(value: float | None, ends: Sequence[float], names: Sequence[str]) -> str:
    return INDIRECT if value is None else names[sum(value >= end for end in ends)]


def _slices(
    groups: Sequence[DropGroup], cut: bool, names: Sequence[str], name_of: Callable[[Drop], str]
) -> tuple[DropSlice, ...]:
    """Count the drops under every name that has some, in the order of the names."""
    counts: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for group in groups:
        here: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for drop in group.drops:
            tally = here[name_of(drop)]
            tally[0] += bool(drop.false)
            tally[1] += 1
        for name, (false, dropped) in here.items():
            counts[name].append((false, dropped))
    out = []
    for name in names:
        if name in counts:
            errors, trials = [false for false, _ in counts[name]], [dropped for _, dropped in counts[name]]
            out.append(DropSlice(name, sum(trials), clustered_rate(errors, trials) if cut else None))
    return tuple(out)


def _presumed(groups: Sequence[DropGroup]) -> list[tuple[DropGroup, list[Drop]]]:
    """Return groups with the drops to display: those presumed false or, where there are no blocks, all."""
    out = []
    for group in groups:
        drops = [drop for drop in group.drops if drop.false is not False]
        if drops:
            out.append((group, drops))
    return out


def _worst(groups: Sequence[DropGroup], count: int) -> list[Drop]:
    def share(drop: Drop) -> tuple[float, str]:
        return (-1.0 if drop.share is None else drop.share), drop.article

    worst = [(len(drops), min(drops, key=share)) for _, drops in _presumed(groups)]
    return [drop for _, drop in sorted(worst, key=lambda each: (-each[0], share(each[1])))[:count]]


def _sample(groups: Sequence[DropGroup], count: int, seed: int) -> list[Drop]:
    drops = [drop for _, each in _presumed(groups) for drop in each]
    return sorted(drops, key=lambda drop: _hash(f"{drop.article}\n{drop.representative}", seed))[:count]


def _confirmed(groups: Sequence[DropGroup], gold: GoldPairs | GoldGroups) -> Rate:
    """Return the rate of drops judged not the same, among judged drops presumed false."""
    same: dict[frozenset[str], bool] = defaultdict(bool)
    cluster: dict[str, str] = {}
    if isinstance(gold, GoldPairs):
        # for an ordered pair one direction is enough
        for left, right, yes in zip(gold.left, gold.right, gold.labels.tolist(), strict=True):
            same[frozenset((left, right))] |= yes
    else:
        cluster = dict(zip(gold.articles, gold.groups, strict=True))
    judged = []
    for drop in (drop for group in groups for drop in group.drops if drop.false):
        pair = frozenset((drop.article, drop.representative))
        if pair in same:
            judged.append(same[pair])
        elif pair <= cluster.keys():
            judged.append(cluster[drop.article] == cluster[drop.representative])
    return independent_rate(judged.count(False), len(judged))


def _shortcomings(blocks: DateBlocks, articles: int) -> tuple[list[str], list[str]]:
    """Return what the collection lacks for an audit, and what the figures still estimate."""
    dates, missing, estimated = blocks.dates, [], []
    if not blocks.enough:
        if not dates.dated:
            missing.append(f"dates: none of {articles:,} articles has a date that places it in a block of days")
        else:
            dated = "dated article" if dates.dated == 1 else "dated articles"
            span = "1 day" if dates.span_days == 1 else f"{dates.span_days:,} days"
            where = f"{dates.dated:,} {dated} in {span} ({dates.first} to {dates.last})"
            missing.append(
                f"blocks: {where}, too few for two blocks of {blocks.gap_days} days with as many between them"
            )
            if dates.span_days > 2:
                days = (dates.span_days - 1) // 2
                missing.append(
                    f"with a gap of {days} days or fewer there would be two blocks, but copies may appear that late"
                )
        estimated.append("groups, dropped articles and the largest group, by kind, length ratio and share")
        estimated.append("how the number of groups and of dropped articles grows with the collection")
        estimated.append("no false merge can be presumed; judge a sample of the dropped articles instead")
    elif median(blocks.sizes) < SMALL_BLOCK_ARTICLES:
        missing.append(
            f"articles: half of the {len(blocks.sizes):,} blocks have {median(blocks.sizes):g} or fewer, "
            f"less than {SMALL_BLOCK_ARTICLES}"
        )
        estimated.append("all figures, but rates are lower bounds: among few articles there is little to confuse")
    if blocks.enough and dates.dated < articles / 2:
        missing.append(f"dates: {articles - dates.dated:,} of {articles:,} articles have no usable date")
        estimated.append("the figures are those of the dated articles, which may differ from the others")
    return missing, estimated
