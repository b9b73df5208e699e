"""Make a labelled news corpus with planted duplicates: the same seed and size give the same bytes.

    python benchmarks/corpus.py --docs 10000 --out DIR [--seed 1] [--workers 2]

Writes into DIR:

    docs.jsonl      one article a line: {"id", "title", "text", "date", "source"}
    truth.jsonl     one planted pair a line: {"a", "b", "relation", "jaccard"}
    clusters.jsonl  one planted group of near-duplicates a line: {"cluster", "ids"}
    meta.json       parameters, counts, and the sha256 of the three files above

The planted relations, and what a detector of duplicates should say to them:

    exact      the texts are the same to the byte              same story
    near       both come from one article by editing           same story
    contains   a holds the whole text of b and much more       neither: its own class
    overlap    both hold parts of one article                  neither: its own class
    template   one form, other names and numbers               different stories
    topic      one event's vocabulary, independently written   different stories

`jaccard` is the exact Jaccard similarity of the two texts' sets of 5-word shingles after
`text.lower().split()`.

Only `random.Random.random()` is drawn from: Python keeps its stream from version to version, so the
corpus does not depend on the interpreter.  For the same reason the order of the draws below is part of
the format: a change there is a new corpus, with a new digest.  Needs only the standard library.
"""

import argparse
import bisect
import hashlib
import itertools
import json
import math
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

SHINGLE = 5
VOCABULARY = 60_000
FIRST_DAY = 1_704_067_200  # 2024-01-01T00:00:00Z
DAYS = 730

# The share of the articles that each kind of family takes; the rest stand alone.
SHARES = {"cluster": 0.34, "containment": 0.06, "template": 0.08, "topic": 0.08}


def words(text: str) -> list[str]:
    return text.split()


FUNCTION_WORDS = words("""the of to and a in that is for on it with as was at by he from be are his has
have an not this but they which who will or its been their had more were one she about would her
than also up there when after we out new said all over into him some could year two last other
people first can time if no what so you them only just years most our did before my between
because many then now made where being any through during how while both even against us those
since under around still such three next week per cent may down own these each much back should
very without within government including police another including according another never
several day know work little long same left few during part""")
FUNCTION_WORDS = list(dict.fromkeys(FUNCTION_WORDS))

ONSETS = words("b c d f g h j k l m n p r s t v w b c d f g l m n p r s t br cl cr dr fl gr pl pr sh sp st tr th ch")
NUCLEI = words("a e i o u a e i o a e i o u ai ea ee io ou")
CODAS = ["", "", "", "", "", "", "n", "r", "l", "s", "t", "m", "nd", "nt", "st", "ck"]
SUFFIXES = ["", "", "", "", "", "", "", "s", "s", "ed", "ing", "er", "ly", "al"]
MONTHS = words("January February March April May June July August September October November December")
AGENCIES = ["Reuters", "AP", "AFP", "Bloomberg", "dpa", "Kyodo", "ANSA", "EFE"]
UNITS = ["percent", "million", "billion", "people", "points", "dollars", "years", "miles", "jobs", "votes"]


T = TypeVar("T")


class Draw:
    """A seeded source of choices built on `random()` alone."""

    def __init__(self, *key: object) -> None:
        digest = hashlib.sha256(":".join(map(str, key)).encode()).digest()
        self.random = random.Random(int.from_bytes(digest[:8], "big")).random

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def between(self, low: int, high: int) -> int:
        return low + int(self.random() * (high - low + 1))

    def chance(self, p: float) -> bool:
        return self.random() < p

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self.random() * len(items))]

    def weighted(self, items: Sequence[T], cumulative: list[float]) -> T:
        return items[bisect.bisect(cumulative, self.random() * cumulative[-1], 0, len(items) - 1)]

    def normal(self) -> float:
        u = 1.0 - self.random()
        return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * self.random())

    def lognormal(self, median: float, sigma: float, low: int, high: int) -> int:
        return max(low, min(high, round(median * math.exp(sigma * self.normal()))))

    def shuffle(self, items: list[T]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = int(self.random() * (i + 1))
            items[i], items[j] = items[j], items[i]

    def power_law(self, low: int, high: int, exponent: float) -> int:
        """An integer in [low, high] with P(n) ~ n ** -exponent."""
        a, b = low - 0.5, high + 0.5
        e = 1.0 - exponent
        u = self.random()
        value: float = (a**e + u * (b**e - a**e)) ** (1.0 / e)
        return max(low, min(high, round(value)))


def cumulate(weights: Iterable[float]) -> list[float]:
    return list(itertools.accumulate(weights, initial=0.0))[1:]


def title_case(word: str) -> str:
    return word[:1].upper() + word[1:]


class World:
    """Everything the articles share: words, names, topics, sources, templates."""

    def __init__(self, seed: int, topics: int) -> None:
        draw = Draw(seed, "world")
        words, seen = list(FUNCTION_WORDS), set(FUNCTION_WORDS)
        while len(words) < VOCABULARY:
            rank = len(words)
            syllables = 1 if rank < 900 else draw.between(1, 2) if rank < 8000 else 2 + (draw.random() < 0.35)
            w = "".join(draw.pick(ONSETS) + draw.pick(NUCLEI) + draw.pick(CODAS) for _ in range(syllables))
            w += draw.pick(SUFFIXES)
            if len(w) > 2 and w not in seen:
                seen.add(w)
                words.append(w)
        self.words = words
        self.word_weights = cumulate((r + 2.7) ** -1.12 for r in range(len(words)))

        def name() -> str:
            n = "".join(draw.pick(ONSETS) + draw.pick(NUCLEI) + draw.pick(CODAS) for _ in range(2))
            if draw.chance(0.04):
                n = n.replace("e", "é", 1).replace("u", "ü", 1)
            return title_case(n)

        self.first_names = [name() for _ in range(1200)]
        self.last_names = [name() for _ in range(9000)]
        self.places = [name() + draw.pick(["", "", " City", " Valley", "ville", "burg"]) for _ in range(2500)]
        self.firms = [
            name() + " " + draw.pick(["Group", "Inc", "Holdings", "Bank", "Energy", "Systems"]) for _ in range(2500)
        ]
        self.name_weights = cumulate((r + 8.0) ** -0.8 for r in range(len(self.last_names)))
        self.place_weights = cumulate((r + 4.0) ** -0.9 for r in range(len(self.places)))
        # Stock phrases: what makes unrelated news share 5-word shingles.
        self.phrases = []
        for _ in range(2500):
            n = draw.between(4, 8)
            self.phrases.append(" ".join(draw.weighted(words, self.word_weights) for _ in range(n)))
        self.phrase_weights = cumulate((r + 2.0) ** -0.9 for r in range(len(self.phrases)))
        self.topics = []
        for _ in range(topics):
            low = draw.between(300, 3000)
            self.topics.append([words[draw.between(low, len(words) - 1)] for _ in range(250)])
        self.topic_weights = cumulate((r + 3.0) ** -0.7 for r in range(250))
        self.sources: list[str] = []
        self.footers: list[str | None] = []
        for i in range(400):
            self.sources.append(
                "{} {}".format(
                    draw.pick(self.places), draw.pick(["Times", "Post", "Herald", "News", "Daily", "Journal"])
                )
            )
            footer = None
            if draw.chance(0.2):
                footer = self.sentence(draw, None, [], draw.between(10, 28))
                if draw.chance(0.5):
                    footer += f" © 2025 {self.sources[i]}. All rights reserved."
            self.footers.append(footer)
        self.source_weights = cumulate((r + 5.0) ** -0.9 for r in range(400))
        self.seed = seed

    def number(self, draw: Draw) -> str:
        kind = draw.below(6)
        if kind == 0:
            return str(draw.between(2, 99))
        if kind == 1:
            return f"{draw.random() * 90:.1f} {draw.pick(UNITS)}"
        if kind == 2:
            return "${:.1f} {}".format(draw.random() * 900, draw.pick(["million", "billion"]))
        if kind == 3:
            return f"{draw.between(1000, 99999):,}"
        if kind == 4:
            return f"{draw.pick(MONTHS)} {draw.between(1, 28)}"
        return str(draw.between(1950, 2025))

    def person(self, draw: Draw) -> str:
        return f"{draw.pick(self.first_names)} {draw.weighted(self.last_names, self.name_weights)}"

    def cast(self, draw: Draw) -> list[str]:
        people = [self.person(draw) for _ in range(draw.between(2, 5))]
        people += [draw.weighted(self.places, self.place_weights) for _ in range(draw.between(1, 3))]
        people += [draw.pick(self.firms) for _ in range(draw.between(0, 2))]
        return people

    def sentence(self, draw: Draw, topic: list[str] | None, cast: list[str], length: int | None = None) -> str:
        n = length or draw.lognormal(19, 0.42, 5, 44)
        out = []
        for _ in range(n):
            if topic and draw.random() < 0.2:
                w = draw.weighted(topic, self.topic_weights)
            else:
                w = draw.weighted(self.words, self.word_weights)
            if draw.random() < 0.06:
                w += ","
            out.append(w)
        if cast and draw.chance(0.55):
            who = draw.pick(cast)
            out.insert(draw.below(len(out)), who if draw.chance(0.5) else who.split()[-1])
        if draw.chance(0.35):
            out.insert(draw.below(len(out)), self.number(draw))
        if draw.chance(0.12):
            out.insert(draw.below(len(out)), draw.weighted(self.phrases, self.phrase_weights))
        text = " ".join(out).rstrip(",")
        text = text[:1].upper() + text[1:]
        if cast and draw.chance(0.12):
            return f"“{text},” {draw.pick(cast)} said."
        return text + draw.pick([".", ".", ".", ".", ".", ".", ".", "?"])

    def title(self, draw: Draw, topic: list[str], cast: list[str]) -> str:
        n = draw.between(5, 10)
        out = [
            draw.weighted(topic, self.topic_weights)
            if draw.chance(0.5)
            else draw.weighted(self.words, self.word_weights)
            for _ in range(n)
        ]
        if draw.chance(0.6):
            out.insert(draw.below(n), draw.pick(cast))
        return " ".join(title_case(w) for w in out)

    def dateline(self, draw: Draw) -> str:
        place = draw.weighted(self.places, self.place_weights).upper()
        return f"{place}, {draw.pick(MONTHS)} {draw.between(1, 28)} ({draw.pick(AGENCIES)}) — "

    def source(self, draw: Draw) -> int:
        return draw.weighted(range(400), self.source_weights)


class Article:
    """A title and paragraphs of sentences, so that editing can be done by sentence."""

    __slots__ = ("cast", "footer", "lead", "paragraphs", "title", "topic")

    def __init__(
        self,
        title: str,
        paragraphs: list[list[str]],
        topic: list[str],
        cast: list[str],
        lead: str = "",
        footer: str | None = None,
    ) -> None:
        self.title, self.paragraphs, self.topic, self.cast = title, paragraphs, topic, cast
        self.lead, self.footer = lead, footer

    def copy(self) -> "Article":
        return Article(self.title, [list(p) for p in self.paragraphs], self.topic, self.cast, self.lead, self.footer)

    def words(self) -> int:
        return sum(len(s.split()) for p in self.paragraphs for s in p)

    def text(self) -> str:
        body = "\n\n".join(" ".join(p) for p in self.paragraphs if p)
        return self.lead + body + ("\n\n" + self.footer if self.footer else "")


def fresh(
    world: World, draw: Draw, topic: list[str] | None = None, cast: list[str] | None = None, words: int | None = None
) -> Article:
    """A new article, of its own topic and people unless they are given."""
    topic = topic or draw.pick(world.topics)
    cast = cast or world.cast(draw)
    target = words or draw.lognormal(285, 0.32, 90, 900)
    paragraphs: list[list[str]] = []
    done = 0
    while done < target:
        p: list[str] = []
        for _ in range(draw.pick([1, 1, 2, 2, 2, 3, 3, 4])):
            s = world.sentence(draw, topic, cast)
            done += s.count(" ") + 1
            p.append(s)
            if done >= target:
                break
        paragraphs.append(p)
    lead = world.dateline(draw) if draw.chance(0.3) else ""
    return Article(world.title(draw, topic, cast), paragraphs, topic, cast, lead)


# -- edits -----------------------------------------------------------------


def scatter_edits(world: World, draw: Draw, article: Article, rate: float) -> None:
    """Replace, insert after, or drop single words, each with the given chance."""
    for p in article.paragraphs:
        for i, s in enumerate(p):
            out = []
            for w in s.split(" "):
                if draw.random() >= rate:
                    out.append(w)
                    continue
                kind = draw.random()
                new = (
                    draw.weighted(article.topic, world.topic_weights)
                    if draw.chance(0.3)
                    else draw.weighted(world.words, world.word_weights)
                )
                if kind < 0.5:
                    out.append(new)
                elif kind < 0.75:
                    out += [w, new]
            p[i] = " ".join(out) or s


def sentence_edits(world: World, draw: Draw, article: Article, rate: float) -> None:
    """Drop, extend or rewrite whole sentences until the given share of the words is touched."""
    budget = rate * article.words()
    places = [(i, j) for i, p in enumerate(article.paragraphs) for j in range(len(p))]
    draw.shuffle(places)
    for i, j in places:
        if budget <= 0:
            break
        s = article.paragraphs[i][j]
        budget -= len(s.split())
        kind = draw.random()
        if kind < 0.25:
            article.paragraphs[i][j] = ""
        elif kind < 0.5:
            article.paragraphs[i][j] = s + " " + world.sentence(draw, article.topic, article.cast)
        else:
            article.paragraphs[i][j] = world.sentence(draw, article.topic, article.cast)
    article.paragraphs = [[s for s in p if s] for p in article.paragraphs]
    article.paragraphs = [p for p in article.paragraphs if p] or [[world.sentence(draw, article.topic, article.cast)]]


def reorder(draw: Draw, article: Article) -> None:
    """Move one or two paragraphs or sentences."""
    ps = article.paragraphs
    for _ in range(draw.between(1, 2)):
        if len(ps) > 2 and draw.chance(0.6):
            p = ps.pop(draw.below(len(ps)))
            ps.insert(draw.below(len(ps) + 1), p)
        else:
            p = draw.pick(ps)
            if len(p) > 1:
                s = p.pop(draw.below(len(p)))
                p.insert(draw.below(len(p) + 1), s)


def near_copy(world: World, draw: Draw, base: Article) -> Article:
    """1-15 % of the words edited, and often what another outlet does to wire copy."""
    a = base.copy()
    rate = 0.01 + 0.14 * draw.random() ** 3  # median 2.75 %, mean 4.5 %
    if draw.chance(0.5):
        scatter_edits(world, draw, a, rate)
    else:
        sentence_edits(world, draw, a, rate)
    if draw.chance(0.25):
        reorder(draw, a)
    if draw.chance(0.6):
        a.title = world.title(draw, a.topic, a.cast)
    if draw.chance(0.35):
        a.lead = "" if a.lead and draw.chance(0.5) else world.dateline(draw)
    if draw.chance(0.15) and len(a.paragraphs) > 4:
        a.paragraphs.pop()
    a.footer = None
    return a


# -- families: articles, their sources, and the relation of members i and j ------------

# (relation, first, second): only for `contains` does the order say something.
Relation = Callable[[int, int], tuple[str, int, int]]
Family = tuple[list[Article], list[int], Relation | None]


def stamp(world: World, article: Article, source: int) -> Article:
    """The article with the footer its source puts under everything, if it has one."""
    if world.footers[source] and article.footer is None:
        article.footer = world.footers[source]
    return article


def cluster_family(world: World, draw: Draw, size: int) -> Family:
    """Copies and edited copies of one article, and of its copies."""
    base = fresh(world, draw)
    sources = [world.source(draw)]
    members = [stamp(world, base, sources[0])]
    for _ in range(size - 1):
        parent = members[0] if draw.chance(0.7) else draw.pick(members)
        if draw.chance(0.25):
            members.append(parent.copy())
            sources.append(world.source(draw))
        else:
            a = near_copy(world, draw, parent)
            sources.append(world.source(draw))
            members.append(stamp(world, a, sources[-1]))
    texts = [m.text() for m in members]
    return members, sources, lambda i, j: ("exact" if texts[i] == texts[j] else "near", i, j)


def containment_family(world: World, draw: Draw, size: int) -> Family:
    """An article with shorter versions of it and longer ones that hold all of it."""
    base = fresh(world, draw, words=draw.between(180, 420))
    members, kinds = [base], ["base"]
    for _ in range(size - 1):
        n = len(base.paragraphs)
        if draw.chance(0.5):  # a shorter version: a prefix, or a choice of paragraphs
            keep = max(1, round(n * (0.3 + 0.3 * draw.random())))
            if draw.chance(0.6):
                chosen = list(range(keep))
            else:
                chosen = list(range(n))
                draw.shuffle(chosen)
                chosen = sorted(chosen[:keep])
            a = Article(base.title, [list(base.paragraphs[i]) for i in chosen], base.topic, base.cast, base.lead)
            kinds.append("part")
        else:  # a longer version: an update, or a round-up of two stories
            other = fresh(
                world,
                draw,
                topic=base.topic if draw.chance(0.5) else None,
                cast=base.cast if draw.chance(0.5) else None,
                words=int(base.words() * (0.7 + 0.8 * draw.random())),
            )
            ps = [list(p) for p in base.paragraphs]
            ps = other.paragraphs + ps if draw.chance(0.3) else ps + other.paragraphs
            a = Article(world.title(draw, base.topic, base.cast), ps, base.topic, base.cast, base.lead)
            kinds.append("whole")
        members.append(a)
    order = {"part": 0, "base": 1, "whole": 2}

    def relation(i: int, j: int) -> tuple[str, int, int]:
        x, y = order[kinds[i]], order[kinds[j]]
        if x == y:
            return ("overlap", i, j)
        return ("contains", i, j) if x > y else ("contains", j, i)

    return members, [world.source(draw) for _ in members], relation


def template_family(world: World, draw: Draw, size: int) -> Family:
    """A form filled in anew: results, earnings, weather. Sparse slots make it hardest."""
    gap = draw.pick([4, 8, 16, 40])  # words between slots
    topic = draw.pick(world.topics)
    paragraphs = []
    cast = ["\0P"] if gap < 40 else world.cast(draw)  # a sparse form keeps its people too
    for p in fresh(world, draw, topic=topic, cast=cast).paragraphs:
        out = []
        for s in p:
            words = s.split(" ")
            for i in range(len(words)):
                if draw.random() < 1.0 / gap:
                    words[i] = "\0" + draw.pick("NNPLF")
            out.append(" ".join(words))
        paragraphs.append(out)
    head = world.title(draw, topic, ["\0P"])
    fill: dict[str, Callable[[Draw], str]] = {
        "N": world.number,
        "P": world.person,
        "L": lambda d: d.weighted(world.places, world.place_weights),
        "F": lambda d: d.pick(world.firms),
    }

    def filled(s: str, names: list[str]) -> str:
        parts = s.split("\0")
        out = [parts[0]]
        for x in parts[1:]:
            k = x[:1]
            out.append((names[draw.below(len(names))] if k == "P" and draw.chance(0.7) else fill[k](draw)) + x[1:])
        return "".join(out)

    members, sources = [], []
    source = world.source(draw)
    for _ in range(size):
        names = [world.person(draw) for _ in range(3)]
        a = Article(filled(head, names), [[filled(s, names) for s in p] for p in paragraphs], topic, names)
        sources.append(source if draw.chance(0.8) else world.source(draw))
        members.append(stamp(world, a, sources[-1]))
    return members, sources, lambda i, j: ("template", i, j)


def topic_family(world: World, draw: Draw, size: int) -> Family:
    """Independent reports of one event: the same people, places and terms, and at times one quote."""
    topic, cast = draw.pick(world.topics), world.cast(draw)
    narrow = [draw.pick(topic) for _ in range(60)]
    narrow = (narrow * 5)[:250]
    quote = f"“{world.sentence(draw, narrow, cast, draw.between(12, 24))}” {draw.pick(cast)} said."
    members, sources = [], []
    for _ in range(size):
        a = fresh(world, draw, topic=narrow, cast=cast)
        if draw.chance(0.5):
            draw.pick(a.paragraphs).append(quote)
        sources.append(world.source(draw))
        members.append(stamp(world, a, sources[-1]))
    return members, sources, lambda i, j: ("topic", i, j)


def single_family(world: World, draw: Draw, size: int) -> Family:
    """One article that is not repeated."""
    a = fresh(world, draw)
    source = world.source(draw)
    return [stamp(world, a, source)], [source], None


FAMILIES = {
    "cluster": cluster_family,
    "containment": containment_family,
    "template": template_family,
    "topic": topic_family,
    "single": single_family,
}


def plan(seed: int, docs: int) -> list[tuple[str, int]]:
    """The families, as (kind, size), that make exactly `docs` articles."""
    draw = Draw(seed, "plan", docs)
    largest = max(10, min(400, docs // 100))
    sizes: dict[str, Callable[[], int]] = {
        "cluster": lambda: draw.power_law(2, largest, 2.2),
        "containment": lambda: draw.between(2, 4),
        "template": lambda: draw.power_law(2, max(5, min(60, docs // 200)), 1.8),
        "topic": lambda: draw.between(2, 6),
    }
    families: list[tuple[str, int]] = []
    total = 0
    for kind, share in SHARES.items():
        quota = int(docs * share)
        while quota >= 2:
            size = min(sizes[kind](), quota)
            if quota - size == 1:
                size += 1
            families.append((kind, size))
            quota -= size
            total += size
    families += [("single", 1)] * (docs - total)
    draw.shuffle(families)
    return families


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    if len(words) < SHINGLE:
        return {tuple(words)}
    return set(zip(*(words[i:] for i in range(SHINGLE)), strict=False))


# -- the files --------------------------------------------------------------------------

_world: World  # one a worker process


def _start(seed: int, topics: int) -> None:
    global _world
    _world = World(seed, topics)


Job = tuple[int, str, list[int]]  # the number, kind and members' line numbers of a family


def _family(job: Job) -> tuple[Job, list[bytes], list[bytes], list[str]]:
    """One family's lines of docs.jsonl and truth.jsonl, and the relations of the latter."""
    number, kind, places = job
    world = _world
    draw = Draw(world.seed, "family", number)
    members, sources, relation = FAMILIES[kind](world, draw, len(places))
    moment = FIRST_DAY + draw.below(DAYS * 86400)
    days_apart = 30 if kind == "template" else 3
    ids = [f"n{place:07d}" for place in places]
    lines, sets = [], []
    for k, article in enumerate(members):
        when = moment if k == 0 else moment + draw.below(days_apart * 86400)
        text = article.text()
        sets.append(shingles(text) if relation else set())
        record = {
            "id": ids[k],
            "title": article.title,
            "text": text,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "source": world.sources[sources[k]],
        }
        lines.append(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    pairs, names = [], []
    if relation:
        for i, j in itertools.combinations(range(len(members)), 2):
            name, first, second = relation(i, j)
            common = len(sets[i] & sets[j])
            jaccard = common / (len(sets[i]) + len(sets[j]) - common)
            line = f'{{"a": "{ids[first]}", "b": "{ids[second]}", "relation": "{name}", "jaccard": {jaccard:.4f}}}\n'
            pairs.append(line.encode())
            names.append(name)
    return job, lines, pairs, names


def make(out: Path, docs: int, seed: int, workers: int) -> dict[str, Any]:
    """Write a corpus of `docs` articles into the folder `out`; gives what meta.json holds."""
    order = list(range(docs))
    Draw(seed, "order", docs).shuffle(order)
    jobs: list[Job] = []
    at = 0
    for number, (kind, size) in enumerate(plan(seed, docs)):
        jobs.append((number, kind, order[at : at + size]))
        at += size
    topics = max(40, min(800, docs // 100))
    lines = [b""] * docs
    truth: list[bytes] = []
    clusters: list[bytes] = []
    counts: dict[str, int] = {}
    with multiprocessing.Pool(workers, _start, (seed, topics)) as pool:
        for (number, kind, places), family_lines, pairs, names in pool.imap(_family, jobs, chunksize=64):
            for place, line in zip(places, family_lines, strict=True):
                lines[place] = line
            truth.extend(pairs)
            for what, count in (("families " + kind, 1), ("docs " + kind, len(places))):
                counts[what] = counts.get(what, 0) + count
            for name in names:
                counts["pairs " + name] = counts.get("pairs " + name, 0) + 1
            if kind == "cluster":
                ids = [f"n{place:07d}" for place in places]
                clusters.append(json.dumps({"cluster": number, "ids": ids}).encode() + b"\n")

    out.mkdir(parents=True, exist_ok=True)
    meta: dict[str, Any] = {
        "docs": docs,
        "seed": seed,
        "topics": topics,
        "shingle": SHINGLE,
        "counts": counts,
        "files": {},
    }
    for file, rows in {"docs.jsonl": lines, "truth.jsonl": truth, "clusters.jsonl": clusters}.items():
        digest = hashlib.sha256()
        with (out / file).open("wb") as f:
            for row in rows:
                digest.update(row)
                f.write(row)
        meta["files"][file] = {"lines": len(rows), "bytes": sum(map(len, rows)), "sha256": digest.hexdigest()}
    # Last, so that a folder with a meta.json is a whole corpus.
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")
    return meta


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--docs", type=int, required=True, help="how many articles")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write into")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    started = time.time()
    meta = make(options.out, options.docs, options.seed, options.workers)
    print(json.dumps(meta, indent=1))
    print(f"made in {time.time() - started:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
