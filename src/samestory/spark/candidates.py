"""From signed articles to compared pairs, step by step; the core computes every step.

    input partitions ──requests──▶ parts        ids, signatures, and a few bits of every key
    parts ──responses──▶ input partitions       which keys may be shared
    input partitions ──keys──▶ parts            posting lists
    input partitions ──crowded articles──▶      only if there are long lists: of these, hubs are read
    parts ──lists──▶ input partitions           pairs that share enough keys
    input partitions ──pairs, requests──▶       the pair at the partition of its hub
    input partitions ──articles──▶              the signatures of the pair

A part has the keys, ids and signatures of one range of hashes. Texts never leave their input partition: only article
numbers, ids, keys, and the signatures of articles with candidates are shuffled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.model import record_batch
from samestory.spark.collection import BroadcastCollection
from samestory.spark.layout import RepeatedArticles
from samestory.spark.partitions import map_indexed, send, zip_partitions
from samestory.spark.signing import SignedPartition

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

#: A buffer with the number of the partition or part that has sent it, or that receives it.
Buffer = tuple[int, bytes]


def find_shared(
    found: RDD[SignedPartition], collection: Broadcast[BroadcastCollection], articles: int
) -> RDD[tuple[list[Buffer], RepeatedArticles]]:
    """Returns the responses of all parts, and the ids and signatures that occur repeatedly."""
    parts = collection.value.parts

    def request(partition: int, value: SignedPartition) -> list[Buffer]:
        return collection.value.open(partition, value).request_shared(articles, parts)

    def respond(_: int, received: list[Buffer]) -> Iterator[tuple[list[Buffer], RepeatedArticles]]:
        import numpy as np

        layout = collection.value.layout
        responses, some = _core.exchange.respond_shared(buffers(received), layout.stored_end, layout.first_new)
        origins = [origin for origin, _ in received]
        members = record_batch(some.members)
        repeated = RepeatedArticles(np.asarray(some.removed), some.rejected, some.replaced, members)
        yield list(zip(origins, responses, strict=True)), repeated

    return map_indexed(send(found, request, parts), respond)


class PostingLists(NamedTuple):
    """The posting lists of a part, for every input partition."""

    lists: list[Buffer]
    skipped: NDArray[np.uint64]
    """The hashes of keys of more articles than the ceiling."""
    long_lists: bytes
    """Their lists, if they are sampled."""
    unsigned: int
    """Number of articles without keys."""


def build_postings(
    found: RDD[SignedPartition], shared: RDD[Any], collection: Broadcast[BroadcastCollection], articles: int
) -> RDD[PostingLists]:
    """Returns the posting lists of all parts, given the responses about shared keys."""
    parts, detector = collection.value.parts, collection.value.recipe.detector
    limits = detector.ceiling, detector.samples_long_lists

    def send_keys(partition: int, both: tuple[SignedPartition, list[Buffer]]) -> Iterator[tuple[int, Any]]:
        here, own = collection.value, collection.value.open(partition, both[0])
        packed, unsigned = own.pack_keys(here.directory, buffers(both[1]), articles)
        for to, buffer in packed:
            yield to, (buffer, 0 if to else unsigned)

    def build_lists(part: int, received: list[tuple[int, Any]]) -> Iterator[PostingLists]:
        import numpy as np

        packed = [buffer for _, (buffer, _) in received]
        built = _core.exchange.build_lists(collection.value.directory, packed, (part, parts), *limits)
        lists, skipped, long_lists = built
        yield PostingLists(lists, np.asarray(skipped), long_lists, sum(unsigned for _, (_, unsigned) in received))

    responses = send(shared, lambda _, both: both[0], found.getNumPartitions())
    return map_indexed(send(zip_partitions(found, responses), send_keys, parts), build_lists)


#: The representative and the preferred sources, by which the hubs of long lists are selected.
RankOrder = tuple[str, tuple[str, ...]]


def send_lists(postings: RDD[PostingLists], partitions: int) -> RDD[list[Buffer]]:
    """Sends the posting lists up to the ceiling to the input partitions."""
    return send(postings, lambda _, value: value.lists, partitions)


def send_sampled(
    found: RDD[SignedPartition],
    postings: RDD[PostingLists],
    collection: Broadcast[BroadcastCollection],
    skipped: Broadcast[NDArray[np.uint64]],
    order: RankOrder,
) -> RDD[list[Buffer]]:
    """Sends all posting lists; of the long ones, the parts select hubs from their crowded articles."""
    parts, (representative, prefer) = collection.value.parts, order

    def send_crowded(partition: int, value: SignedPartition) -> list[Buffer]:
        here, own = collection.value, collection.value.open(partition, value)
        return own.find_crowded(here.directory, skipped.value, (representative, list(prefer)), parts)

    def add_hubs(_: int, both: tuple[PostingLists, list[Buffer]]) -> Iterator[Buffer]:
        here, (value, crowded) = collection.value, both
        selected = _core.exchange.select_hubs(here.native, here.directory, value.long_lists, buffers(crowded))
        for (to, short), (_, sampled) in zip(value.lists, selected, strict=True):
            yield to, short + sampled

    crowded = send(found, send_crowded, parts)
    return send(zip_partitions(postings, crowded), add_hubs, found.getNumPartitions())


def find_pairs(
    lists: RDD[list[Buffer]], collection: Broadcast[BroadcastCollection], decided: list[int], partitions: int
) -> RDD[list[Buffer]]:
    """Returns the pairs that share enough keys, at the partitions of their hubs, and the requests for articles."""

    def pairs(partition: int, received: list[Buffer]) -> list[Buffer]:
        return _core.exchange.find_pairs(collection.value.directory, buffers(received), partition, decided)

    return send(lists, pairs, partitions)


class ComparedPairs(NamedTuple):
    """The compared pairs of a partition, with all of their articles."""

    buffer: bytes
    counts: tuple[int, int, int]
    """Numbers of compared pairs, of those from one template with other facts, and of dropped candidates."""
    edges: pa.RecordBatch
    """Pairs that may join two articles, and every original with itself: `left`, `right`, and `is_part`."""


def compare(
    found: RDD[SignedPartition],
    pairs: RDD[list[Buffer]],
    collection: Broadcast[BroadcastCollection],
    skipped: Broadcast[NDArray[np.uint64]],
) -> RDD[ComparedPairs]:
    """Compares all pairs; every signature is sent at most once to a partition."""

    def send_requested(partition: int, both: tuple[SignedPartition, list[Buffer]]) -> list[Buffer]:
        here, own = collection.value, collection.value.open(partition, both[0])
        return own.send_requested(here.directory, buffers(both[1]), partition)

    def compared(partition: int, values: tuple[SignedPartition, list[Buffer], list[Buffer]]) -> Iterator[ComparedPairs]:
        here, own = collection.value, collection.value.open(partition, values[0])
        buffer = own.compare(here.directory, buffers(values[1]), buffers(values[2]), skipped.value, partition)
        opened = here.compared(buffer)
        yield ComparedPairs(buffer, opened.counts, record_batch(opened.edges))

    articles = send(zip_partitions(found, pairs), send_requested, found.getNumPartitions())
    return map_indexed(zip_partitions(found, pairs, articles), compared)


def buffers(received: Iterable[Buffer]) -> list[bytes]:
    """Returns the buffers without the numbers of their origins."""
    return [buffer for _, buffer in received]
