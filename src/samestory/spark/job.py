"""The main job on Spark, step by step: the same relations and groups as on one machine.

Texts stay in the tasks that read them. What moves between tasks are numbers, keys, and the signatures of articles that
have candidates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.errors import ParameterError
from samestory.groups import Choice
from samestory.jobs import Summary
from samestory.readers import Problem
from samestory.spark.blobs import deal, indexed, side_by_side, single, to_frame
from samestory.spark.calibration import apply_calibration, sample, with_boilerplate
from samestory.spark.census import Census, take_census
from samestory.spark.comparing import ABOUT, Compared, compare, requests
from samestory.spark.grouping import Formed, Wish, group
from samestory.spark.layout import KEPT, NEW, Layout
from samestory.spark.meeting import candidates, enough, meet
from samestory.spark.nearest import Seen, Taken, nearest, seen
from samestory.spark.ranks import HEAD, ranks
from samestory.spark.reading import Input, counted, homes
from samestory.spark.recipe import Recipe
from samestory.spark.relations import relation_schema, spread
from samestory.spark.sharing import Shared, ask_around
from samestory.spark.signing import Home, Reading
from samestory.spark.table import keep, runs, stored
from samestory.text import Counting

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class Job:
    """Articles on their way through Spark: `relations` and `groups`, as often as wanted."""

    spark: SparkSession
    detector: Detector
    inputs: Sequence[Input]
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    encoding: str | None = None
    largest: int = _core.LARGEST
    details: int | None = None
    parts: int = 0
    signatures: str = ""
    """A folder of signatures of earlier runs: old articles; the new ones are added to it by `keep`."""
    as_is: bool = False
    within: int | None = None
    """The most calendar days (UTC) between related articles: for native detectors."""
    summary: Summary = field(default_factory=Summary)
    problems: list[Problem] = field(default_factory=list)
    """What was wrong with the inputs as a whole."""

    def __post_init__(self) -> None:
        self._kept: list[Any] = []

    def _share(self, value: Any) -> Broadcast[Any]:
        return self.spark.sparkContext.broadcast(value)

    def _keep(self, collection: RDD[Any]) -> RDD[Any]:
        from pyspark import StorageLevel

        kept = single(collection).persist(StorageLevel.MEMORY_AND_DISK)
        self._kept.append(kept)
        return kept

    def close(self) -> None:
        """Gives back what was kept between the steps."""
        for collection in self._kept:
            collection.unpersist()
        self._kept.clear()

    def _timed(self, step: str, start: float) -> None:
        self.summary.seconds[step] = self.summary.seconds.get(step, 0.0) + time.perf_counter() - start

    @cached_property
    def _read(self) -> tuple[RDD[Home], Layout, Broadcast[Recipe]]:
        """The signed articles."""
        start = time.perf_counter()
        frames = []
        for each in self.inputs:
            try:
                frames.append(each.frame(self.spark, self.format, self.fields))
            except ParameterError:
                raise
            except ValueError as error:
                shown = str(each.what) if isinstance(each.what, str) else "articles"
                self.problems.append(Problem(shown, 0, "unreadable", str(error).removeprefix(f"{shown}: ")))
        reading = Reading(
            Recipe.of(self.detector, self.within),
            dict(self.fields),
            self.format,
            self.encoding,
            self.largest,
            self.details,
            self.as_is,
        )
        if frames and not self.detector.fitted:
            self.detector = self._fitted(frames, reading)
            reading = replace(reading, recipe=Recipe.of(self.detector, self.within))
        recipe = self._share(reading.recipe)
        self._runs = runs(self.spark, self.signatures, self.detector) if self.signatures else 0
        if self._runs:
            frames.insert(0, stored(self.spark, self.signatures, KEPT))
        if not frames:
            return self.spark.sparkContext.emptyRDD(), Layout([]), recipe
        found = self._keep(homes(self.spark, frames, reading))
        layout = Layout(found.map(lambda home: home.stretches).collect())
        self._timed("read", start)
        return found, layout, recipe

    def _fitted(self, frames: list[Any], reading: Reading) -> Detector:
        detector = self.detector
        if not isinstance(detector, Native):
            raise ParameterError(
                f"{detector.name}: its statistics cannot be counted in parts and added up",
                "fit it before: detector.fit(corpus)",
            )
        spec = Recipe.of(detector)

        def counter() -> Counting:
            made = spec.detector
            assert isinstance(made, Native)
            return made.counter()

        return detector.weighed(counted(frames, reading, counter))

    def keep(self) -> None:
        """Adds the new articles to the folder of signatures."""
        found, layout, _ = self._read
        shared, census = self._share(layout), self._share(self._census)
        keep(self.spark, found, shared, census, self.detector, self.signatures, self._runs)

    @property
    def layout(self) -> Layout:
        """Which partition has what."""
        return self._read[1]

    @property
    def articles(self) -> int:
        """How many new articles there are, whatever their ids."""
        return sum(s.articles for some in self.layout.homes for s in some if s.is_new)

    @cached_property
    def _parts(self) -> int:
        return self.parts or max(self.spark.sparkContext.defaultParallelism, len(self.layout.homes))

    @cached_property
    def _shared(self) -> RDD[Shared]:
        """What of the articles of each home others may have too."""
        found, layout, recipe = self._read
        every = sum(s.articles for some in layout.homes for s in some)
        return self._keep(ask_around(found, self._share(layout), recipe, every, self._parts))

    @cached_property
    def _census(self) -> Census:
        found, layout, recipe = self._read
        start = time.perf_counter()
        census = take_census(found, self._shared, self._share(layout), recipe, self._parts)
        summary = self.summary
        lost = sum(number < NEW for number, _ in census.duplicates)
        every = sum(s.articles for some in layout.homes for s in some)
        summary.replaced = census.replaced
        summary.articles = self.articles - (len(census.duplicates) - lost)
        summary.old = every - self.articles - sum(int(number) < NEW for number in census.gone)
        refused = [*layout.faults().elements(), *(p.fault for p in self.problems), *census.duplicates]
        summary.records = layout.records() + len(self.problems)
        summary.doubted = layout.doubted()
        summary.repaired = dict(layout.repairs())
        summary.rejected = len(refused) - summary.doubted
        self._timed("read", start)
        return census

    @cached_property
    def _calibrated(self) -> tuple[RDD[Home], Broadcast[Recipe]]:
        """The signed articles and the detector, calibrated on all of them if it calibrates at all."""
        found, layout, recipe = self._read
        detector = recipe.value.detector
        if not detector.calibrates or detector.is_calibrated:
            return found, recipe
        census, start = self._share(self._census), time.perf_counter()
        drawn = sample(found, self._share(layout), census, self.as_is)
        if not drawn.total:
            return found, recipe
        fitted = detector.calibrate(drawn)
        calibrated = self._share(replace(recipe.value, state=fitted.state()))
        found = self._keep(found.map(lambda home: apply_calibration(home, calibrated.value)))
        if count := with_boilerplate(found, self._share(layout), census, calibrated):
            self.summary.repaired[_core.BOILERPLATE] = count
        self._timed("read", start)
        return found, calibrated

    def count(self) -> None:
        """Counts what was read."""
        _ = self._census

    def told(self) -> list[Problem]:
        """What was refused or doubted: inputs, records, ids that were read before."""
        layout, census = self.layout, self._census
        more = []
        for number, id in census.duplicates[: self.details]:
            short = id if len(id) <= 200 else f"{id[:200]}…"
            more.append(Problem(*layout.place(number), "duplicate id", f'the id "{short}" was read before'))
        every = [*self.problems, *layout.problems(), *more]
        place = {file: at for at, file in enumerate(dict.fromkeys(problem.file for problem in every))}
        return sorted(every, key=lambda problem: (place[problem.file], problem.line))

    def faults(self) -> dict[str, int]:
        """How often each fault was met."""
        faults = self.layout.faults()
        for problem in self.problems:
            faults[problem.fault] += 1
        faults["duplicate id"] += len(self._census.duplicates)
        return {fault: count for fault, count in faults.items() if count}

    @cached_property
    def _asked(self) -> tuple[Any, RDD[Any], Broadcast[Any], Broadcast[Any]]:
        """Candidates, and what their parts ask the homes for."""
        import numpy as np

        layout, (found, recipe) = self.layout, self._calibrated
        census = self._share(self._census)
        shared_layout = self._share(layout)
        start = time.perf_counter()
        met = self._keep(meet(found, self._shared, shared_layout, census, recipe, self._parts))
        told = met.map(lambda m: (m.skipped, m.unsigned)).collect()
        skipped = np.sort(np.concatenate([np.zeros(0, np.uint64), *(each[0] for each in told)]))
        self.summary.skipped_keys = len(skipped)
        self.summary.unsigned = sum(each[1] for each in told)
        decided = self._share(np.array(sorted(self._decided.values()), np.int64))
        count = len(layout.homes)
        found_pairs = self._keep(enough(met, shared_layout, census, count, decided))
        pairs = self._keep(candidates(found_pairs, shared_layout, census))
        asked = self._keep(requests(pairs, shared_layout, count))
        self._timed("meet", start)
        return pairs, asked, self._share(skipped), shared_layout

    @cached_property
    def _decided(self) -> dict[str, int]:
        return {}

    @cached_property
    def _compared(self) -> RDD[Compared]:
        found, recipe = self._calibrated
        pairs, asked, skipped, layout = self._asked
        start = time.perf_counter()
        compared = self._keep(compare(pairs, asked, found, layout, recipe, skipped))
        counts = compared.map(lambda c: (c.compared, c.templates)).collect()
        self.summary.compared, self.summary.forms = (sum(each[at] for each in counts) for at in (0, 1))
        self._timed("compare", start)
        return compared

    def relations(self) -> DataFrame:
        """All relations: left, right, kind, forward, backward, detector, score; and the numbers of the two."""
        from pyspark.sql.pandas.types import from_arrow_schema

        census, (_, recipe) = self._share(self._census), self._calibrated

        def told(_: int, found: Compared) -> Iterator[Any]:
            return spread(found, census.value, recipe.value.detector)

        return to_frame(self.spark, indexed(self._compared, told), from_arrow_schema(relation_schema()))

    def groups(self, choice: Choice) -> RDD[Any]:
        """All groups with a new article in them: (rank, representative, ids, weakest, nearest, forced)."""
        decided = (*choice.decisions.same, *choice.decisions.apart)
        if decided:
            self._look_up({id for pair in decided for id in pair})
        numbers = self._decided
        self.summary.undecided = choice.decisions.unknown(numbers.__contains__)
        same, apart = (
            [(numbers[a], numbers[b]) for a, b in some if a in numbers and b in numbers and a != b]
            for some in (choice.decisions.same, choice.decisions.apart)
        )
        found, recipe = self._calibrated
        compared, (_, asked, _, layout) = self._compared, self._asked
        census, wish = self._share(self._census), self._share(Wish(choice, same, apart))
        start = time.perf_counter()
        formed = self._keep(group(self.spark, compared, asked, found, layout, census, recipe, wish, self._parts))
        out = _assembled(formed, compared, asked, found, layout, census, recipe, wish)
        self._timed("group", start)
        return out

    def _look_up(self, wanted: set[str]) -> None:
        """Finds the articles that decisions name."""
        if "_asked" in self.__dict__:
            for name in ("_asked", "_compared"):
                self.__dict__.pop(name, None)  # those that were decided about are asked for too
        found, layout, _ = self._read
        shared, census = self._share(layout), self._share(self._census)

        def look(home: int, value: Home) -> Iterator[Any]:
            numbers = value.numbers(shared.value, home)
            gone = census.value.is_gone(numbers)
            for at, id in enumerate(value.ids(shared.value, home).to_pylist()):
                if id in wanted and not gone[at]:
                    yield id, int(numbers[at])

        self.__dict__["_decided"] = dict(indexed(found, look).collect())


def _assembled(
    formed: RDD[list[Formed]],
    compared: RDD[Compared],
    asked: RDD[Any],
    found: RDD[Home],
    layout: Broadcast[Layout],
    census: Broadcast[Census],
    recipe: Broadcast[Recipe],
    wish: Broadcast[Wish],
) -> RDD[Any]:
    """Groups at the homes of their representatives, with what stands nearest; articles alone too."""
    import numpy as np

    count = found.getNumPartitions()

    def to_homes(part: int, groups: list[Formed]) -> Iterator[Any]:
        if not groups:
            return
        best = layout.value.homes_of(np.array([g.representative for g in groups], np.int64)).tolist()
        several = [g for g in groups if len(g.members) > 1]
        members = np.array([m for g in several for m in g.members], np.int64)
        leaders = np.array([g.representative for g in several for _ in g.members], np.int64)
        rank = [g.rank for g in several for _ in g.members]
        theirs = layout.value.homes_of(members)
        for home in sorted({*best, *theirs.tolist()}):
            here = np.flatnonzero(theirs == home)
            taken = Taken(members[here], leaders[here], [rank[at] for at in here.tolist()])
            yield home, (part, [g for g, at in zip(groups, best, strict=True) if at == home], taken)

    told = deal(indexed(formed, to_homes), count)
    seen_at_homes: RDD[Any]
    if wish.value.choice.method == "majority":
        seen_at_homes = told.map(lambda _: [])
    else:

        def forward(home: int, both: tuple[list[Any], list[Any]]) -> Iterator[Any]:
            groups, requested = both
            numbers = np.concatenate([np.zeros(0, np.int64), *(taken.numbers for *_, taken in groups)])
            leaders = np.concatenate([np.zeros(0, np.int64), *(taken.representatives for *_, taken in groups)])
            rank = [rank for *_, taken in groups for rank in taken.ranks]
            for part, originals, copies in requested:
                here = np.flatnonzero(np.isin(numbers, np.concatenate([originals, copies])))
                if len(here):
                    yield part, (home, Taken(numbers[here], leaders[here], [rank[at] for at in here.tolist()]))

        def look(part: int, both: tuple[list[Any], Compared]) -> Iterator[Any]:
            known, value = both
            taken = [each for _, each in known]
            every = seen(value, taken, census.value, wish.value.choice, recipe.value.detector)
            where = layout.value.homes_of(np.array([s.representative for s in every], np.int64)).tolist()
            for home in sorted(set(where)):
                yield home, (part, [s for s, at in zip(every, where, strict=True) if at == home])

        known = deal(indexed(side_by_side(told, asked), forward), count)
        seen_at_homes = deal(indexed(side_by_side(known, compared), look), count)

    def final(home: int, all_three: tuple[list[Any], list[Any], Home]) -> Iterator[Any]:
        yield from _final(home, *all_three, layout.value, census.value, wish.value)

    return indexed(side_by_side(told, seen_at_homes, found), final)


def _final(
    home: int, told: list[Any], known: list[Any], value: Home, layout: Layout, census: Census, wish: Wish
) -> Iterator[Any]:
    import numpy as np

    views: dict[int, list[Seen]] = {}
    for _, every in known:
        for each in every:
            views.setdefault(each.representative, []).append(each)
    certified = {}
    for _, groups, _ in told:
        for each in groups:
            if len(each.members) > 1:
                outside = each.nearest or nearest(views.get(each.representative, []))
                yield each.rank, each.ids, each.weakest, outside, each.forced
            elif each.nearest:
                certified[each.representative] = each.nearest
    taken = np.concatenate([np.zeros(0, np.int64), *(each.numbers for *_, each in told)])
    numbers = value.numbers(layout, home)
    alone = np.flatnonzero((numbers >= NEW) & ~census.is_gone(numbers) & ~np.isin(numbers, taken))
    about = value.articles.select(ABOUT[1:]).take(alone).add_column(0, "id", value.ids(layout, home).take(alone))
    for number, rank in zip(numbers[alone].tolist(), ranks(about, wish.choice), strict=True):
        outside = certified.get(number) or nearest(views.get(number, []))
        yield rank, [rank[HEAD:].decode()], None, outside, False
