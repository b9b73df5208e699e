"""Deduplication: which rows stay, and for each dropped one the row that is kept for it.

A row is dropped only if it was compared with the row that is kept and is related to it, as a copy, a near copy, another
version or a part of it; chains of similar rows are not followed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.errors import ParameterError
from samestory.explanation import chosen_or_default
from samestory.groups import GroupingOptions
from samestory.jobs import check_job, warn_of_missing_dates
from samestory.model import JOINING, KINDS, Kind
from samestory.readers import Doubt, warn
from samestory.readers import articles as take
from samestory.readers.frames import Frame, open_frame
from samestory.run import Run, compares_days, run_on

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Which of several rows is kept.
KEEP = ("longest", "earliest", "latest", "first")
#: The prefix of a preferred source.
SOURCE = "source:"
#: The kinds of relations, of a dropped row to the one that is kept, for which rows are dropped by default: a row is not
#: dropped if the one that is kept is only a part of it.
DROPPED_KINDS = tuple(kind for kind in KINDS if kind in JOINING and kind is not Kind.HAS_PART)


@dataclass(frozen=True, slots=True)
class DedupOptions:
    """Which of several rows is kept, and for which kinds of relations others are dropped.

    >>> DedupOptions.parse(["source:Reuters", "earliest"], "IDENTICAL,NEAR")
    DedupOptions(keep='earliest', prefer=('Reuters',), kinds=(<Kind.IDENTICAL: 'IDENTICAL'>, <Kind.NEAR: 'NEAR'>))
    """

    keep: str = "longest"
    """`longest`, `earliest`, `latest` or `first`; of equally good rows, the first of the input is kept."""
    prefer: tuple[str, ...] = ()
    """Sources whose rows are kept before others, best first."""
    kinds: tuple[Kind, ...] = DROPPED_KINDS
    """The kinds of relations of a dropped row to the one that is kept."""

    @classmethod
    def parse(
        cls, keep: str | Sequence[str] = "longest", kinds: str | Sequence[str] | None = None, prefix: str = ""
    ) -> DedupOptions:
        """Returns the options that texts name; `prefix` is that of arguments in errors, such as `--`."""
        given = [keep] if isinstance(keep, str) else list(keep)
        sources = tuple(each.removeprefix(SOURCE) for each in given if each.startswith(SOURCE))
        rules = [each for each in given if not each.startswith(SOURCE)] or ["longest"]
        if len(rules) > 1 or rules[0] not in KEEP or not all(source.strip() for source in sources):
            got = ", ".join(given)
            raise ParameterError(f"{prefix}keep: expected one of {', '.join(KEEP)}, or {SOURCE}NAME, got {got!r}")
        if kinds is None:
            return cls(rules[0], sources)
        names = [name.strip() for name in (kinds.split(",") if isinstance(kinds, str) else map(str, kinds))]
        for name in names:
            if name.upper() not in JOINING:
                allowed = ", ".join(kind for kind in KINDS if kind in JOINING)
                raise ParameterError(f"{prefix}kinds: expected some of {allowed}, got {name!r}")
        return cls(rules[0], sources, tuple(dict.fromkeys(Kind(name.upper()) for name in names)))


@dataclass(frozen=True, slots=True)
class KeptRows:
    """For every article the one that is kept for it, itself if it is kept; and the relation to that one, in columns."""

    kept: NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    shares: NDArray[np.float64]
    """The share of the text of each article that is also in the one that is kept."""
    lines: NDArray[np.uint64]
    """The line of each article in its file."""

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Whether each article is kept."""
        import numpy as np

        found: NDArray[np.bool_] = self.kept == np.arange(len(self.kept), dtype=np.uint32)
        return found

    def groups(self, first: int = 0) -> NDArray[np.int64]:
        """Numbers of groups from 1, in the order of the first member, of the articles from number `first`."""
        import numpy as np

        _, places, inverse = np.unique(self.kept[first:], return_index=True, return_inverse=True)
        numbers = np.empty(len(places), np.int64)
        numbers[np.argsort(places)] = np.arange(1, len(places) + 1)
        found: NDArray[np.int64] = numbers[inverse]
        return found

    def dropped(self, first: int = 0) -> Counter[str]:
        """How many articles from number `first` are dropped, by the kind of the relation."""
        import numpy as np

        counts = np.bincount(self.kinds[first:][~self.is_kept[first:]], minlength=len(KINDS))
        return Counter({str(kind): int(number) for kind, number in zip(KINDS, counts, strict=True) if number})


def kept_rows(run: Run, options: DedupOptions) -> KeptRows:
    """Returns what deduplication keeps of the articles of a run."""
    import numpy as np

    run.index()
    start = time.perf_counter()
    found = run.corpus.duplicates(
        None if options.keep == "first" else options.keep,
        list(options.prefer),
        [KINDS.index(kind) for kind in options.kinds],
        run.tick("comparing"),
    )
    run.summary.count(found.counts)
    run.summary.seconds["dedup"] = time.perf_counter() - start
    return KeptRows(*(np.asarray(column) for column in (found.kept, found.kinds, found.shares, found.lines)))


def dedup(
    rows: Any,
    *,
    detector: Detector | str = "reuse",
    keep: str | Sequence[str] = "longest",
    kinds: str | Sequence[str] | None = None,
    against: Any = (),
    within: int | None = None,
    annotate: bool = False,
    as_is: bool = False,
    threads: int | None = None,
    fields: Mapping[str, str] | None = None,
) -> Any:
    """Returns the rows that stay when duplicates are dropped, in a frame, table or list as it was given.

    `rows`: a pandas or Polars data frame, an Arrow table or reader of batches, a Hugging Face dataset, a list or a
    generator. Rows need no ids; an index of pandas is kept.
    `detector`: a detector or its spec, such as `"minhash(threshold=0.8)"`.
    `keep`: `longest`, `earliest`, `latest` or `first`; or sources whose rows are kept before others, as in
    `["source:Reuters", "earliest"]`.
    `kinds`: the kinds of relations to the row that is kept for which others are dropped, as in `"IDENTICAL,NEAR"`; by
    default all but `HAS_PART`.
    `against`: older rows; rows that are duplicates of these are dropped too.
    `within`: drops no row that was published more days (UTC) before or after the one that is kept.
    `annotate`: returns all rows with the columns `group`, `kind`, `representative` and `share`; rows that stay have no
    kind.
    `as_is`: compares texts without repairs of HTML entities, control characters and remains of pages.
    `threads`: the number of threads; by default, one for each processor.
    `fields`: names of fields by role (id, title, text, published, url, source, lang), where they are unusual.

    >>> import samestory
    >>> news = [{"text": "The bridge over the river reopened on Monday.", "paper": "Post"},
    ...         {"text": "The bridge over the river reopened on Monday.", "paper": "Echo"}]
    >>> samestory.dedup(news, keep="source:Echo", fields={"source": "paper"})
    [{'text': 'The bridge over the river reopened on Monday.', 'paper': 'Echo'}]
    """
    options, frame, old = DedupOptions.parse(keep, kinds), open_frame(rows), open_frame(against)
    found = _kept(frame, old, options, detector, within, as_is, threads, fields)
    first = len(old)
    if not annotate:
        return frame.take(found.is_kept[first:].nonzero()[0].tolist())
    id_field = (fields or {}).get("id")
    names = old.labels(id_field) + frame.labels(id_field)
    kept, is_kept = found.kept.tolist(), found.is_kept.tolist()
    new = range(first, len(kept))
    columns = (
        found.groups(first).tolist(),
        [None if is_kept[at] else str(KINDS[found.kinds[at]]) for at in new],
        [names[kept[at]] for at in new],
        [None if is_kept[at] else round(float(found.shares[at]), 4) for at in new],
    )
    return frame.annotated(dict(zip(("group", "kind", "representative", "share"), columns, strict=True)))


def _kept(
    frame: Frame,
    against: Frame,
    options: DedupOptions,
    detector: Detector | str,
    within: int | None,
    as_is: bool,
    threads: int | None,
    fields: Mapping[str, str] | None,
) -> KeptRows:
    """What deduplication keeps of the rows of frames, the older ones first."""
    chosen = chosen_or_default(detector)
    return kept_rows(_run_on_frames(frame, against, chosen, within, as_is, threads, fields), options)


def _run_on_frames(
    frame: Frame,
    against: Frame,
    detector: Detector,
    within: int | None,
    as_is: bool,
    threads: int | None,
    fields: Mapping[str, str] | None,
) -> Run:
    """A run that has read the rows of frames, the older ones first; their ids are their places."""
    check_job(within, threads)
    doubts: list[Doubt] = []
    new, old = (
        take(each.rows, prefix, doubts, fields=fields, with_metadata=False, by_place=True) if len(each) else []
        for each, prefix in ((frame, ""), (against, "old:"))
    )
    warn(doubts, stacklevel=4)  # at the call of the job
    if compares_days(detector, within):
        warn_of_missing_dates(new, old, stacklevel=5)
    return run_on(new, detector, old, threads or 0, as_is, within)


def label(
    rows: Any,
    *,
    detector: Detector | str = "reuse",
    grouping: str | GroupingOptions | None = None,
    within: int | None = None,
    as_is: bool = False,
    threads: int | None = None,
    fields: Mapping[str, str] | None = None,
) -> Any:
    """Returns the number of the group of every row, from 1 in the order of the first rows, aligned with the rows.

    `rows`: a frame, table, list or generator, as for `dedup`. The numbers are a column that can be added: a series of
    pandas with the index of the frame, a series of Polars, an array of Arrow, or a list.
    `detector`: a detector or its spec, such as `"event"`.
    `grouping`: `star`, `components` or `majority`, or `GroupingOptions`; by default that of the detector.
    `within`: relates no articles that were published more days (UTC) apart.
    `as_is`: compares texts without repairs of HTML entities, control characters and remains of pages.
    `threads`: the number of threads; by default, one for each processor.
    `fields`: names of fields by role (id, title, text, published, url, source, lang), where they are unusual.

    >>> import samestory
    >>> samestory.label(["The bridge reopened on Monday.", "Shares closed higher.", "The bridge reopened on Monday."])
    [1, 2, 1]
    """
    chosen, frame = chosen_or_default(detector), open_frame(rows)
    options = GroupingOptions.from_arguments(grouping, "longest", (), chosen.grouping)
    return frame.aligned(_labels(frame, chosen, options, within, as_is, threads, fields))


def _labels(
    frame: Frame,
    detector: Detector,
    options: GroupingOptions,
    within: int | None,
    as_is: bool,
    threads: int | None,
    fields: Mapping[str, str] | None,
) -> list[int]:
    run = _run_on_frames(frame, open_frame(()), detector, within, as_is, threads, fields)
    numbers = [0] * len(frame)
    for number, group in enumerate(sorted(run.groups(options), key=lambda group: min(group.members)), 1):
        for member in group.members:
            numbers[member] = number
    return numbers
