"""One hostile source: many near copies of a text, many entries of one topic, and spam that repeats honest articles.

Relations, bytes and the time of pages are bounded for each entry; honest articles are still related to their copies.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path

from samestory import Article, Stream, find
from samestory.archive import Archive
from samestory.detectors import parse
from samestory.groups import GroupingOptions
from samestory.run import Run
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.serving import HTML, portal
from tests.hostile.test_bounds import beside_spam, near_copies, titles_of_one_topic

ENTRIES, SPAM = 10_000, 5_000
#: Pairs of honest articles; each spam article repeats half of them, 200 words each.
PAIRS = 40
BUDGET = Budget(
    seconds=900,
    memory_mb=1500,
    more={
        "relations_per_entry": 50,
        "comparisons_per_entry": 1000,
        "bytes_per_entry": 10_000,
        "front_page_ms": 200,
        "story_page_ms": 500,
        "recall": 0.99,
    },
)
#: The ten words of the titles make any two of them one event; the copies of the text are near copies.
KINDS: dict[str, tuple[Callable[[int], list[Article]], str]] = {
    "near copies": (lambda count: near_copies(count, sources=1), "reuse"),
    "titles of ten words": (titles_of_one_topic, "event"),
}
#: Articles that are added at a time.
BATCH = 500
#: How often a page is read; the median counts.
READS = 7
#: Articles whose relations are all computed, as `relate` prints them.
RELATED = 1_000


def in_batch(articles: list[Article], detector: str, case: Case) -> None:
    """Group articles as `find` does, and relate some of them as `relate` does."""
    start, run = time.monotonic(), run_on(articles, detector)
    groups = list(run.groups(GroupingOptions.from_arguments(None, "longest", (), parse(detector).grouping)))
    case.measures["entries_per_second"] = len(articles) / (time.monotonic() - start)
    case.measures["largest_group"] = max(len(group.members) for group in groups)
    case.measures["comparisons_per_entry"] = run.summary.compared / len(articles)
    related = articles[:RELATED]
    case.measures[f"relations_of_{len(related)}_per_entry"] = len(run_on(related, detector).relations()) / len(related)


def run_on(articles: list[Article], detector: str) -> Run:
    """Prepare articles for groups or relations."""
    run = Run(parse(detector))
    run.add("one source", [[a.id, a.text, a.title, a.published, a.url, a.source, a.lang] for a in articles])
    return run


def in_stream(articles: list[Article], detector: str, case: Case) -> None:
    """Add articles to a stream."""
    start = time.monotonic()
    stream = Stream(detector)
    for at in range(0, len(articles), BATCH):
        stream.add(articles[at : at + BATCH])
    case.measures["entries_per_second"] = len(articles) / (time.monotonic() - start)
    case.measures["largest_group"] = max(len(members) for members in stream.groups().values())


def in_archive(articles: list[Article], folder: Path, case: Case) -> None:
    """Add articles to an archive with its default detectors, and read its pages."""
    place = folder / f"{case.name}.db"
    start = time.monotonic()
    with Archive.open(place) as archive:
        for at in range(0, len(articles), BATCH):
            archive.add(articles[at : at + BATCH])
        case.measures["entries_per_second"] = len(articles) / (time.monotonic() - start)
        case.measures["relations_per_entry"] = archive.stats()["relations"] / len(articles)
        with archive.database.read() as session:
            ((story, size),) = session.rows(
                "SELECT story, count(*) FROM articles GROUP BY story ORDER BY count(*) DESC LIMIT 1"
            )
    case.measures["largest_group"] = size
    files = [path for found in folder.glob(f"{place.name}*") for path in (found, *found.rglob("*")) if path.is_file()]
    case.measures["bytes_per_entry"] = sum(path.stat().st_size for path in files) / len(articles)
    with portal(place) as server, server.client() as client:
        for name, page in (("front_page_ms", "/"), ("story_page_ms", f"/story/{story}")):
            seconds = []
            for _ in range(READS):
                start = time.monotonic()
                answer = client.get(page, headers=HTML)
                seconds.append(time.monotonic() - start)
                assert answer.status_code == 200, f"{page}: {answer.status_code}"
            case.measures[name] = 1000 * sorted(seconds)[READS // 2]
            case.measures[f"first_{name}"] = 1000 * seconds[0]


def recall_beside_spam(spam: int, pairs: int, way: str, folder: Path, case: Case) -> None:
    """Measure how many pairs of honest near copies are still together beside the articles of another source."""
    articles = beside_spam(pairs, spam)
    if way == "find":
        groups = [set(group.members) for group in find(articles)]
    elif way == "stream":
        stream = Stream("reuse")
        for at in range(0, len(articles), BATCH):
            stream.add(articles[at : at + BATCH])
        groups = [set(members) for members in stream.groups().values()]
    else:
        with Archive.open(folder / "spam.db", ["reuse"]) as archive:
            for at in range(0, len(articles), BATCH):
                archive.add(articles[at : at + BATCH])
            with archive.database.read() as session:
                by_story: dict[int, set[str]] = {}
                for story, id in session.rows("SELECT story, id FROM articles"):
                    by_story.setdefault(story, set()).add(id)
        groups = list(by_story.values())
    group_of = {id: number for number, members in enumerate(groups) for id in members}
    together = sum(group_of.get(f"a{n}", -1) == group_of.get(f"b{n}", -2) for n in range(pairs))
    case.measures["recall"] = together / pairs


def run(trial: Trial, folder: Path) -> None:
    """Try each kind of entries in each way."""
    count = trial.times(ENTRIES)
    for kind, (make, detector) in KINDS.items():
        articles = make(count)
        ways: dict[str, Callable[[Case], None]] = {
            "find": lambda case, articles=articles, detector=detector: in_batch(articles, detector, case),
            "stream": lambda case, articles=articles, detector=detector: in_stream(articles, detector, case),
            "archive": lambda case, articles=articles: in_archive(articles, folder, case),
        }
        for way, attack in ways.items():
            with trial.case(f"one source: {kind}, {way}") as case:
                case.tried = count
                attack(case)
                # of this case and those before
                case.measures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    spam = trial.times(SPAM)
    for way in ("find", "stream", "archive"):
        with trial.case(f"spam beside honest near copies, {way}") as case:
            case.tried = spam
            recall_beside_spam(spam, PAIRS, way, folder, case)
