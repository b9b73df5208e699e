"""The main job on Spark, step by step: the same relations and groups as on one machine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors import Detector
from samestory.errors import InputError, ParameterError
from samestory.groups import GroupingOptions
from samestory.jobs import check_max_relations
from samestory.model import record_batch
from samestory.readers import Problem
from samestory.run import Summary, hint_about_skipped
from samestory.spark.calibration import apply_calibration, sample, with_boilerplate
from samestory.spark.candidates import (
    ComparedPairs,
    PostingLists,
    RankOrder,
    build_postings,
    compare,
    find_pairs,
    find_shared,
    send_lists,
    send_sampled,
)
from samestory.spark.collection import BroadcastCollection
from samestory.spark.grouping import GroupingTask, group
from samestory.spark.layout import STORED_INPUT, Layout
from samestory.spark.lines import relation_batches, relation_lines, relation_schema
from samestory.spark.partitions import map_indexed, to_frame, unbatched
from samestory.spark.reading import Input, count_terms, read_partitions
from samestory.spark.recipe import Recipe
from samestory.spark.signature_store import append_run, count_runs, read_stored
from samestory.spark.signing import ReadOptions, SignedPartition
from samestory.spark.strongest import RANK_COLUMNS, count_weaker, strongest

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class Job:
    """A job over inputs; its steps are cached, so that `relations` and `groups` can be called repeatedly."""

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
    """A folder with the signatures of earlier runs, which are old articles; `keep` adds the new ones."""
    as_is: bool = False
    within: int | None = None
    """Most calendar days (UTC) between related articles."""
    summary: Summary = field(default_factory=Summary)
    problems: list[Problem] = field(default_factory=list)
    """Problems of whole inputs."""

    def __post_init__(self) -> None:
        self._persisted: list[Any] = []
        self._decided: dict[str, int] = {}
        """The numbers of the articles that decisions name."""
        self._compared: dict[RankOrder, RDD[ComparedPairs]] = {}
        """The compared pairs, by the order of the hubs of long lists."""

    def _broadcast(self, value: Any) -> Broadcast[Any]:
        return self.spark.sparkContext.broadcast(value)

    def _persist(self, collection: RDD[Any]) -> RDD[Any]:
        from pyspark import StorageLevel

        persisted = unbatched(collection).persist(StorageLevel.MEMORY_AND_DISK)
        self._persisted.append(persisted)
        return persisted

    def close(self) -> None:
        """Releases the persisted collections."""
        for collection in self._persisted:
            collection.unpersist()
        self._persisted.clear()

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        """Adds the seconds of a step to the summary."""
        start = time.perf_counter()
        yield
        self.summary.seconds[step] = self.summary.seconds.get(step, 0.0) + time.perf_counter() - start

    @cached_property
    def _read(self) -> tuple[RDD[SignedPartition], Layout, Recipe]:
        """The signed articles, their layout, and the detector."""
        with self._timed("read"):
            frames = []
            for each in self.inputs:
                try:
                    frames.append(each.frame(self.spark, self.format, self.fields))
                except InputError as error:
                    name = str(each.source) if isinstance(each.source, str) else "articles"
                    self.problems.append(Problem(name, 0, "unreadable", error.without_place))
            recipe, given = Recipe.from_detector(self.detector, self.within), dict(self.fields)
            options = ReadOptions(recipe, given, self.format, self.encoding, self.largest, self.details, self.as_is)
            if frames and not self.detector.fitted:
                self.detector = self._fit(frames, options)
                options = replace(options, recipe=Recipe.from_detector(self.detector, self.within))
            self._runs = count_runs(self.spark, self.signatures, self.detector) if self.signatures else 0
            if self._runs:
                frames.insert(0, read_stored(self.spark, self.signatures, STORED_INPUT))
            if not frames:
                return self.spark.sparkContext.emptyRDD(), Layout([]), options.recipe
            found = self._persist(read_partitions(self.spark, frames, options))
            return found, Layout(found.map(lambda partition: partition.splits).collect()), options.recipe

    def _fit(self, frames: list[Any], options: ReadOptions) -> Detector:
        if not self.detector.counter().is_sum:
            raise ParameterError(
                f"{self.detector.name}: cannot be fitted on Spark, since its statistics are not sums over partitions",
                "fit it first with detector.fit(corpus)",
            )
        return self.detector.weighed(count_terms(frames, options))

    @property
    def layout(self) -> Layout:
        """The input splits of all partitions."""
        return self._read[1]

    @cached_property
    def _shared(self) -> tuple[RDD[Any], Broadcast[BroadcastCollection], list[tuple[int, str]]]:
        """The responses about shared keys, the collection with its duplicates, and the rejected articles."""
        found, layout, recipe = self._read
        every = layout.count(True) + layout.count(False)
        with self._timed("read"):
            parts = self.parts or max(self.spark.sparkContext.defaultParallelism, len(layout.partitions))
            collection = BroadcastCollection(recipe, layout, layout.directory(), parts)
            shared = self._persist(find_shared(found, self._broadcast(collection), every))
            repeated = shared.map(lambda both: both[1]).collect() if layout.partitions else []
            rejected = sorted(each for some in repeated for each in some.rejected)
            summary, removed = self.summary, sum(len(some.removed) for some in repeated)
            rejected_old = sum(number < layout.first_new for number, _ in rejected)
            summary.replaced = sum(some.replaced for some in repeated)
            summary.articles = layout.count(True) - (len(rejected) - rejected_old)
            removed_old = removed - (len(rejected) - rejected_old)
            summary.earlier_articles = layout.count(False) - removed_old
            summary.records = sum(split.records for split in layout.splits) + len(self.problems)
            summary.warned = sum(split.kept.total() for split in layout.splits)
            summary.repaired = dict(sum((split.repairs for split in layout.splits), Counter()))
            problems = layout.faults().total() + len(self.problems) + len(rejected)
            summary.rejected = problems - summary.warned
            directory = layout.directory(repeated)
            return shared, self._broadcast(replace(collection, directory=directory)), rejected

    @cached_property
    def _calibrated(self) -> tuple[RDD[SignedPartition], Broadcast[BroadcastCollection]]:
        """The signed articles and the collection, after the calibration of the detector, if it has one."""
        (found, _, recipe), (_, collection, _) = self._read, self._shared
        detector = recipe.detector
        if not detector.calibrates or detector.is_calibrated:
            return found, collection
        with self._timed("read"):
            drawn = sample(found, collection, self.as_is)
            if not drawn.total:
                return found, collection
            calibrated = replace(recipe, state=detector.engine.calibration(drawn))
            collection = self._broadcast(replace(collection.value, recipe=calibrated))
            shared = collection
            found = self._persist(found.map(lambda partition: apply_calibration(partition, shared.value.recipe)))
            if count := with_boilerplate(found, collection):
                self.summary.repaired[_core.BOILERPLATE] = count
            return found, collection

    def count(self) -> None:
        """Reads and counts the articles, for `summary`."""
        _ = self._shared

    def all_problems(self) -> list[Problem]:
        """Returns the problems of inputs and records, and the duplicate ids, in the order of the input."""
        layout, rejected = self.layout, self._shared[2]
        more = []
        for number, id in rejected[: self.details]:
            short = id if len(id) <= 200 else f"{id[:200]}…"
            more.append(Problem(*layout.place(number), "duplicate id", f'the id "{short}" was read before'))
        every = [*self.problems, *layout.problems(), *more]
        place = {file: at for at, file in enumerate(dict.fromkeys(problem.file for problem in every))}
        return sorted(every, key=lambda problem: (place[problem.file], problem.line))

    def faults(self) -> dict[str, int]:
        """Counts the problems by fault."""
        faults = self.layout.faults()
        for problem in self.problems:
            faults[problem.fault] += 1
        faults["duplicate id"] += len(self._shared[2])
        return {fault: count for fault, count in faults.items() if count}

    def keep(self) -> None:
        """Adds the new articles to the folder of signatures."""
        append_run(self.spark, self._read[0], self._shared[1], self.detector, self.signatures, self._runs)

    @cached_property
    def _postings(self) -> tuple[RDD[PostingLists], Broadcast[NDArray[np.uint64]]]:
        """The posting lists of all parts, and the keys of more articles than the ceiling."""
        import numpy as np

        (shared, *_), (found, collection), layout = self._shared, self._calibrated, self.layout
        every = layout.count(True) + layout.count(False)
        with self._timed("candidates"):
            postings = self._persist(build_postings(found, shared, collection, every))
            lists = postings.map(lambda lists: (lists.skipped, lists.unsigned)).collect()
            skipped = np.concatenate([np.zeros(0, np.uint64), *(hashes for hashes, _ in lists)])
            self.summary.skipped_keys = len(skipped)
            self.summary.without_signature = sum(some for _, some in lists)
            self.summary.hint = hint_about_skipped(self.summary.skipped_keys, self.detector)
            return postings, self._broadcast(skipped)

    def _compare(self, order: RankOrder = ("longest", ())) -> RDD[ComparedPairs]:
        """Returns the compared pairs; hubs of long lists are selected by this order."""
        (found, collection), count = self._calibrated, len(self.layout.partitions)
        postings, skipped = self._postings
        is_sampled = len(skipped.value) > 0 and self.detector.samples_long_lists
        order = order if is_sampled else ("longest", ())
        if order in self._compared:
            return self._compared[order]
        with self._timed("candidates"):
            lists = send_lists(postings, count)
            if is_sampled:
                lists = send_sampled(found, postings, collection, skipped, order)
            pairs = self._persist(find_pairs(lists, collection, sorted(self._decided.values()), count))
        with self._timed("compare"):
            compared = self._persist(compare(found, pairs, collection, skipped))
            counts = compared.map(lambda value: value.counts).collect()
            compared_pairs, forms, dropped = (sum(some[at] for some in counts) for at in range(3))
            self.summary.count((compared_pairs, forms, dropped))
        self._compared[order] = compared
        return compared

    def relations(self, max_relations: int | None = None) -> DataFrame:
        """Returns all relations: left, right, kind, forward, backward, detector, score.

        With `max_relations`, so many of the strongest of each article to earlier ones, evenly by source; the summary
        counts the others.
        """
        from pyspark.sql.pandas.types import from_arrow_schema

        compared, (_, collection) = self._compare(), self._calibrated
        batches = compared.flatMap(lambda value: relation_batches(value.buffer, collection.value))
        every = to_frame(self.spark, batches, from_arrow_schema(relation_schema()))
        if max_relations is None:
            return every.drop(*RANK_COLUMNS)
        check_max_relations("max_relations", max_relations)
        kept = strongest(every, max_relations)
        self.summary.weaker_relations = count_weaker(every, max_relations)
        return kept

    def relation_lines(self) -> bytes:
        """Returns all relations as lines, in the order of the input."""
        compared, (_, collection) = self._compare(), self._calibrated

        def numbered_lines(value: ComparedPairs) -> tuple[pa.RecordBatch, bytes]:
            numbers, lines = collection.value.compared(value.buffer).relation_lines
            return record_batch(numbers), lines

        return relation_lines(compared.map(numbered_lines).collect())

    def groups(self, options: GroupingOptions) -> RDD[_core.exchange.Group]:
        """Returns all groups with a new article."""
        if decided := {id for pair in (*options.decisions.same, *options.decisions.apart) for id in pair}:
            self._look_up(decided)
        numbers = self._decided
        self.summary.unknown_decisions = options.decisions.unknown(numbers.__contains__)
        same, apart = (
            [(numbers[a], numbers[b]) for a, b in some if a in numbers and b in numbers and a != b]
            for some in (options.decisions.same, options.decisions.apart)
        )
        # a majority counts all relations; otherwise the first article of a story must be a hub of its lists
        is_ranked = options.method != "majority"
        compared = self._compare((options.representative, tuple(options.prefer))) if is_ranked else self._compare()
        found, collection = self._calibrated
        chosen = options.method, options.representative, options.prefer, options.join_parts
        task = self._broadcast(GroupingTask(*chosen, same, apart))
        with self._timed("group"):
            return group(self.spark, compared, found, collection, task, self._persist)

    def _look_up(self, wanted: set[str]) -> None:
        """Finds the numbers of the articles that decisions name."""
        self._compared.clear()  # articles with decisions are pairs with themselves
        (found, *_), (_, collection, _) = self._read, self._shared

        def find(partition: int, value: SignedPartition) -> Iterator[tuple[str, int]]:
            layout = collection.value.layout
            ids, numbers = value.ids(layout, partition).to_pylist(), value.numbers(layout, partition)
            for row in collection.value.present(partition, value).tolist():
                if ids[row] in wanted:
                    yield ids[row], int(numbers[row])

        self._decided = dict(map_indexed(found, find).collect())
