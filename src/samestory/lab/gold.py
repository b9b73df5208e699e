"""Gold data: what people said about pairs or groups of articles, read and checked.

Pairs     {"a", "b", "label": same | contains | related | other | ambiguous, or 1 | 0, "relation"?, "direction"?, …}
Groups    {"id", "cluster", "relation"?, …}

`relation` is one of `relations.MEANINGS`; a file that holds several is refused unless one is chosen. `direction` says
which side holds the other: "b>a", "a>b" or "both"; `protocol` how the gold was made. Labels that are neither yes nor no
(related, ambiguous) are left out and counted. Everything else that a line holds is kept: results can be told apart by
it.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samestory.errors import InputError
from samestory.lab.conditions import Condition
from samestory.lab.jsonlines import Line, json_lines
from samestory.lab.relations import MEANINGS, Meaning, bias, meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Words for labels, and whether they say yes; None: neither yes nor no.
LABELS: dict[str, bool | None] = {
    "same": True,
    "contains": True,
    "1": True,
    "true": True,
    "other": False,
    "0": False,
    "false": False,
    "related": None,
    "ambiguous": None,
}
#: The relation that a label speaks of where the line names none.
_SPOKEN = {"same": "same", "contains": "contains"}
_DIRECTIONS = ("a>b", "b>a", "both")
_PAIR = frozenset({"a", "b", "label"})
_GROUP = frozenset({"id", "cluster"})


@dataclass(frozen=True, kw_only=True)
class Gold:
    """What both shapes have: where they come from, the relation, the protocol, and what was left out."""

    path: str
    meaning: Meaning
    protocol: str
    lines: Sequence[int]
    """The line of every pair or article."""
    columns: dict[str, list[Any]]
    """What else the lines hold, by name."""
    left_out: dict[str, int]

    @property
    def bias(self) -> str:
        """What the protocol cannot see."""
        return bias(self.protocol)

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.path}:{self.lines[row]}"

    def _rest(self, rows: Sequence[int]) -> dict[str, Any]:
        """Those rows of what both shapes have."""
        columns = {name: [values[row] for row in rows] for name, values in self.columns.items()}
        return {"lines": [self.lines[row] for row in rows], "columns": columns}


@dataclass(frozen=True, kw_only=True)
class GoldPairs(Gold):
    """Judged pairs. With `ordered`, left is the part and right the whole."""

    left: Sequence[str]
    right: Sequence[str]
    labels: NDArray[np.bool_]
    ordered: bool
    aside: frozenset[tuple[str, str]] = frozenset()
    """Pairs that were judged but are not looked at here: nobody may call them unjudged."""

    def __len__(self) -> int:
        return len(self.left)

    def take(self, rows: Sequence[int]) -> GoldPairs:
        """Some of the judgements."""
        left, right = [self.left[row] for row in rows], [self.right[row] for row in rows]
        aside = self.aside | set(zip(self.left, self.right, strict=True)) - set(zip(left, right, strict=True))
        return replace(self, left=left, right=right, labels=self.labels[list(rows)], aside=aside, **self._rest(rows))

    def ids(self) -> Iterator[tuple[str, int]]:
        """Every article named, with the row that names it."""
        for row, pair in enumerate(zip(self.left, self.right, strict=True)):
            for one in pair:
                yield one, row


@dataclass(frozen=True, kw_only=True)
class GoldGroups(Gold):
    """Articles with the group of each: a partition."""

    articles: Sequence[str]
    groups: Sequence[str]

    def __len__(self) -> int:
        return len(self.articles)

    def take(self, rows: Sequence[int]) -> GoldGroups:
        """Some of the articles."""
        articles, groups = [self.articles[row] for row in rows], [self.groups[row] for row in rows]
        return replace(self, articles=articles, groups=groups, **self._rest(rows))

    def ids(self) -> Iterator[tuple[str, int]]:
        """Every article named, with the row that names it."""
        return zip(self.articles, range(len(self)), strict=True)


def read_gold(
    path: str,
    relation: str | None = None,
    protocol: str | None = None,
    positive: str | None = None,
    leave_out: Iterable[str] = (),
) -> GoldPairs | GoldGroups:
    """Reads a gold file and checks it.

    `relation` chooses one where a file holds several, or names it where the file does not. `positive` is a condition
    that stands in for the label ("orig>=0"); lines of which a condition of `leave_out` holds are left out.
    """
    with _collector_at_rest():
        return _read(path, relation, protocol, positive, leave_out)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """A million lines are a million objects that stay: the collector would look at all of them, again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(
    path: str, relation: str | None, protocol: str | None, positive: str | None, leave_out: Iterable[str]
) -> GoldPairs | GoldGroups:
    wanted = meaning(relation) if relation else None
    yes = Condition.parse(positive) if positive else None
    dropped = [Condition.parse(text) for text in leave_out]
    lines: list[Line] = []
    aside: set[tuple[str, str]] = set()
    left_out: Counter[str] = Counter()
    shape: frozenset[str] | None = None
    for number, line in json_lines(path):
        shape = shape or _shape(path, number, line)
        if not shape <= line.keys():
            absent = min(shape - line.keys())
            raise InputError(f"{path}:{number}: no {absent!r} in a line of {_name(shape)}")
        if dropped and (out := next((str(each) for each in dropped if each.holds(line)), None)):
            left_out[out] += 1
            if shape == _PAIR:
                aside.add((str(line["a"]), str(line["b"])))
            continue
        lines.append((number, line))
    if shape is None or not lines:
        hint = "every line was left out" if left_out else ""
        raise InputError(f"{path}: no judgements in it", hint)
    if shape == _GROUP:
        return _groups(path, lines, wanted, protocol, left_out)
    return _pairs(path, lines, wanted, protocol, yes, left_out, aside)


def _shape(path: str, number: int, line: dict[str, Any]) -> frozenset[str]:
    for shape in (_PAIR, _GROUP):
        if shape <= line.keys():
            return shape
    keys = ", ".join(sorted(line)) or "nothing"
    raise InputError(
        f"{path}:{number}: neither a pair (a, b, label) nor an article with its group (id, cluster): {keys}"
    )


def _name(shape: frozenset[str]) -> str:
    return "groups (id, cluster)" if shape == _GROUP else "pairs (a, b, label)"


def _one_meaning(path: str, told: Iterable[tuple[int, str]], wanted: Meaning | None) -> Meaning:
    """The relation that all lines speak of; the one that is wanted, if there are several."""
    first: dict[str, int] = {}
    for number, name in told:
        if name not in MEANINGS:
            raise InputError(f"{path}:{number}: no relation is called {name!r}; there are {', '.join(MEANINGS)}")
        first.setdefault(name, number)
    if wanted:
        return wanted
    if len(first) > 1:
        named = " and ".join(f"{name} (line {number})" for name, number in first.items())
        raise InputError(
            f"{path}: relations are mixed: {named}; no figure can stand for both", "choose one with --relation"
        )
    return meaning(next(iter(first), "same"))


def _pairs(
    path: str,
    lines: list[Line],
    wanted: Meaning | None,
    protocol: str | None,
    yes: Condition | None,
    left_out: Counter[str],
    aside: set[tuple[str, str]],
) -> GoldPairs:
    import numpy as np

    said = [(number, line, *_label(path, number, line, yes)) for number, line in lines]
    told = [(number, relation) for number, _, _, relation in said if relation]
    sense = _one_meaning(path, told, wanted)
    out: list[tuple[str, str, bool, int, dict[str, Any]]] = []
    seen: dict[tuple[str, str], tuple[bool, int]] = {}
    words: dict[tuple[str, str], tuple[bool | None, int]] = {}
    ordered = not sense.symmetric and any("direction" in line for _, line in lines)
    for number, line, label, relation in said:
        a, b = str(line["a"]), str(line["b"])
        if a == b:
            left_out["one article with itself"] += 1
            continue
        # a label alone names no relation that a user could not name better
        named = relation if line.get("relation") or relation == "contains" or not sense.symmetric else None
        if wanted and named and named != sense.name:
            left_out[f"relation {relation}"] += 1
            aside.add((a, b))
            continue
        before_word, there = words.setdefault((min(a, b), max(a, b)), (label, number))
        if before_word != label:
            raise InputError(
                f"{path}:{number}: {a!r} and {b!r} are judged {_word(label)} here, {_word(before_word)} in line {there}"
            )
        if label is None:
            left_out[str(line["label"])] += 1
            aside.add((a, b))
            continue
        for left, right, answer in _answers(path, number, line, a, b, label, ordered):
            pair = (left, right) if ordered else (min(left, right), max(left, right))
            before, there = seen.setdefault(pair, (answer, number))
            if before != answer:
                raise InputError(
                    f"{path}:{number}: {left!r} and {right!r} are judged {_word(answer)} here, {_word(before)} in line "
                    f"{there}"
                )
            if there == number:
                out.append((left, right, answer, number, line))
            else:
                left_out["judged twice alike"] += 1
    if not out:
        raise InputError(f"{path}: no judgement says yes or no", f"left out: {_count(left_out)}")
    protocol = protocol or _protocol(lines) or ("pool" if any("pool" in line for _, line in lines) else "unknown")
    bias(protocol)
    return GoldPairs(
        path=path,
        meaning=sense,
        protocol=protocol,
        lines=[number for *_, number, _ in out],
        columns=_columns([line for *_, line in out], {"a", "b", "relation", "direction", "protocol"}),
        left_out=dict(left_out),
        left=[left for left, *_ in out],
        right=[right for _, right, *_ in out],
        labels=np.array([answer for _, _, answer, *_ in out], np.bool_),
        ordered=ordered,
        aside=frozenset(aside - {(left, right) for left, right, *_ in out}),
    )


def _protocol(lines: Sequence[Line]) -> str | None:
    """The protocol that the lines name, if they do and name one."""
    named = {str(line["protocol"]) for _, line in lines if line.get("protocol")}
    return named.pop() if len(named) == 1 else None


def _label(path: str, number: int, line: dict[str, Any], yes: Condition | None) -> tuple[bool | None, str | None]:
    """Yes, no or neither; and the relation that the line speaks of, if it names one."""
    word = str(line["label"]).lower()
    if word not in LABELS and yes is None:
        raise InputError(f"{path}:{number}: the label {line['label']!r} is none of {', '.join(LABELS)}")
    relation = line.get("relation") or (_SPOKEN.get(word) if yes is None else None)
    if yes is None:
        return LABELS[word], relation and str(relation)
    if line.get(yes.field) is None:
        raise InputError(f"{path}:{number}: no {yes.field!r}, which --positive asks for")
    return yes.holds(line), relation and str(relation)


def _answers(
    path: str, number: int, line: dict[str, Any], a: str, b: str, label: bool, ordered: bool
) -> list[tuple[str, str, bool]]:
    """What a judgement says of (part, whole), both ways round; of an unordered pair, once."""
    if not ordered:
        return [(a, b, label)]
    direction = line.get("direction")
    if label and direction not in _DIRECTIONS:
        raise InputError(
            f"{path}:{number}: a containment wants a direction ({', '.join(_DIRECTIONS)}), got {direction!r}"
        )
    return [(a, b, label and direction in ("b>a", "both")), (b, a, label and direction in ("a>b", "both"))]


def _groups(
    path: str, lines: list[Line], wanted: Meaning | None, protocol: str | None, left_out: Counter[str]
) -> GoldGroups:
    told = [(number, str(line["relation"])) for number, line in lines if line.get("relation")]
    sense = _one_meaning(path, told, wanted)
    if not sense.symmetric:
        raise InputError(f"{path}: {sense.name} has a direction: groups cannot tell it, pairs can")
    first: dict[str, tuple[str, int]] = {}
    kept: list[Line] = []
    for number, line in lines:
        if line.get("relation") and str(line["relation"]) != sense.name:
            left_out[f"relation {line['relation']}"] += 1
            continue
        article, cluster = str(line["id"]), str(line["cluster"])
        before, there = first.setdefault(article, (cluster, number))
        if before != cluster:
            raise InputError(
                f"{path}:{number}: not a partition: {article!r} is in group {cluster!r} here, in {before!r} in line "
                f"{there}"
            )
        if there != number:
            left_out["named twice alike"] += 1
            continue
        kept.append((number, line))
    if not kept:
        raise InputError(f"{path}: no groups of this relation", f"left out: {_count(left_out)}")
    protocol = protocol or _protocol(kept) or ("events" if any("day" in line for _, line in kept) else "unknown")
    bias(protocol)
    return GoldGroups(
        path=path,
        meaning=sense,
        protocol=protocol,
        lines=[number for number, _ in kept],
        columns=_columns([line for _, line in kept], {"id", "cluster", "relation", "protocol"}),
        left_out=dict(left_out),
        articles=[str(line["id"]) for _, line in kept],
        groups=[str(line["cluster"]) for _, line in kept],
    )


def _columns(lines: Sequence[dict[str, Any]], own: set[str]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for line in lines for name in line if name not in own)
    return {name: [line.get(name) for line in lines] for name in names}


def _word(answer: bool | None) -> str:
    return "neither yes nor no" if answer is None else "yes" if answer else "no"


def _count(left_out: Counter[str]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in left_out.items()) or "nothing"
