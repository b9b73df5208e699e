"""The runner of each peer, as its makers show it."""

import importlib
from collections.abc import Iterator
from typing import Any

from peer_jobs import BANDS, BATCH, HASHES, ROWS, SEED, SHINGLE, THRESHOLD, Job, peer


def shingles(text: str) -> list[str]:
    words = text.lower().split()
    if len(words) <= SHINGLE:
        return [" ".join(words)]
    return list(map(" ".join, zip(words, words[1:], words[2:], words[3:], words[4:], strict=False)))


def batches(items: Any, size: int = BATCH) -> Iterator[Any]:
    for i in range(0, len(items), size):
        yield items[i : i + size]


def join(articles: int, pairs: Any) -> list[int]:
    """Connected components, as a user of these libraries would write it: part of the task, so part of the time."""
    parent = list(range(articles))
    for a, b in pairs:
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    for i in range(articles):
        parent[i] = parent[parent[i]]
    return parent


def as_array(pairs: list[tuple[int, int]]) -> Any:
    import numpy as np

    return np.array(pairs, np.int32).reshape(-1, 2)


def flat_shingle_hashes(texts: list[str]) -> tuple[Any, Any]:
    """The fastest way found in Python: word hashes by hash(), shingles by NumPy over a whole batch.

    Gives the hashes of all articles in one array, and where each article begins in it.
    """
    import numpy as np

    words: list[str] = []
    ends_list = []
    for text in texts:
        words += text.lower().split()
        ends_list.append(len(words))
    hashes = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    ends = np.array(ends_list, np.int64)
    count = len(hashes) - SHINGLE + 1
    rolled = hashes[:count].copy()
    for i in range(1, SHINGLE):
        rolled *= np.uint64(0x9FB21C651E98DF25)
        rolled += hashes[i : count + i]
    rolled ^= rolled >> np.uint64(29)
    rolled *= np.uint64(0xBF58476D1CE4E5B9)
    rolled ^= rolled >> np.uint64(32)
    keep = np.ones(count, bool)
    for back in range(1, SHINGLE):  # windows that cross from one article to the next
        crossing = ends[:-1] - back
        keep[crossing[(crossing >= 0) & (crossing < count)]] = False
    counts = np.maximum(np.diff(ends, prepend=0) - SHINGLE + 1, 0)
    return rolled[keep], np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)


def agreeing(sketches: Any, pairs: Any) -> Any:
    """The pairs whose sketches agree in at least the threshold's share of places."""
    import numpy as np

    keep = [(sketches[p[:, 0]] == sketches[p[:, 1]]).mean(1) >= THRESHOLD for p in batches(pairs, 65536)]
    return pairs[np.concatenate(keep)] if keep else pairs


def group_by_bands(job: Job, sketches: Any) -> None:
    """Bands, check and groups by NumPy, for peers that stop at the sketches.

    Each article is paired with the previous one of its bucket: enough for groups, and far fewer than all pairs.
    """
    import numpy as np

    found = []
    for band in range(BANDS):
        values = np.ascontiguousarray(sketches[:, band * ROWS : (band + 1) * ROWS])
        keys = values.view(np.dtype((np.void, values.dtype.itemsize * ROWS))).ravel()
        _, bucket, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        rows = np.flatnonzero(sizes[bucket] > 1)
        rows = rows[np.argsort(bucket[rows], kind="stable")]
        same = bucket[rows[1:]] == bucket[rows[:-1]]
        found.append(np.stack([rows[:-1][same], rows[1:][same]], 1))
    candidates = np.unique(np.concatenate(found), axis=0)
    job.stages.done("query")
    verified = agreeing(sketches, candidates)
    job.stages.done("verify")
    join(len(sketches), verified.tolist())
    job.stages.done("group")
    job.save(candidates=candidates.astype(np.int32), verified=verified.astype(np.int32))


# -- datasketch -----------------------------------------------------------------------


def save_verified(job: Job, sketches: Any, candidates: list[tuple[int, int]]) -> None:
    """Verify candidates by their sketches, group the articles, and save both kinds of pairs."""
    verified = [(i, j) for i, j in candidates if sketches[i].jaccard(sketches[j]) >= THRESHOLD]
    job.stages.done("verify")
    join(len(sketches), verified)
    job.stages.done("group")
    job.save(candidates=as_array(candidates), verified=as_array(verified))


def _datasketch(job: Job, hash_name: str | None) -> None:
    from datasketch import MinHash, MinHashLSH

    options: dict[str, Any] = {"num_perm": HASHES}
    if hash_name:
        options["hashfunc"] = getattr(importlib.import_module("xxhash"), hash_name)
    texts, stages = job.texts(), job.stages
    hashes = []
    for part in batches(texts):
        sets = [[s.encode() for s in shingles(text)] for text in part]
        stages.done("shingle")
        hashes.extend(MinHash.bulk(sets, **options))
        stages.done("sketch")
    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES, params=(BANDS, ROWS))
    with lsh.insertion_session() as session:
        for i, sketch in enumerate(hashes):
            session.insert(i, sketch)
    stages.done("index")
    candidates = [(i, j) for i, sketch in enumerate(hashes) for j in lsh.query(sketch) if j > i]
    stages.done("query")
    save_verified(job, hashes, candidates)


@peer("core", "datasketch", "Python", "its sketches")
def datasketch(job: Job) -> None:
    """MinHash.bulk with the default SHA-1 and MinHashLSH, as its documentation shows."""
    _datasketch(job, None)


@peer("core", "datasketch", "Python", "its sketches")
def datasketch_xxh(job: Job) -> None:
    """The same with xxh32, its documented way to be faster."""
    _datasketch(job, "xxh32_intdigest")


# -- rensa ------------------------------------------------------------------------------


@peer("core", "rensa", "Python", "its sketches")
def rensa_r(job: Job) -> None:
    """RMinHash.from_token_sets, RMinHashLSH.insert_many and query_all."""
    from rensa import RMinHash, RMinHashLSH

    texts, stages = job.texts(), job.stages
    hashes = []
    for part in batches(texts):
        sets = [shingles(text) for text in part]
        stages.done("shingle")
        hashes.extend(RMinHash.from_token_sets(sets, num_perm=HASHES, seed=SEED))
        stages.done("sketch")
    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=BANDS)
    lsh.insert_many(hashes)
    stages.done("index")
    found = lsh.query_all(hashes)
    candidates = [(i, j) for i, others in enumerate(found) if len(others) > 1 for j in others if j > i]
    stages.done("query")
    save_verified(job, hashes, candidates)


@peer("core", "rensa", "Python", "its sketches, against kept articles only")
def rensa_dedup(job: Job) -> None:
    """RMinHashDeduplicator, as its README shows: a stream; a dropped article joins the kept ones it matches."""
    from rensa import RMinHash, RMinHashDeduplicator

    texts, stages = job.texts(), job.stages
    dedup = RMinHashDeduplicator(threshold=THRESHOLD, num_perm=HASHES, use_lsh=True, num_bands=BANDS)
    verified: list[tuple[int, int]] = []
    start = 0
    for part in batches(texts):
        sets = [shingles(text) for text in part]
        stages.done("shingle")
        hashes = RMinHash.from_token_sets(sets, num_perm=HASHES, seed=SEED)
        stages.done("sketch")
        kept = dedup.add_pairs(zip((str(start + i) for i in range(len(part))), hashes, strict=True))
        dropped = [i for i, is_kept in enumerate(kept) if not is_kept]
        stages.done("index")
        found = dedup.get_duplicate_sets([hashes[i] for i in dropped])
        for i, others in zip(dropped, found, strict=True):
            verified.extend((int(j), start + i) for j in others)
        stages.done("query")
        start += len(part)
    join(len(texts), verified)
    stages.done("group")
    job.save(verified=as_array(verified))


@peer("core", "rensa", "NumPy, pre-hashed", "its sketches, by NumPy")
def rensa_expert(job: Job) -> None:
    """What an expert could do: flat pre-hashed shingles, rensa's sketch kernel, bands by NumPy."""
    import numpy as np
    from rensa import RMinHash

    texts, stages = job.texts(), job.stages
    sketches = []
    for part in batches(texts):
        flat, offsets = flat_shingle_hashes(part)
        stages.done("shingle")
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(flat, offsets, num_perm=HASHES, seed=SEED)
        stages.done("sketch")
        sketches.append(np.array(matrix.to_rows(), np.uint32))
        stages.done("convert")
    group_by_bands(job, np.concatenate(sketches))


# -- gaoya, FastSketchLSH, dedup-rs, Daft ----------------------------------------------------


@peer("core", "gaoya", "its own, in Rust", "its sketches, inside")
def gaoya(job: Job) -> None:
    """MinHashStringIndex with its own word tokeniser, par_bulk_insert_docs and par_bulk_query."""
    from gaoya.minhash import MinHashStringIndex

    texts, stages = job.texts(), job.stages
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=THRESHOLD,
        num_bands=BANDS,
        band_size=ROWS,
        analyzer="word",
        lowercase=True,
        ngram_range=(SHINGLE, SHINGLE),
        id_container="vec",
    )
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    stages.done("sketch+index")
    found = index.par_bulk_query(texts)
    verified = [(i, j) for i, others in enumerate(found) if len(others) > 1 for j in others if j > i]
    stages.done("sketch+query")
    join(len(texts), verified)
    stages.done("group")
    job.save(verified=as_array(verified))


def _fastsketch(job: Job, sketches: Any) -> None:
    import numpy as np
    from FastSketchLSH import LSH

    stages = job.stages
    lsh = LSH(num_perm=HASHES, num_bands=BANDS, num_threads=job.threads)
    lsh.insert(sketches)
    stages.done("index")
    flat, offsets = lsh.query(sketches, format="csr")
    offsets = np.asarray(offsets).astype(np.int64)
    left = np.repeat(np.arange(len(sketches)), offsets[1:] - offsets[:-1])
    right = np.asarray(flat).astype(np.int64)
    keep = right > left
    candidates = np.stack([left[keep], right[keep]], 1)
    stages.done("query")
    verified = agreeing(sketches, candidates)
    stages.done("verify")
    join(len(sketches), verified.tolist())
    stages.done("group")
    job.save(candidates=candidates.astype(np.int32), verified=verified.astype(np.int32))


@peer("fsk", "FastSketchLSH", "Python", "its sketches, by NumPy")
def fastsketch(job: Job) -> None:
    """FastSimilaritySketch.batch, then LSH.insert and LSH.query over the matrix."""
    import numpy as np
    from FastSketchLSH import FastSimilaritySketch

    texts, stages = job.texts(), job.stages
    sketcher = FastSimilaritySketch(size=HASHES, seed=SEED)
    sketches = []
    for part in batches(texts):
        sets = [shingles(text) for text in part]
        stages.done("shingle")
        sketches.append(sketcher.batch(sets, num_threads=job.threads))
        stages.done("sketch")
    _fastsketch(job, np.concatenate(sketches))


@peer("fsk", "FastSketchLSH", "NumPy, pre-hashed", "its sketches, by NumPy")
def fastsketch_expert(job: Job) -> None:
    """The same from flat pre-hashed shingles (batch_csr)."""
    import numpy as np
    from FastSketchLSH import FastSimilaritySketch

    texts, stages = job.texts(), job.stages
    sketcher = FastSimilaritySketch(size=HASHES, seed=SEED)
    sketches = []
    for part in batches(texts):
        flat, offsets = flat_shingle_hashes(part)
        stages.done("shingle")
        sketches.append(sketcher.batch_csr(flat, offsets, prehashed=True, num_threads=job.threads))
        stages.done("sketch")
    _fastsketch(job, np.concatenate(sketches))


@peer("deduprs", "dedup-rs", "its own, in Rust", "none")
def dedup_rs(job: Job) -> None:
    """EmbedFunc.batch_embed_shard and cluster: text in, groups out, in Rust."""
    import numpy as np
    from dedup_rs import EmbedFunc

    texts, stages = job.texts(), job.stages
    embed = EmbedFunc.from_b_r(BANDS, ROWS, SHINGLE, HASHES, "text", "idx", "u32", SHINGLE)
    start = 0
    for part in batches(texts, 10_000):
        embed.batch_embed_shard(part, np.arange(start, start + len(part), dtype=np.uint32))
        start += len(part)
    stages.done("shingle+sketch+index")
    forest = embed.cluster()
    labels = [forest.find(i) for i in range(start)]
    stages.done("group")
    job.save(labels=np.array(labels, np.int64))


@peer("daft", "daft", "its own, in Rust", "its sketches, by NumPy")
def daft(job: Job) -> None:
    """read_json and the native minhash expression; bands, check and groups by NumPy."""
    import numpy as np
    from daft import col, read_json

    job.stages.done("import")
    frame = read_json(str(job.docs)).select("id", "text").with_column("text", col("text").lower())
    sketch = col("text").minhash(num_hashes=HASHES, ngram_size=SHINGLE, seed=SEED, hash_function="xxhash")
    table = frame.with_column("sketch", sketch).select("id", "sketch").to_arrow()
    job.stages.done("read+shingle+sketch")
    positions = np.array([int(x[1:]) for x in table.column("id").to_pylist()])
    sketches = np.asarray(table.column("sketch").combine_chunks().flatten()).reshape(-1, HASHES)
    sketches = np.ascontiguousarray(sketches[np.argsort(positions)])
    job.stages.done("convert")
    group_by_bands(job, sketches)
