"""The labelled collections of the quality table: where the gold is, what it is about, and how it is read.

They are other people's news and stay outside the repository: a folder with docs.jsonl.gz and pairs.jsonl.gz or
clusters.jsonl.gz each (benchmarks/README.md says where they come from).
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Set:
    name: str
    about: str
    gold: str = "pairs"
    options: tuple[str, ...] = ()
    """How the gold is read: options of `samestory evaluate`."""

    def files(self, data: Path) -> tuple[Path, Path]:
        folder = data / self.name
        return folder / f"{self.gold}.jsonl.gz", folder / "docs.jsonl.gz"

    def is_there(self, data: Path) -> bool:
        return all(path.is_file() for path in self.files(data))

    def digest(self, data: Path) -> str:
        total = hashlib.sha256()
        for path in self.files(data):
            total.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()[:16]


# Positives of reuters_slug that share less than a tenth of their 3-word shingles are labelled wrong half the time.
SETS = (
    Set(
        "reuters_slug",
        "agency stories: alert, update, full story; against the same slug another week (en)",
        options=("--leave-out", "same:overlap3<0.1"),
    ),
    Set("short_answers_en", "answers copied from an article, lightly changed, against free ones; not news (en)"),
    Set("tr_mds", "21 events with agency copies (tr)", "clusters"),
    Set("ecbplus", "events, each beside a look-alike (en)", "clusters"),
    Set("semeval22t8_truncated", "same event, texts cut (en, de, es, pl, de-en)", options=("--positive", "orig<=2")),
    Set("uci_headlines", "headlines in broad automatic groups (en)", "clusters"),
    Set("sts_headlines_en", "very short news, graded (en)"),
    Set("sts_news_tr", "very short news, graded, machine-translated (tr)"),
    Set("paraphraser_ru", "headlines, strict and loose paraphrases (ru)", options=("--positive", "orig>=0")),
    Set("ru_slugs", "headlines rebuilt from addresses (ru)"),
)
