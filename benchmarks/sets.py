"""The labelled collections of the quality table: where the gold is, what it is about, and how it is read.

They are other people's news and stay outside the repository: a folder with docs.jsonl.gz and pairs.jsonl.gz or
clusters.jsonl.gz each (benchmarks/README.md says where they come from).
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

#: The fields that are left where dates are withheld.
UNDATED = ("id", "title", "text", "source", "lang")


@dataclass(frozen=True)
class Set:
    name: str
    about: str
    gold: str = "pairs"
    options: tuple[str, ...] = ()
    """How the gold is read: options of `samestory evaluate`."""
    withheld: bool = False
    """Are dates withheld? Where the judged pairs were chosen by date, a date gives the answer away."""
    taught: tuple[str, ...] = ()
    """Detectors with a threshold, weights, trees or word frequencies that were made on this collection."""
    language: str = ""
    """The judged pairs of one language (`lang`) count, all articles are read; the name ends with this language."""

    def files(self, data: Path) -> tuple[Path, Path]:
        folder = data / self.name.removesuffix(f"-{self.language}")
        return folder / f"{self.gold}.jsonl.gz", folder / "docs.jsonl.gz"

    def judgements(self, data: Path, folder: Path) -> Path:
        """The gold as it is measured: of one language, a copy of its pairs in the folder."""
        gold, _ = self.files(data)
        if not self.language:
            return gold
        copy = folder / f"{self.name}.pairs.jsonl"
        with gzip.open(gold, "rt", encoding="utf-8") as lines, copy.open("w", encoding="utf-8") as out:
            out.writelines(line for line in lines if json.loads(line)["lang"] == self.language)
        return copy

    def documents(self, data: Path, folder: Path) -> Path:
        """The articles as they are measured: where dates are withheld, a copy without them in the folder."""
        _, docs = self.files(data)
        if not self.withheld:
            return docs
        copy = folder / f"{self.name}.jsonl"
        if not copy.exists():
            with gzip.open(docs, "rt", encoding="utf-8") as lines, copy.open("w", encoding="utf-8") as out:
                for row in map(json.loads, lines):
                    out.write(json.dumps({name: row[name] for name in UNDATED if name in row}) + "\n")
        return copy

    def is_there(self, data: Path) -> bool:
        return all(path.is_file() for path in self.files(data))

    def digest(self, data: Path) -> str:
        total = hashlib.sha256()
        for path in self.files(data):
            total.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()[:16]


#: Detectors with trees, weights or constants made on judgements.  Trees for short items: one half of the judged pairs
#: (benchmarks/event_trees.py).  Weights for whole articles: all judged pairs in one language of semeval22t8_truncated,
#: semeval22t8_de, ecbplus and tr_mds (benchmarks/event_terms.py).  Weights of contradictions: reuters_slug.  tr_mds,
#: paraphraser_ru and ru_slugs are also counted in the tables of word frequencies of the trees
#: (benchmarks/background.py).
LEARNED = ("event", "fusion")

#: Collections without judgements on which weights or constants of detectors were chosen.  `reuse`: its negatives
#: (benchmarks/reuse_model.py).  `event` and `fusion`: pairs by chance, for the trees and for the constants of the
#: calibration (detectors/event/calibration.rs), and word frequencies of the trees.
CHOSEN_ON = {
    "reuters_2006_2010": ("reuse", *LEARNED),
    "reuters21578": ("reuse", *LEARNED),
    "fi_short_news": LEARNED,
}

#: Languages of the pairs of semeval22t8_truncated.
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "pl": "Polish", "de-en": "German and English"}

# Positives of reuters_slug that share less than a tenth of their 3-word shingles are labelled wrong half the time.
SETS = (
    Set(
        "reuters_slug",
        "agency stories: alert, update, full story; against the same slug another week (en)",
        options=("--leave-out", "same:overlap3<0.1"),
        withheld=True,
        taught=("reuse", *LEARNED),
    ),
    Set("short_answers_en", "answers copied from an article, lightly changed, against free ones; not news (en)"),
    Set("tr_mds", "21 events with agency copies (tr)", "clusters", taught=LEARNED),
    Set("ecbplus", "events, each beside a look-alike (en)", "clusters", taught=LEARNED),
    Set(
        "semeval22t8_truncated",
        "same event, texts cut (en, de, es, pl, de-en)",
        options=("--positive", "orig<=2"),
        taught=LEARNED,
    ),
    *(
        Set(
            f"semeval22t8_truncated-{language}",
            f"the pairs of semeval22t8_truncated in {name} ({language})",
            options=("--positive", "orig<=2"),
            # the weights of `fusion` across languages were learned on pairs in one language
            taught=("event",) if language == "de-en" else LEARNED,
            language=language,
        )
        for language, name in LANGUAGES.items()
    ),
    Set("semeval22t8_de", "same event (de)", options=("--positive", "orig<=2"), taught=LEARNED),
    Set("uci_headlines", "headlines in broad automatic groups (en)", "clusters"),
    Set("sts_headlines_en", "very short news, graded (en)", taught=LEARNED),
    Set("sts_news_tr", "very short news, graded, machine-translated (tr)", taught=LEARNED),
    Set(
        "paraphraser_ru",
        "headlines, strict and loose paraphrases (ru)",
        options=("--positive", "orig>=0"),
        taught=LEARNED,
    ),
    Set("ru_slugs", "headlines rebuilt from addresses (ru)", taught=LEARNED),
)


def was_taught(name: str, spec: str) -> bool:
    """Whether the figures of a detector on a collection are too high because it was made on it."""
    taught = {each.name: each.taught for each in SETS} | CHOSEN_ON
    return spec.partition("(")[0] in taught.get(name, ())
