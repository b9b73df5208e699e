"""Texts in which people have marked the names, as spans of characters with our three classes.

ner_tr_wiki (CoNLL, sentences of Wikipedia): PERSON is a person; GPE, LOC and FAC a location; ORG an organisation; a
suffix behind an apostrophe is no part of a name. Its names do not nest.
ner_ru_nerel (news of Wikinews): PERSON; CITY, COUNTRY, DISTRICT, LOCATION, STATE_OR_PROVINCE and FACILITY are
locations; ORGANIZATION. Its names nest. Its dev part has no answers: every fifth text of the training part is dev.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TR = {"PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location", "ORG": "organization"}
PLACES = ("CITY", "COUNTRY", "DISTRICT", "LOCATION", "STATE_OR_PROVINCE", "FACILITY")
RU = {"PERSON": "person", "ORGANIZATION": "organization", **dict.fromkeys(PLACES, "location")}
CLASSES = ("person", "location", "organization")
Name = tuple[int, int, str]


class Text(NamedTuple):
    text: str
    names: set[Name]


class Marked(NamedTuple):
    name: str
    language: str
    nested: bool

    def read(self, data: Path, part: str) -> list[Text]:
        folder = data / self.name
        if self.name == "ner_tr_wiki":
            return list(conll(folder / f"{part}.conll.gz"))
        if part == "test":
            return list(nerel(folder / "test.jsonl.gz", folder / "test_with_answers.jsonl.gz"))
        return [t for at, t in enumerate(nerel(folder / "train.jsonl.gz")) if (at % 5 == 0) == (part == "dev")]


SETS = (Marked("ner_tr_wiki", "tr", nested=False), Marked("ner_ru_nerel", "ru", nested=True))


def lines(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read()


def conll(path: Path) -> Iterator[Text]:
    """Sentences, their words joined by blanks."""
    for block in lines(path).strip().split("\n\n"):
        words = [line.rsplit("\t", 1) for line in block.split("\n") if "\t" in line]
        names: set[Name] = set()
        start, current = 0, None
        for word, tag in words:
            mark = min((word.find(m) for m in "'’" if m in word[1:]), default=-1)
            end = start + (mark if mark > 0 else len(word))
            kind = TR.get(tag[2:])
            if tag.startswith("I-") and current and kind == current[2]:
                current = (current[0], end, kind)
            else:
                names |= {current} if current else set()
                current = (start, end, kind) if tag.startswith("B-") and kind else None
            start += len(word) + 1
        names |= {current} if current else set()
        yield Text(" ".join(word for word, _ in words), names)


def nerel(path: Path, answers: Path | None = None) -> Iterator[Text]:
    """Whole texts; those of the test part have their names in another file."""
    rows = [json.loads(line) for line in lines(path).splitlines()]
    answered = [json.loads(line) for line in lines(answers).splitlines()] if answers else rows
    for row, answer in zip(rows, answered, strict=True):
        marks = answer["ners"]
        yield Text(row["sentences"], {(start, last + 1, RU[tag]) for start, last, tag in marks if tag in RU})
