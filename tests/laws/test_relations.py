"""With caps off, any chunking, any order, any number of threads and any cut of a file give the same relations."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import (
    Article,
    Detector,
    GroupingOptions,
    Index,
    Kind,
    Relation,
    Reuse,
    explain,
    find,
    parse,
    prepare,
    relate,
)
from samestory.index import Columns
from samestory.model import KINDS
from samestory.run import Run
from tests.news import SENTENCES, body, corpora, plain_words
from tests.reference.detector import SameWords

UNCAPPED = [
    "exact()",
    "minhash()",
    "minhash(verify=True, bands=40, rows=2, threshold=0.2)",
    "reuse(ceiling=0)",
    "reuse(ceiling=0, threshold=0.1, copy=0.3, sample=1.0)",
]
every_detector = pytest.mark.parametrize("detector", [parse(spec) for spec in UNCAPPED], ids=UNCAPPED)
EXAMPLES = settings(max_examples=12)


def same(relations: Iterable[Relation]) -> list[tuple[object, ...]]:
    """Relations without their direction, where it means nothing.

    A part stands left of its whole and a new version left of the old one, however the articles came.
    """
    out = []
    for relation in relations:
        assert relation.kind is not Kind.HAS_PART
        is_directed = relation.kind in (Kind.PART_OF, Kind.UPDATE)
        r = relation if is_directed or relation.left < relation.right else relation.flipped()
        out.append((r.left, r.right, str(r.kind), r.overlap.forward, r.overlap.backward))
    assert len({frozenset(row[:2]) for row in out}) == len(out), "a pair was reported twice"
    return sorted(out)


def in_chunks(detector: Detector, articles: Sequence[Article], sizes: Sequence[int]) -> list[Relation]:
    index, out, at = Index(detector), [], 0
    for size in [*sizes, len(articles)]:
        out += index.add(prepare(articles[at : at + size]))
        at += size
    return out


@every_detector
@given(articles=corpora(), sizes=st.lists(st.integers(0, 4), max_size=6), shuffle=st.randoms(use_true_random=False))
@EXAMPLES
def test_any_chunking_and_any_order_give_the_relations_of_the_batch(
    detector: Detector, articles: list[Article], sizes: list[int], shuffle: random.Random
) -> None:
    whole = same(relate(articles, detector=detector))
    shuffled = list(articles)
    shuffle.shuffle(shuffled)
    assert same(relate(shuffled, detector=detector)) == whole
    assert same(in_chunks(detector, articles, sizes)) == whole
    assert same(in_chunks(detector, shuffled, sizes)) == whole
    assert same(in_chunks(detector, shuffled, [1] * len(shuffled))) == whole


@given(articles=corpora(), sizes=st.lists(st.integers(0, 4), max_size=6))
@EXAMPLES
def test_a_detector_in_python_gives_the_same_relations_in_any_chunking(
    articles: list[Article], sizes: list[int]
) -> None:
    assert same(in_chunks(SameWords(), articles, sizes)) == same(relate(articles, detector=SameWords()))


def test_the_random_corpora_hold_every_kind() -> None:
    """The laws here would say nothing if random articles were never related."""
    kinds: set[str] = set()

    @settings(max_examples=200, derandomize=True, database=None)
    @given(articles=corpora())
    def look(articles: list[Article]) -> None:
        kinds.update(str(r.kind) for r in relate(articles, detector="reuse(ceiling=0)"))

    look()
    assert kinds == {"IDENTICAL", "NEAR", "PART_OF", "UPDATE", "SHARES_TEXT"}


def test_very_long_articles_meet_alike_in_the_batch_and_in_the_index() -> None:
    """Keys in common beyond 255: the batch counts them in a byte, the index does not."""
    shared = plain_words(400, "p")
    articles = [
        Article("whole", f"{shared} {plain_words(2000, 'a')}"),
        Article("many times", f"{' '.join([shared] * 20)} {plain_words(8000, 'b')}"),
        Article("once", f"{shared} {plain_words(500, 'c')}"),
    ]
    detector = parse("reuse(sample=1.0, ceiling=0)")
    assert same(relate(articles, detector=detector)) == same(Index(detector).add(prepare(articles)))


# --- the native batch path over files ---


@pytest.fixture(scope="module")
def news() -> list[Article]:
    """Enough articles for several blocks of a file: families of edited copies, parts and updates, and loners."""
    draw = random.Random(20260301)
    out = []
    for number in range(1500):
        loner = plain_words(draw.randint(20, 90), f"w{number}y")
        picked = draw.choices(range(len(SENTENCES)), k=draw.randint(1, 6))
        edits = [(draw.randint(0, 80), draw.choice(["new", "9", "Berta"])) for _ in range(draw.randint(0, 4))]
        text = body(picked, edits) + " " + loner if draw.random() < 0.4 else loner
        day = f"2026-03-{draw.randint(1, 28):02}"
        out.append(Article(f"n{number}", text, published=day, source=draw.choice(["Post", "Coast", None])))
    for number in draw.sample(range(1500), 200):
        out.append(replace(out[number], id=f"copy of {number}", text=out[number].text.upper()))
    return out


def related(run: Run) -> list[Relation]:
    ids = run.corpus.articles().ids
    columns = (column.tolist() for column in Columns.from_core(run.relations())[:5])
    return [
        Relation(ids[a], ids[b], KINDS[k], (f, g), run.detector.name)  # type: ignore[arg-type]
        for a, b, k, f, g in zip(*columns, strict=True)
    ]


def rows_of(run: Run) -> list[tuple[object, ...]]:
    return sorted((r.left, r.right, str(r.kind), *r.overlap) for r in related(run))


def file_of(path: Path, articles: Iterable[Article], padding: Iterable[int]) -> Path:
    with path.open("w", encoding="utf-8") as out:
        for article, spare in zip(articles, padding, strict=False):
            out.write(json.dumps({"spare": "x" * spare, **asdict(article)}, ensure_ascii=False) + "\n")
    return path


@pytest.fixture(scope="module")
def files(news: list[Article], tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    folder = tmp_path_factory.mktemp("cuts")
    draw = random.Random(5)
    endless = iter(int, 1)
    out = {
        "plain lines": [file_of(folder / "plain.jsonl", news, endless)],
        "lines of all lengths": [file_of(folder / "all.jsonl", news, (draw.randint(0, 5000) for _ in news))],
        "one line larger than a block": [
            file_of(folder / "big.jsonl", news, (3_000_000 if n == 700 else 0 for n in range(len(news))))
        ],
        "three files": [file_of(folder / f"part{n}.jsonl", news[n * 600 : n * 600 + 600], endless) for n in range(3)],
    }
    packed = folder / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(out["plain lines"][0].read_bytes(), 1))
    out["compressed"] = [packed]
    assert out["lines of all lengths"][0].stat().st_size > 3 << 20, "too small to be cut"
    return out


CUTS = ("plain lines", "lines of all lengths", "one line larger than a block", "three files", "compressed")


@pytest.mark.parametrize("spec", ["exact()", "minhash()", "reuse(ceiling=0)", "reuse()"])
@pytest.mark.parametrize("cut", CUTS)
def test_a_file_however_cut_gives_the_relations_of_its_articles(
    cut: str, spec: str, news: list[Article], files: dict[str, list[Path]]
) -> None:
    detector = parse(spec)
    run = Run(detector, threads=2)  # type: ignore[arg-type]
    for path in files[cut]:
        run.read(str(path))
    assert len(run.corpus) == len(news) == run.corpus.report().records
    found = rows_of(run)
    assert found == sorted((r.left, r.right, str(r.kind), *r.overlap) for r in relate(news, detector=detector))
    assert len(found) > 150


@pytest.mark.parametrize("spec", ["minhash()", "reuse()"])
def test_one_and_many_threads_say_the_same_in_the_same_order(spec: str, files: dict[str, list[Path]]) -> None:
    results = []
    for threads in (1, 2, 4):
        run = Run(parse(spec), threads=threads)  # type: ignore[arg-type]
        run.read(str(files["lines of all lengths"][0]))
        results.append([(r.left, r.right, str(r.kind), *r.overlap) for r in related(run)])
        skipped = run.summary.skipped_keys
        results.append([(skipped, run.summary.compared, run.summary.forms)])
    assert results[0] == results[2] == results[4]
    assert results[1] == results[3] == results[5]


# --- new against old ---


@every_detector
@given(articles=corpora(), cut=st.integers(0, 10))
@EXAMPLES
def test_against_gives_all_relations_but_those_among_the_old(
    detector: Detector, articles: list[Article], cut: int
) -> None:
    old, new = articles[:cut], articles[cut:]
    ids = {article.id for article in old}
    expected = [row for row in same(relate(articles, detector=detector)) if not ids.issuperset(row[:2])]
    assert same(relate(new, detector=detector, against=old)) == expected
    index = Index(detector)
    index.add(prepare(old))
    assert same(index.add(prepare(new))) == expected


def test_an_article_that_is_also_among_the_old_ones_is_not_lost_in_silence() -> None:
    """The new one takes the place of the old (as in an index) or the ids are refused; neither is just dropped."""
    text = SENTENCES[0]
    try:
        found = relate([{"id": "a", "text": text}], against=[{"id": "a", "text": "other"}, {"id": "b", "text": text}])
    except ValueError as error:
        assert "'a'" in str(error)
    else:
        assert [{r.left, r.right} for r in found] == [{"a", "b"}]


# --- what the index does with time and with ids ---


@pytest.mark.parametrize("late", [False, True])
def test_a_window_reaches_as_far_back_as_forward(late: bool) -> None:
    from datetime import timedelta

    days = {"near": "2026-03-05", "edge": "2026-03-08", "beyond": "2026-03-09", "timeless": None}
    asked = Article("asked", SENTENCES[0], published="2026-03-01")
    others = [Article(id, SENTENCES[0], published=day) for id, day in days.items()]
    index = Index(parse("reuse(ceiling=0)"), window=timedelta(days=7))
    if late:
        index.add(prepare(others))
        found = index.add(prepare([asked]))
    else:
        index.add(prepare([asked]))
        found = [r for other in others for r in index.add(prepare([other])) if "asked" in (r.left, r.right)]
    assert {r.left if r.right == "asked" else r.right for r in found} == {"near", "edge", "timeless"}


@given(articles=corpora(), shuffle=st.randoms(use_true_random=False), days=st.integers(0, 3))
@EXAMPLES
def test_with_a_window_the_order_of_arrival_does_not_matter(
    articles: list[Article], shuffle: random.Random, days: int
) -> None:
    from datetime import timedelta

    detector = parse("reuse(ceiling=0)")
    shuffled = list(articles)
    shuffle.shuffle(shuffled)

    def stream(some: Sequence[Article]) -> list[tuple[object, ...]]:
        index = Index(detector, window=timedelta(days=days))
        return same(r for article in some for r in index.add(prepare([article])))

    assert stream(articles) == stream(shuffled)
    times = {a.id: t for a, t in zip(articles, prepare(articles).published, strict=True)}
    reach = timedelta(days=days)

    def close(row: tuple[object, ...]) -> bool:
        one, other = times[str(row[0])], times[str(row[1])]
        return one is None or other is None or abs(one - other) <= reach

    assert stream(articles) == [row for row in same(relate(articles, detector=detector)) if close(row)]


@every_detector
def test_adding_an_id_again_replaces_the_article(detector: Detector) -> None:
    index = Index(detector)
    index.add(prepare([Article("a", SENTENCES[0]), Article("b", SENTENCES[1])]))
    assert [{r.left, r.right} for r in index.add(prepare([Article("a", SENTENCES[1])]))] == [{"a", "b"}]
    assert index.query(prepare([Article("c", SENTENCES[0])])) == []
    assert len(index) == 2


@every_detector
def test_of_an_id_given_twice_in_one_batch_the_last_counts(detector: Detector) -> None:
    index = Index(detector)
    batch = [Article("a", SENTENCES[0]), Article("b", SENTENCES[0]), Article("a", SENTENCES[1])]
    assert index.add(prepare(batch)) == []
    assert {r.right for r in index.query(prepare([Article("q", SENTENCES[1])]))} == {"a"}


@every_detector
def test_a_question_files_nothing_and_does_not_meet_its_own_id(detector: Detector) -> None:
    index = Index(detector)
    index.add(prepare([Article("a", SENTENCES[0])]))
    asked = prepare([Article("a", SENTENCES[0]), Article("q", SENTENCES[0])])
    assert [(r.left, r.right) for r in index.query(asked)] == [("q", "a")]
    assert len(index) == 1
    assert [(r.left, r.right) for r in index.query(asked)] == [("q", "a")]


# --- ids of articles handed over in Python ---


def test_articles_without_ids_are_named_by_url_or_place() -> None:
    news = [{"url": "http://x/1", "text": SENTENCES[0]}, {"text": SENTENCES[0]}]
    (relation,) = relate(news)
    assert {relation.left, relation.right} == {"http://x/1", "2"}


def test_an_id_of_zero_is_an_id() -> None:
    (relation,) = relate([{"id": 0, "text": SENTENCES[0]}, {"id": 1, "text": SENTENCES[0]}])  # type: ignore[dict-item]
    assert {relation.left, relation.right} == {"0", "1"}


def test_two_articles_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="the id 'a' is already used"):
        relate([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}])


def test_more_articles_than_one_batch_holds_are_all_taken() -> None:
    """Articles are handed to the core some thousands at a time; those behind the first batch must not get lost."""
    articles = [Article(str(n), plain_words(12, f"n{n}y")) for n in range(9000)]
    articles.append(Article("copy", articles[17].text))
    assert [{r.left, r.right} for r in relate(articles)] == [{"17", "copy"}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2026-03-02T08:00:00.100Z", "2026-03-02T08:00:00.900Z"),
        ("2026-03-02T08:00:00.000001Z", "2026-03-02T08:00:00.000002Z"),
        ("2026-03-02T08:00:00Z", "2026-03-02T11:00:00.5+03:00"),
        ("1772438400100", "1772438400101"),
    ],
)
@pytest.mark.parametrize("turn", [False, True])
def test_of_two_articles_of_one_source_within_a_second_the_later_is_the_update(
    first: str, second: str, turn: bool
) -> None:
    old = Article("old", SENTENCES[0] + " " + SENTENCES[1], published=first, source="Post")
    new = Article("new", SENTENCES[0] + " " + SENTENCES[1] + " Repaired.", published=second, source="Post")
    articles = [new, old] if turn else [old, new]
    index = Index(Reuse())
    streamed = [relation for article in articles for relation in index.add(prepare([article]))]
    explained = explain(articles[0], articles[1]).relation
    assert explained is not None
    for (relation,) in (relate(articles), streamed, [explained]):
        assert (relation.left, relation.right, relation.kind) == ("new", "old", Kind.UPDATE)
    (group,) = find(articles, grouping=GroupingOptions(representative="latest"))
    assert group.representative == "new"
    assert group.weakest is not None and (group.weakest.left, group.kind) == ("new", Kind.UPDATE)
    (group,) = find(articles, grouping=GroupingOptions(representative="earliest"))
    assert group.representative == "old"
