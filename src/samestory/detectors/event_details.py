"""The names and numbers behind the evidence of `event`, read from the two texts for explanations.

The core compares hashes of words and returns only which evidence there is. The words here are found by simpler rules
(figures and capitals); where these find none, the evidence is printed without words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import reduce
from itertools import islice
from operator import or_

from samestory import _core
from samestory.model import Features

#: Number of words of an article that are read, and of those of its headline and lead, as in the core.
WORDS, LEAD = 160, 14
#: Number of letters by which two words are the same, and the most words on one side of a difference.
STEM, MAX_SLOT_WORDS = 4, 3
#: The most words or numbers that are printed of one side.
MAX_PRINTED = 3
#: Number of words in which opposite acts and stages are read, and the bits of the days of the week in a calendar mask.
ACT_WORDS, WEEKDAYS = 2 * LEAD, 0x7F
#: The last day of a month.
MAX_DAY = 31
#: Evidence about names; the core also counts capitalised days and months as names.
ABOUT_NAMES = {"names_shared", "names_apart", "main_names_apart", "slots_names", "swapped"}
#: From this value on, numbers that differ by at most this share agree after rounding.
MIN_ROUNDED, ROUNDING_SHARE = 20.0, 0.06

_TOKEN = re.compile(r"(?P<number>\d+(?:[.,:]\d+)*)(?P<suffix>st\b|nd\b|rd\b|th\b|-[а-яё]{1,2}\b)?|[^\W\d_]+")
_OPENS = re.compile(r"[.!?:\"«“\n]")


@dataclass(frozen=True)
class Word:
    """A word or number of an article."""

    text: str
    stem: str
    """The first letters of a word; a number without its suffix."""
    is_number: bool
    is_name: bool
    """Whether it is capitalised, and not only because it begins a sentence or is in a headline in title case."""
    is_capitalised: bool
    in_lead: bool
    calendar: int = 0
    """The days and months that it names, as a mask."""
    directions: tuple[int, int] = (0, 0)
    """The opposites in which it has the first and the second direction, as masks."""


def words_of(features: Features) -> list[Word]:
    """Returns the first words and numbers of the only article, without stop words."""
    title, text = features.compared_titles[0] or "", features.compared[0]
    language = _core.text.Language(features.languages[0])
    stops = set(language.stop_words)
    found: list[Word] = []
    at = 0
    for part in (text,) if text.startswith(title) else (title, text):
        tokens = list(islice(_TOKEN.finditer(part), WORDS - at))
        first = [token[0] for token in tokens[:LEAD] if not token["number"]]
        is_title_case = 10 * sum(word[0].isupper() for word in first) > 6 * len(first)
        end = 0
        for number, token in enumerate(tokens):
            before = tokens[number - 1] if number else None
            beside = (before, *tokens[number + 1 : number + 2])
            opens = number == 0 or bool(_OPENS.search(part, end, token.start()))
            end = token.end()
            at += 1
            folded = language.fold(token[0])
            if folded in stops:
                continue
            capital = token[0][0].isupper()
            is_name = capital and not opens and not (is_title_case and at <= LEAD)
            stem = token["number"] or folded[:STEM]
            written = before[0] if before else ""
            is_beside_figure = any(other and other["number"] for other in beside)
            found.append(
                Word(
                    token[0],
                    stem,
                    is_number=bool(token["number"]),
                    is_name=is_name,
                    is_capitalised=capital,
                    in_lead=at <= LEAD,
                    calendar=0 if token["number"] else language.calendar(token[0], written, is_beside_figure),
                    directions=language.directions(folded, written) if at <= ACT_WORDS else (0, 0),
                )
            )
    return found


def _printed(texts: Iterable[str]) -> str:
    """Joins the first few of these texts, each once."""
    different = list(dict.fromkeys(texts))
    return ", ".join(different[:MAX_PRINTED]) + (", …" if len(different) > MAX_PRINTED else "")


def _both(left: Iterable[str], right: Iterable[str]) -> str:
    """Prints the texts of both sides; nothing if one side has none."""
    one, other = _printed(left), _printed(right)
    return f"{one} / {other}" if one and other else ""


def _lacking(one: Sequence[Word], other: Sequence[Word], is_meant: Callable[[Word], bool]) -> list[str]:
    """Returns the words of a kind that the other article lacks."""
    stems = {word.stem for word in other}
    return [word.text for word in one if is_meant(word) and word.stem not in stems]


def _shared_names(left: Sequence[Word], right: Sequence[Word]) -> str:
    named = {word.stem for word in (*left, *right) if word.is_name}
    there = {word.stem for word in right}
    return _printed(word.text for word in left if word.stem in named & there and not word.is_number)


def _shared_numbers(left: Sequence[Word], right: Sequence[Word]) -> str:
    there = {word.stem for word in right if word.is_number}
    return _printed(word.text for word in left if word.is_number and word.stem in there)


def _main_names(left: Sequence[Word], right: Sequence[Word]) -> str:
    """Prints the most frequent name of each side that the other lacks."""

    def main_name(one: Sequence[Word], other: Sequence[Word]) -> list[str]:
        names = Counter(word.stem for word in one if word.is_name)
        lacking = _lacking(one, other, lambda word: word.is_name and not word.is_number)
        stems = {word.text: word.stem for word in one}
        return sorted(lacking, key=lambda text: -names[stems[text]])[:1]

    return _both(main_name(left, right), main_name(right, left))


def _dates(words: Sequence[Word]) -> dict[tuple[int, str], str]:
    """Returns the days and months that words name, as they are written; months with the day before or after them."""
    found: dict[tuple[int, str], str] = {}
    for at, word in enumerate(words):
        if not word.calendar:
            continue
        beside = (*words[max(at - 1, 0) : at], *words[at + 1 : at + 2])
        is_month = not word.calendar & WEEKDAYS
        days = [other for other in beside if is_month and other.stem.isdecimal() and 0 < int(other.stem) <= MAX_DAY]
        day = next(iter(days), None)
        written = [each.text for each in words[max(at - 1, 0) : at + 2] if each is word or each is day]
        found.setdefault((word.calendar, day.stem if day else ""), " ".join(written))
    return found


def _shared_dates(left: Sequence[Word], right: Sequence[Word]) -> str:
    one, other = _dates(left), _dates(right)
    return _printed(text for date, text in one.items() if date in other)


def _dates_apart(left: Sequence[Word], right: Sequence[Word]) -> str:
    one, other = _dates(left), _dates(right)
    lacking = ([text for date, text in x.items() if date not in y] for x, y in ((one, other), (other, one)))
    return _both(*lacking)


def _opposites(left: Sequence[Word], right: Sequence[Word]) -> str:
    """Prints the first words of both sides that have opposite directions."""

    def only(words: Sequence[Word]) -> tuple[int, int]:
        first, second = (reduce(or_, (word.directions[way] for word in words), 0) for way in (0, 1))
        return first & ~second, second & ~first

    one, other = only(left), only(right)
    for way in (0, 1):
        opposite = one[way] & other[1 - way]
        x = next((word.text for word in left if word.directions[way] & opposite), None)
        y = next((word.text for word in right if word.directions[1 - way] & opposite), None)
        if x and y:
            return f"{x} / {y}"
    return ""


def _value(number: str) -> float | None:
    try:
        return float(re.sub(r"[.,](?=\d{3}(?!\d))", "", number).replace(",", "."))
    except ValueError:
        return None


def _rounded(left: Sequence[Word], right: Sequence[Word]) -> str:
    for one in left:
        for other in right:
            x, y = (_value(word.stem) if word.is_number else None for word in (one, other))
            if x is None or y is None or x == y or min(x, y) < MIN_ROUNDED:
                continue
            if abs(x - y) <= ROUNDING_SHARE * max(x, y):
                return f"{one.text} / {other.text}"
    return ""


def _numbers_apart(left: Sequence[Word], right: Sequence[Word]) -> str:
    one, other = (_lacking(*sides, lambda word: word.is_number) for sides in ((left, right), (right, left)))
    return _both(one, other)


def _ordinals_apart(left: Sequence[Word], right: Sequence[Word]) -> str:
    def is_ordinal(word: Word) -> bool:
        return word.is_number and word.text != word.stem

    return _both(_lacking(left, right, is_ordinal), _lacking(right, left, is_ordinal))


def _names_apart(left: Sequence[Word], right: Sequence[Word]) -> str:
    def first_names(one: Sequence[Word], other: Sequence[Word]) -> list[str]:
        names = _lacking(one, other, lambda word: word.in_lead and word.is_name)
        # only the core knows which words that begin a sentence are names
        return names or _lacking(one, other, lambda word: word.in_lead and word.is_capitalised)

    return _both(first_names(left, right), first_names(right, left))


def _counts_conflict(left: Sequence[Word], right: Sequence[Word]) -> str:
    """Numbers that only one article has, before or after the same word."""
    here, there = ({word.stem for word in side if word.is_number} for side in (left, right))

    def counted(side: Sequence[Word], others: set[str]) -> dict[str, str]:
        out: dict[str, str] = {}
        for at, word in enumerate(side):
            if word.is_number and word.stem not in others:
                for beside in (*side[at + 1 : at + 2], *side[max(at - 1, 0) : at]):
                    if not beside.is_number:
                        out.setdefault(beside.stem, word.text)
        return out

    one, other = counted(left, there), counted(right, here)
    thing = next((stem for stem in one if stem in other), None)
    return f"{one[thing]} / {other[thing]}" if thing else ""


def _slots(is_meant: Callable[[Word], bool]) -> Callable[[Sequence[Word], Sequence[Word]], str]:
    """Returns a function that prints the first short difference that has such words on both sides."""

    def printed(left: Sequence[Word], right: Sequence[Word]) -> str:
        stems = [word.stem for word in left], [word.stem for word in right]
        for kind, a, b, c, d in SequenceMatcher(None, *stems, autojunk=False).get_opcodes():
            if kind != "replace" or max(b - a, d - c) > MAX_SLOT_WORDS:
                continue
            if any(map(is_meant, left[a:b])) and any(map(is_meant, right[c:d])):
                return " / ".join(" ".join(word.text for word in part) for part in (left[a:b], right[c:d]))
        return ""

    return printed


_DETAILS: dict[str, Callable[[Sequence[Word], Sequence[Word]], str]] = {
    "names_shared": _shared_names,
    "numbers_shared": _shared_numbers,
    "dates_shared": _shared_dates,
    "counts_near": _rounded,
    "slots_names": _slots(lambda word: word.is_capitalised),
    "slots_numbers": _slots(lambda word: word.is_number),
    "slots_dates": _slots(lambda word: word.is_number or bool(word.calendar)),
    "dates_apart": _dates_apart,
    "ways_conflict": _opposites,
    "main_names_apart": _main_names,
    "names_apart": _names_apart,
    "numbers_apart": _numbers_apart,
    "counts_conflict": _counts_conflict,
    "ordinals_apart": _ordinals_apart,
    "swapped": _slots(lambda word: word.is_capitalised),
}


class EventDetails:
    """The details of the evidence about two articles."""

    def __init__(self, left: Features, right: Features) -> None:
        self._sides = words_of(left), words_of(right)
        self._named = tuple(
            [replace(word, is_name=False, is_capitalised=False) if word.calendar else word for word in side]
            for side in self._sides
        )
        first, last = (features.published[0] for features in (left, right))
        self._days = abs((first.date() - last.date()).days) if first and last else 0

    def of(self, name: str) -> str:
        """Returns the names, numbers or days of a kind of evidence; empty if they are unknown.

        >>> from samestory import Article, prepare
        >>> one, other = (prepare([Article("a", f"Inflation in Oldmere is {n} percent")]) for n in ("3.4", "4.2"))
        >>> EventDetails(one, other).of("counts_conflict"), EventDetails(one, other).of("names_shared")
        ('3.4 / 4.2', 'Oldmere')
        """
        if name == "days":
            return f"{self._days} {'day' if self._days == 1 else 'days'} apart" if self._days else ""
        if name not in _DETAILS:
            return ""
        return _DETAILS[name](*(self._named if name in ABOUT_NAMES else self._sides))

    def has_only_dates(self, name: str) -> bool:
        """Whether evidence about names is about days or months alone, as far as the rules here find its words.

        >>> from samestory import Article, prepare
        >>> texts = "Shops of Oldmere close on Monday", "Shops of Norsted close on Monday"
        >>> one, other = (prepare([Article("a", text)]) for text in texts)
        >>> EventDetails(one, other).has_only_dates("names_shared")
        True
        """
        return name in ABOUT_NAMES and not self.of(name) and bool(_DETAILS[name](*self._sides))
