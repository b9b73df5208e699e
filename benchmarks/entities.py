"""How well names are told: entity-level precision, recall and F1 on texts whose names people have marked.

    python benchmarks/entities.py [--data DIR] [--part test] [--show 20]
    python benchmarks/entities.py --write docs/results.md      only the table, from the results

A name counts as found where its span and its class are right. Compared are a baseline that calls every run of capital
words a name of the class that is most frequent in the training part, TuNER as the study has it (Turkish), and all rules.

ner_tr_wiki (CoNLL, sentences of Wikipedia): PERSON is a person; GPE, LOC and FAC a location; ORG an organisation; a
suffix behind an apostrophe is no part of a name. Its names do not nest, so of ours only the outermost count.
ner_ru_nerel (news of Wikinews): PERSON; CITY, COUNTRY, DISTRICT, LOCATION, STATE_OR_PROVINCE and FACILITY are locations;
ORGANIZATION. Its names nest, and so may ours. Its dev part has no answers: every fifth text of the training part is dev.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import record
from table import markdown, write

from samestory.entities import Recogniser

TR = {"PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location", "ORG": "organization"}
RU = {
    "PERSON": "person",
    "CITY": "location",
    "COUNTRY": "location",
    "DISTRICT": "location",
    "LOCATION": "location",
    "STATE_OR_PROVINCE": "location",
    "FACILITY": "location",
    "ORGANIZATION": "organization",
}
CLASSES = ("person", "location", "organization")
Names = set[tuple[int, int, str]]


class Text(NamedTuple):
    text: str
    names: Names


def conll(path: Path) -> Iterator[Text]:
    """Sentences, their words joined by blanks."""
    for block in gzip.open(path, "rt", encoding="utf-8").read().strip().split("\n\n"):
        text, names, open_name = "", set(), None
        rows = [line.rsplit("\t", 1) for line in block.split("\n") if "\t" in line]
        for word, tag in [*rows, ("", "O")]:
            start = len(text) + bool(text)
            if open_name and not (tag.startswith("I-") and TR.get(tag[2:]) == open_name[2]):
                names.add(open_name)
                open_name = None
            if word:
                text = f"{text} {word}" if text else word
                base = min((word.find(mark) for mark in "'’" if mark in word[1:]), default=len(word))
                end = start + (base if base > 0 else len(word))
                if tag.startswith("B-") and tag[2:] in TR:
                    open_name = (start, end, TR[tag[2:]])
                elif open_name:
                    open_name = (open_name[0], end, open_name[2])
        yield Text(text, names)


def nerel(path: Path) -> Iterator[Text]:
    """Whole texts; those of the test part have their names in another file."""
    rows = [json.loads(line) for line in gzip.open(path, "rt", encoding="utf-8")]
    answers = path.with_name("test_with_answers.jsonl.gz")
    if path.name.startswith("test"):
        told = [json.loads(line) for line in gzip.open(answers, "rt", encoding="utf-8")]
        rows = [{**row, "ners": answer["ners"]} for row, answer in zip(rows, told, strict=True)]
    for row in rows:
        yield Text(row["sentences"], {(start, last + 1, RU[tag]) for start, last, tag in row["ners"] if tag in RU})


class Set(NamedTuple):
    name: str
    language: str
    nested: bool
    parts: dict[str, str]


SETS = (
    Set("ner_tr_wiki", "tr", False, {"train": "train.conll.gz", "dev": "dev.conll.gz", "test": "test.conll.gz"}),
    Set("ner_ru_nerel", "ru", True, {"train": "train.jsonl.gz", "dev": "train.jsonl.gz", "test": "test.jsonl.gz"}),
)


def read(each: Set, data: Path, part: str) -> list[Text]:
    path = data / each.name / each.parts[part]
    if path.name.endswith("conll.gz"):
        return list(conll(path))
    fifth = {"dev": (True,), "train": (False,), "test": (True, False)}[part]
    return [text for at, text in enumerate(nerel(path)) if (at % 5 == 0) in fifth]


def outermost(names: Names) -> Names:
    return {n for n in names if not any(o != n and o[0] <= n[0] and n[1] <= o[1] for o in names)}


def runs(text: str, kind: str) -> Names:
    """Every run of words that begin with a capital and have nothing but a blank between them."""
    import re

    capital = r"[^\W\d_a-zçğıöşüâîûа-яё]\w*(?:-\w+)*"
    return {(m.start(), m.end(), kind) for m in re.finditer(rf"\b{capital}(?: {capital})*", text)}


def score(texts: list[Text], found: list[Names]) -> dict[str, list[float]]:
    """Precision, recall and F1, of all and of each class."""
    out = {}
    for kind in ("all", *CLASSES):
        pick = lambda names: {n for n in names if kind in ("all", n[2])}  # noqa: E731
        right = sum(len(pick(t.names) & pick(f)) for t, f in zip(texts, found, strict=True))
        told, gold = sum(len(pick(f)) for f in found), sum(len(pick(t.names)) for t in texts)
        p, r = right / max(told, 1), right / max(gold, 1)
        out[kind] = [round(p, 4), round(r, 4), round(2 * p * r / max(p + r, 1e-9), 4)]
    return out


def recognise(texts: list[Text], each: Set, rules: str) -> list[Names]:
    rows = Recogniser(rules).texts([t.text for t in texts], [each.language] * len(texts))
    found = [{(e.start, e.end, e.kind) for e in row if e.kind in CLASSES} for row in rows]
    return found if each.nested else [outermost(names) for names in found]


def methods(each: Set, data: Path, texts: list[Text]) -> Iterator[tuple[str, list[Names]]]:
    common = Counter(n[2] for t in read(each, data, "train") for n in t.names).most_common(1)[0][0]
    yield f"capital runs, all {common}", [runs(t.text, common) for t in texts]
    if each.language == "tr":
        yield "study", recognise(texts, each, "study")
    yield "all rules", recognise(texts, each, "extended")


def show(each: Set, texts: list[Text], count: int) -> None:
    """The names most often missed and most often wrong, for whoever mends the rules."""
    rows = Recogniser().texts([t.text for t in texts], [each.language] * len(texts))
    missed: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    why: Counter[tuple[str, str]] = Counter()
    for t, row in zip(texts, rows, strict=True):
        mine = {(e.start, e.end, e.kind): e for e in row if e.kind in CLASSES}
        kept = set(mine) if each.nested else outermost(set(mine))
        for name in t.names - kept:
            missed[f"{t.text[name[0] : name[1]]} = {name[2]}"] += 1
        for name in kept:
            rule = mine[name].because.partition(":")[0]
            why[rule, "right" if name in t.names else "wrong"] += 1
            if name not in t.names:
                wrong[f"{mine[name].text} = {name[2]} ({mine[name].because})"] += 1
    print("missed:", *[f"{n} {what}" for what, n in missed.most_common(count)], sep="\n  ")
    print("wrong:", *[f"{n} {what}" for what, n in wrong.most_common(count)], sep="\n  ")
    for rule in sorted({r for r, _ in why}):
        print(f"  {rule:28} right {why[rule, 'right']:5} wrong {why[rule, 'wrong']:5}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--part", default="test", choices=("train", "dev", "test"))
    parser.add_argument("--sets", nargs="*", default=[each.name for each in SETS])
    parser.add_argument("--show", type=int, default=0, help="print so many errors, and write no results")
    options = parser.parse_args()
    for each in SETS:
        if each.name not in options.sets:
            continue
        texts = read(each, options.data, options.part)
        for what, found in methods(each, options.data, texts):
            figures = score(texts, found)
            print(f"{each.name:14} {options.part:5} {what:24}", *(f"{k} {v[2]:.3f}" for k, v in figures.items()))
        if options.show:
            show(each, texts, options.show)


if __name__ == "__main__":
    main()
