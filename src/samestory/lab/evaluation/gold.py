"""Gold data: human judgements of pairs or groups of articles, read and validated.

Pairs     {"a", "b", "label": same | contains | related | other | ambiguous, or 1 | 0, "relation"?, "direction"?, …}
Groups    {"id", "cluster", "relation"?, …}

The lines are JSON, or rows of CSV, TSV or Parquet, whose columns may have other usual names (`gold_lines`).

`relation` is one of `relations.MEANINGS`; a file with several is rejected unless one is chosen. `direction` is the side
that contains the other: "b>a", "a>b" or "both"; `protocol` is how the gold was made. Labels that are neither yes nor no
(related, ambiguous) are left out and counted. Other fields are kept as columns, by which results can be sliced.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samestory.errors import InputError
from samestory.lab.evaluation.conditions import Condition
from samestory.lab.evaluation.gold_lines import gold_lines
from samestory.lab.evaluation.jsonlines import NumberedLine
from samestory.lab.evaluation.relations import MEANINGS, Meaning, bias, meaning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Whether each label means yes; None: neither yes nor no.
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
#: The relation that a label implies where the line has no `relation`.
_IMPLIED_RELATION = {"same": "same", "contains": "contains"}
_DIRECTIONS = ("a>b", "b>a", "both")
_PAIR_FIELDS = frozenset({"a", "b", "label"})
_GROUP_FIELDS = frozenset({"id", "cluster"})


@dataclass(frozen=True, kw_only=True)
class GoldStandard:
    """The fields common to pairs and groups: file, relation, protocol, and counts of what was left out."""

    path: str
    meaning: Meaning
    protocol: str
    lines: Sequence[int]
    """The line number of every pair or article."""
    columns: dict[str, list[Any]]
    """Other fields of the lines, by name."""
    left_out: dict[str, int]

    @property
    def bias(self) -> str:
        """What the protocol cannot measure."""
        return bias(self.protocol)

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.path}:{self.lines[row]}"

    def _common_fields(self, rows: Sequence[int]) -> dict[str, Any]:
        """The common fields of these rows."""
        columns = {name: [values[row] for row in rows] for name, values in self.columns.items()}
        return {"lines": [self.lines[row] for row in rows], "columns": columns}


@dataclass(frozen=True, kw_only=True)
class GoldPairs(GoldStandard):
    """Judged pairs; with `ordered`, left is the contained article and right its container."""

    left: Sequence[str]
    right: Sequence[str]
    labels: NDArray[np.bool_]
    ordered: bool
    aside: frozenset[tuple[str, str]] = frozenset()
    """Judged pairs that are not evaluated here; they do not count as unjudged."""

    def __len__(self) -> int:
        return len(self.left)

    def take(self, rows: Sequence[int]) -> GoldPairs:
        """Return the judgements of these rows; the others move to `aside`."""
        left, right = [self.left[row] for row in rows], [self.right[row] for row in rows]
        aside = self.aside | set(zip(self.left, self.right, strict=True)) - set(zip(left, right, strict=True))
        return replace(
            self, left=left, right=right, labels=self.labels[list(rows)], aside=aside, **self._common_fields(rows)
        )

    def ids(self) -> Iterator[tuple[str, int]]:
        """Yield every article id with its row."""
        for row, pair in enumerate(zip(self.left, self.right, strict=True)):
            for one in pair:
                yield one, row


@dataclass(frozen=True, kw_only=True)
class GoldGroups(GoldStandard):
    """Articles with the group of each: a partition."""

    articles: Sequence[str]
    groups: Sequence[str]

    def __len__(self) -> int:
        return len(self.articles)

    def take(self, rows: Sequence[int]) -> GoldGroups:
        """Return the articles of these rows."""
        articles, groups = [self.articles[row] for row in rows], [self.groups[row] for row in rows]
        return replace(self, articles=articles, groups=groups, **self._common_fields(rows))

    def ids(self) -> Iterator[tuple[str, int]]:
        """Yield every article id with its row."""
        return zip(self.articles, range(len(self)), strict=True)


def read_gold(
    path: str,
    relation: str | None = None,
    protocol: str | None = None,
    positive: str | None = None,
    leave_out: Iterable[str] = (),
) -> GoldPairs | GoldGroups:
    """Read and validate a gold file.

    `relation` selects one where a file has several, or sets it where the file has none. `positive` is a condition that
    replaces the label ("orig>=0"); lines that satisfy a condition of `leave_out` are left out.
    """
    with _garbage_collection_paused():
        return _read(path, relation, protocol, positive, leave_out)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection: a million lines are a million live objects, which it would scan again and again."""
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
    exclusions = [Condition.parse(text) for text in leave_out]
    lines: list[NumberedLine] = []
    aside: set[tuple[str, str]] = set()
    left_out: Counter[str] = Counter()
    shape: frozenset[str] | None = None
    for number, line in gold_lines(path):
        shape = shape or _shape(path, number, line)
        if not shape <= line.keys():
            absent = min(shape - line.keys())
            raise InputError(f"{path}:{number}: no {absent!r} in a line of {_name(shape)}")
        if exclusions and (out := next((str(each) for each in exclusions if each.holds(line)), None)):
            left_out[out] += 1
            if shape == _PAIR_FIELDS:
                aside.add((str(line["a"]), str(line["b"])))
            continue
        lines.append((number, line))
    if shape is None or not lines:
        hint = "every line was left out" if left_out else ""
        raise InputError("contains no judgements", hint, place=path)
    if shape == _GROUP_FIELDS:
        return _groups(path, lines, wanted, protocol, left_out)
    return _pairs(path, lines, wanted, protocol, yes, left_out, aside)


def _shape(path: str, number: int, line: dict[str, Any]) -> frozenset[str]:
    for shape in (_PAIR_FIELDS, _GROUP_FIELDS):
        if shape <= line.keys():
            return shape
    keys = ", ".join(sorted(line)) or "nothing"
    raise InputError(
        f"{path}:{number}: neither a pair (a, b, label) nor an article with its group (id, cluster): {keys}"
    )


def _name(shape: frozenset[str]) -> str:
    return "groups (id, cluster)" if shape == _GROUP_FIELDS else "pairs (a, b, label)"


def _one_meaning(path: str, named: Iterable[tuple[int, str]], wanted: Meaning | None) -> Meaning:
    """Return the relation of all lines, or the wanted one; raise if there are several and none is wanted."""
    first: dict[str, int] = {}
    for number, name in named:
        if name not in MEANINGS:
            raise InputError(f"{path}:{number}: unknown relation {name!r}; available: {', '.join(MEANINGS)}")
        first.setdefault(name, number)
    if wanted:
        return wanted
    if len(first) > 1:
        mixed = " and ".join(f"{name} (line {number})" for name, number in first.items())
        raise InputError(
            f"relations are mixed: {mixed}; one figure cannot cover both", "choose one with --relation", place=path
        )
    return meaning(next(iter(first), "same"))


def _pairs(
    path: str,
    lines: list[NumberedLine],
    wanted: Meaning | None,
    protocol: str | None,
    yes: Condition | None,
    left_out: Counter[str],
    aside: set[tuple[str, str]],
) -> GoldPairs:
    import numpy as np

    judged = [(number, line, *_label(path, number, line, yes)) for number, line in lines]
    named = [(number, relation) for number, _, _, relation in judged if relation]
    sense = _one_meaning(path, named, wanted)
    out: list[tuple[str, str, bool, int, dict[str, Any]]] = []
    answers: dict[tuple[str, str], tuple[bool, int]] = {}
    labels: dict[tuple[str, str], tuple[bool | None, int]] = {}
    ordered = not sense.symmetric and any("direction" in line for _, line in lines)
    for number, line, label, relation in judged:
        a, b = str(line["a"]), str(line["b"])
        if a == b:
            left_out["one article with itself"] += 1
            continue
        # a relation that only the label implies does not override --relation
        explicit = relation if line.get("relation") or relation == "contains" or not sense.symmetric else None
        if wanted and explicit and explicit != sense.name:
            left_out[f"relation {relation}"] += 1
            aside.add((a, b))
            continue
        prior_label, there = labels.setdefault((min(a, b), max(a, b)), (label, number))
        if prior_label != label:
            raise InputError(
                f"{path}:{number}: {a!r} and {b!r} are judged {_word(label)} here, {_word(prior_label)} in line {there}"
            )
        if label is None:
            left_out[str(line["label"])] += 1
            aside.add((a, b))
            continue
        for left, right, answer in _answers(path, number, line, a, b, label, ordered):
            pair = (left, right) if ordered else (min(left, right), max(left, right))
            prior, there = answers.setdefault(pair, (answer, number))
            if prior != answer:
                raise InputError(
                    f"{path}:{number}: {left!r} and {right!r} are judged {_word(answer)} here, {_word(prior)} in line "
                    f"{there}"
                )
            if there == number:
                out.append((left, right, answer, number, line))
            else:
                left_out["judged twice alike"] += 1
    if not out:
        raise InputError("no judgement is a yes or a no", f"left out: {_count(left_out)}", place=path)
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


def _protocol(lines: Sequence[NumberedLine]) -> str | None:
    """Return the protocol of the lines, if they name exactly one."""
    named = {str(line["protocol"]) for _, line in lines if line.get("protocol")}
    return named.pop() if len(named) == 1 else None


def _label(path: str, number: int, line: dict[str, Any], yes: Condition | None) -> tuple[bool | None, str | None]:
    """Return yes, no or neither (None), and the relation of the line, if it has one."""
    word = str(line["label"]).lower()
    if word not in LABELS and yes is None:
        raise InputError(f"{path}:{number}: the label {line['label']!r} is not one of {', '.join(LABELS)}")
    relation = line.get("relation") or (_IMPLIED_RELATION.get(word) if yes is None else None)
    if yes is None:
        return LABELS[word], relation and str(relation)
    if line.get(yes.field) is None:
        raise InputError(f"{path}:{number}: no {yes.field!r}, which --positive needs")
    return yes.holds(line), relation and str(relation)


def _answers(
    path: str, number: int, line: dict[str, Any], a: str, b: str, label: bool, ordered: bool
) -> list[tuple[str, str, bool]]:
    """Return the answers for (contained, container) in both directions; for an unordered pair, one answer."""
    if not ordered:
        return [(a, b, label)]
    direction = line.get("direction")
    if label and direction not in _DIRECTIONS:
        raise InputError(
            f"{path}:{number}: a containment needs a direction ({', '.join(_DIRECTIONS)}), got {direction!r}"
        )
    return [(a, b, label and direction in ("b>a", "both")), (b, a, label and direction in ("a>b", "both"))]


def _groups(
    path: str, lines: list[NumberedLine], wanted: Meaning | None, protocol: str | None, left_out: Counter[str]
) -> GoldGroups:
    named = [(number, str(line["relation"])) for number, line in lines if line.get("relation")]
    sense = _one_meaning(path, named, wanted)
    if not sense.symmetric:
        raise InputError(f"{sense.name} has a direction, which groups cannot express; use judged pairs", place=path)
    first: dict[str, tuple[str, int]] = {}
    kept: list[NumberedLine] = []
    for number, line in lines:
        if line.get("relation") and str(line["relation"]) != sense.name:
            left_out[f"relation {line['relation']}"] += 1
            continue
        article, cluster = str(line["id"]), str(line["cluster"])
        prior, there = first.setdefault(article, (cluster, number))
        if prior != cluster:
            raise InputError(
                f"{path}:{number}: not a partition: {article!r} is in group {cluster!r} here, in {prior!r} in line "
                f"{there}"
            )
        if there != number:
            left_out["named twice alike"] += 1
            continue
        kept.append((number, line))
    if not kept:
        raise InputError("no groups of this relation", f"left out: {_count(left_out)}", place=path)
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
