"""Counts how rare words are in news at large: the tables of crates/samestory-core/src/text/background.

    python benchmarks/background.py --data DIR

A line of a table is a stem (the first four letters of a word) and the number of articles that have it in their title
or their first words; what stands in very few is left out. Only counts are kept, and nothing can be read from them.
A stem with a capital is a name more often than not: NAMED of the articles that have it inside a sentence write it so.
"""

import argparse
import gzip
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from samestory.model import Article
from samestory.text import prepare

STEM, WORDS, BATCH = 4, 160, 2000
NAMED = 0.75
#: What stands before the first word of a sentence, where everything has a capital.
OPENS = frozenset('.!?:"«“\n')
TABLES = Path(__file__).parent.parent / "crates/samestory-core/src/text/background"
#: Of every language: the collections, and the fewest articles that a stem must stand in.
SOURCES = {
    "en": (("scale/reuters_2006_2010", "scale/reuters21578"), 5),
    "tr": (("tr_unlabelled/*", "tr_mds/docs"), 3),
    "ru": (("paraphraser_ru/docs", "ru_slugs/docs"), 3),
}


def records(data: Path, patterns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for pattern in patterns:
        for path in sorted(data.glob(f"{pattern}.jsonl*")):
            with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
                for line in lines:
                    yield json.loads(line)


def folded(word: str, language: str) -> str:
    if language == "tr":
        word = word.replace("I", "ı").replace("İ", "i")
    return unicodedata.normalize("NFC", word).lower()


def capital(stem: str, language: str) -> str:
    return ("İ" if language == "tr" and stem[0] == "i" else stem[0].upper()) + stem[1:]


def inside(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """The words that open no sentence; none where most words have capitals, as in some headlines, or all have none."""
    words = [text[start:end] for start, end in spans]
    if not 0 < sum(word[0].isupper() for word in words) < 0.6 * len(words):
        return
    for (_, end), (start, stop) in pairwise(spans):
        if not OPENS.intersection(text[end:start]):
            yield text[start:stop]


def count(data: Path, language: str) -> tuple[int, Counter[str], set[str]]:
    """How many articles there are; how many have a stem; and which stems are names."""
    patterns, _ = SOURCES[language]
    total, counts, capitals, others = 0, Counter[str](), Counter[str](), Counter[str]()
    batch: list[Article] = []

    def add() -> None:
        features = prepare(batch)
        for row, article in enumerate(batch):
            spans = [*zip(features.starts[row].tolist()[:WORDS], features.bases[row].tolist()[:WORDS], strict=True)]
            words = (article.text[start:end] for start, end in spans)
            counts.update({folded(w, language)[:STEM] for w in words if w[:1].isalpha()})
            within = [w for w in inside(article.text, spans) if w[:1].isalpha()]
            capitals.update({folded(w, language)[:STEM] for w in within if w[0].isupper()})
            others.update({folded(w, language)[:STEM] for w in within if not w[0].isupper()})

    seen: set[str] = set()
    for record in records(data, patterns):
        title, text = record.get("title") or "", record.get("text") or record.get("headline") or ""
        whole = text if text.startswith(title) else f"{title}. {text}"
        if not whole.strip() or whole in seen:
            continue
        seen.add(whole)
        total += 1
        batch.append(Article(str(total), whole, lang=language))
        if len(batch) == BATCH:
            add()
            batch.clear()
    add()
    return total, counts, {stem for stem, n in capitals.items() if n >= NAMED * (n + others[stem])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    for language, (_, fewest) in SOURCES.items():
        total, counts, names = count(data, language)
        kept = sorted(((n, stem) for stem, n in counts.items() if n >= fewest), key=lambda row: (-row[0], row[1]))
        lines = ["# stems in news and how many articles have them; benchmarks/background.py", str(total)]
        lines += (f"{capital(stem, language) if stem in names else stem} {n}" for n, stem in kept)
        TABLES.joinpath(f"{language}.txt").write_text("\n".join(lines) + "\n")
        print(f"{language}: {total:,} articles, {len(kept):,} of {len(counts):,} stems")


if __name__ == "__main__":
    main()
