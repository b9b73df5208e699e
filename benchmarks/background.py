"""Counts how rare words are in news at large: the tables of crates/samestory-core/src/text/background.

    python benchmarks/background.py --data DIR

A line of a table is a stem (the first four letters of a word) and the number of articles that have it in their title
or their first words; what stands in very few is left out. Only counts are kept, and nothing can be read from them.
"""

import argparse
import gzip
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from samestory.model import Article
from samestory.text import prepare

STEM, WORDS, BATCH = 4, 160, 2000
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


def count(data: Path, language: str) -> tuple[int, Counter[str]]:
    patterns, _ = SOURCES[language]
    total, counts = 0, Counter[str]()
    batch: list[Article] = []

    def add() -> None:
        features = prepare(batch)
        for row, article in enumerate(batch):
            spans = zip(features.starts[row].tolist()[:WORDS], features.bases[row].tolist()[:WORDS], strict=True)
            words = (article.text[start:end] for start, end in spans)
            counts.update({folded(w, language)[:STEM] for w in words if w[:1].isalpha()})

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
    return total, counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    for language, (_, fewest) in SOURCES.items():
        total, counts = count(data, language)
        kept = sorted(((n, stem) for stem, n in counts.items() if n >= fewest), key=lambda row: (-row[0], row[1]))
        lines = ["# stems in news and how many articles have them; benchmarks/background.py", str(total)]
        TABLES.joinpath(f"{language}.txt").write_text("\n".join([*lines, *(f"{s} {n}" for n, s in kept)]) + "\n")
        print(f"{language}: {total:,} articles, {len(kept):,} of {len(counts):,} stems")


if __name__ == "__main__":
    main()
