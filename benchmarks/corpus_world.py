"""The world of the planted corpus: seeded choices, invented words, names, sources and topics."""

import bisect
import hashlib
import itertools
import math
import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

VOCABULARY = 60_000


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
