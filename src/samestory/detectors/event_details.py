"""The names and numbers behind the evidence of `event`, read from the two texts for explanations.

The core compares hashes of words and returns only which evidence there is. The words here are found by simpler rules
(figures and capitals); where these find none, the evidence is printed without words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from samestory import _core
from samestory.model import Features

#: Number of words of an article that are read, and of those of its headline and lead, as in the core.
WORDS, LEAD = 160, 14
#: Number of letters by which two words are the same, and the most words on one side of a difference.
STEM, MAX_SLOT_WORDS = 4, 3
#: The most words or numbers that are printed of one side.
MAX_PRINTED = 3
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
            opens = number == 0 or bool(_OPENS.search(part, end, token.start()))
            end = token.end()
            at += 1
            folded = language.fold(token[0])
            if folded in stops:
                continue
            capital = token[0][0].isupper()
            is_name = capital and not opens and not (is_title_case and at <= LEAD)
            stem = token["number"] or folded[:STEM]
            found.append(Word(token[0], stem, bool(token["number"]), is_name, capital, at <= LEAD))
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
    "counts_near": _rounded,
    "slots_names": _slots(lambda word: word.is_capitalised),
    "slots_numbers": _slots(lambda word: word.is_number),
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
        return _DETAILS[name](*self._sides) if name in _DETAILS else ""
