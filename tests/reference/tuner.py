"""Names of a Turkish text as the study reads them, step by step: TuNER.

    run of capital words -> places by rule, by list -> organisations by rule, by list -> persons by rule, by list
    nothing found        -> what an earlier name of the text begins or ends with; else unclassified

Where the study is silent: a person's rule takes words from the list of places, which takes its own from the list of
persons; a title that has marked a person is part of no name; of the earlier names, the one that begins last, and of
several the longest, decides what a word is.
Uyar (2009), chapter 3. [uyar2009]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.reference.tokens import Token, tokens

Lists = Mapping[str, Sequence[str]]
LOCATION, ORGANIZATION, PERSON, UNCLASSIFIED = "location", "organization", "person", "unclassified"
BLANKS = " \t\u00a0"


class Found(NamedTuple):
    """A name: its first token, the one behind its last, and its kind."""

    first: int
    last: int
    kind: str


class Name(NamedTuple):
    """A name by its place in the text."""

    start: int
    end: int
    kind: str


def blank(text: str) -> bool:
    """Are there blanks only, or nothing?"""
    return all(letter in BLANKS for letter in text)


def runs(text: str, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Capital words in a row; whatever is no blank between two of them parts them, and so does an apostrophe."""
    at = 0
    while at < len(words):
        first = at
        while at < len(words) and text[words[at].start].isupper():
            if at > first:
                before = words[at - 1]
                if before.end > before.base or not blank(text[before.end : words[at].start]):
                    break
            at += 1
        if at > first:
            yield first, at
        else:
            at += 1


def longest(words: Sequence[str], free: Sequence[bool], entries: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From left to right the longest entries of a list that lie in free words."""
    known = {tuple(entry.split()) for entry in entries}
    at = 0
    while at < len(words):
        for end in range(len(words), at, -1):
            if tuple(words[at:end]) in known and all(free[at:end]):
                yield at, end
                at = end
                break
        else:
            at += 1


@dataclass
class Run:
    """The names in a run of capital words, whose places count from its start."""

    words: Sequence[str]
    lists: Lists
    ruled: list[Found] = field(default_factory=list)
    #: Titles and honorifics that have marked a person: they are no names themselves.
    titles: set[int] = field(default_factory=set)

    def has(self, at: int, rule: str) -> bool:
        return self.words[at] in self.lists.get(rule, ())

    def free(self, of: Sequence[Found]) -> list[bool]:
        return [not any(name.first <= at < name.last for name in of) for at in range(len(self.words))]

    def by_rule(self, kind: str) -> list[Found]:
        """All words since the last cut and the rule word; words that stand only beside a name stay outside."""
        free, out, cut = self.free(self.ruled), list[Found](), 0
        for at in range(len(self.words)):
            if not free[at]:
                cut = at + 1
                continue
            if at > cut and self.has(at, f"{kind}_cue_after"):
                out.append(Found(cut, at, kind))
                cut = at
            elif at > cut and self.has(at, f"{kind}_after"):
                out.append(Found(cut, at + 1, kind))
                cut = at + 1
            if self.has(at, "person_before"):
                cut = at + 1
        return out

    def by_list(self, kind: str) -> list[Found]:
        free = self.free(self.ruled)
        return [Found(*place, kind) for place in longest(self.words, free, self.lists.get(kind, ()))]

    def with_places(self, organization: Found, places: Sequence[Found]) -> Found:
        """With the listed places right behind it: Microsoft Türkiye."""
        for place in places:
            if place.first == organization.last:
                organization = organization._replace(last=place.last)
        return organization

    def titled(self, blocked: Sequence[Found]) -> Iterator[Found]:
        """Persons behind a title and persons before an honorific."""
        free = self.free(blocked)

        def ends(at: int) -> bool:
            return not free[at] or self.has(at, "person_before") or self.has(at, "person_after")

        taken = [False] * len(self.words)
        for at in range(len(self.words)):
            if free[at] and self.has(at, "person_before"):
                self.titles.add(at)
                end = at + 1
                while end < len(self.words) and not ends(end):
                    taken[end] = True
                    end += 1
                if end > at + 1:
                    yield Found(at + 1, end, PERSON)
        for at in range(len(self.words)):
            if free[at] and self.has(at, "person_after"):
                start = at
                while start > 0 and not ends(start - 1) and not taken[start - 1]:
                    start -= 1
                if start < at:
                    self.titles.add(at)
                    yield Found(start, at, PERSON)

    def names(self) -> list[Found]:
        self.ruled += self.by_rule(LOCATION)
        places = self.by_list(LOCATION)
        self.ruled += self.by_rule(ORGANIZATION)
        organizations = [self.with_places(found, places) for found in self.by_list(ORGANIZATION)]
        persons = list(self.titled([*self.ruled, *organizations]))
        places = [place for place in places if all(self.free(persons)[place.first : place.last])]
        free = self.free([*self.ruled, *organizations, *persons, *places])
        return [*self.ruled, *places, *organizations, *persons, *self.listed_persons(free)]

    def listed_persons(self, free: Sequence[bool]) -> Iterator[Found]:
        """Words in a row that are all in the list."""
        at = 0
        while at < len(self.words):
            end = at
            while end < len(self.words) and free[end] and end not in self.titles and self.has(end, PERSON):
                end += 1
            if end > at:
                yield Found(at, end, PERSON)
            at = max(end, at + 1)


def found(text: str, lists: Lists) -> list[Found]:
    """The names of a text by the numbers of their tokens, unclassified ones too."""
    words = tokens(text)
    bases = [text[word.start : word.base] for word in words]
    out: list[Found] = []
    for first, last in runs(text, words):
        names = [
            Found(first + name.first, first + name.last, name.kind) for name in Run(bases[first:last], lists).names()
        ]
        out += names or [Found(first, last, partial(bases, first, last, out))]
    return sorted(set(out), key=lambda name: (name.first, -name.last, name.kind))


def partial(bases: Sequence[str], first: int, last: int, earlier: Sequence[Found]) -> str:
    """The kind of the nearest earlier name that is longer and begins or ends with these words."""
    wanted = bases[first:last]
    for name in sorted(earlier, key=lambda name: (name.first, name.last), reverse=True):
        words = bases[name.first : name.last]
        longer = name.kind != UNCLASSIFIED and len(words) > len(wanted)
        if longer and wanted in (words[: len(wanted)], words[-len(wanted) :]):
            return name.kind
    return UNCLASSIFIED


def names(text: str, lists: Lists) -> list[Name]:
    """The names of a text by their places, without what an apostrophe parts from the last word."""
    words = tokens(text)
    return [Name(words[name.first].start, words[name.last - 1].base, name.kind) for name in found(text, lists)]
