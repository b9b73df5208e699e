"""Inter-assessor agreement: chance-corrected kappas by pair of assessors and by part of the work."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from samestory.lab.collection.answers import DecisionKey, decisions
from samestory.lab.collection.collection import Collection, JudgingItem
from samestory.lab.collection.controls import is_correct
from samestory.lab.collection.discussion import DiscussionNote, discussion_notes, items_to_discuss
from samestory.lab.collection.votes import Judgement, has_disagreement, items_with_judgements
from samestory.lab.measures import Ratings
from samestory.lab.measures.cohen_kappa import CohenKappa
from samestory.lab.measures.siegel_kappa import SiegelKappa

#: A lower kappa, or a larger share of missed controls, points to an unclear definition or a careless assessor.
MIN_KAPPA, MAX_MISSED_CONTROLS = 0.6, 0.1
#: With fewer decisions a kappa is not meaningful.
MIN_DECISIONS = 20
#: A lower median time per answer is too short to read the articles.
MIN_MEDIAN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Pairwise agreement in a part of the work; a kappa is None if undefined: all answers are the same."""

    by: str
    """Kind of part: pair, group, week, team, query, all."""
    name: str
    assessors: tuple[str, ...]
    decisions: int
    """Number of yes-or-no decisions made by both."""
    agreed: int
    cohen: float | None
    siegel: float | None
    z: float | None
    band: str | None

    @property
    def raw(self) -> float:
        """The share of decisions that agree."""
        return self.agreed / self.decisions

    @property
    def verdict(self) -> str:
        """The interpretation of the kappa."""
        if self.decisions < MIN_DECISIONS:
            return "too few decisions"
        return self.band or "one answer only"


@dataclass(frozen=True, slots=True)
class AssessorAttention:
    """Attention measures of an assessor."""

    assessor: str
    judged: int
    controls: int
    missed: int
    seconds: float | None
    """Median time per answer."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item with conflicting judgements, or one marked as questionable."""

    item: int
    articles: tuple[str, ...]
    part: int | None
    query: str | None
    answers: tuple[tuple[str, str], ...]
    arbiter: tuple[str, str] | None
    questionable: bool
    comments: tuple[str, ...]
    is_open: bool
    """Whether it is to be discussed."""
    talked: bool
    """Whether it has discussion notes."""
    talks: tuple[str, ...]
    """The discussion notes, oldest first."""


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement, attention and disagreements of the assessors of a collection."""

    rows: tuple[AgreementRow, ...]
    pooled: AgreementRow | None
    mean: float | None
    """Mean of Cohen's kappa by group, for lists of Siegel's by query; a part with an undefined kappa counts 1."""
    watched: tuple[AssessorAttention, ...]
    disagreements: tuple[Disagreement, ...]
    doubted: tuple[Disagreement, ...]
    """Items marked as questionable or with discussion notes, with or without disagreement."""
    warnings: tuple[str, ...]


#: A decision made by two assessors: item, their names, what is decided, their answers.
_Both = tuple[JudgingItem, tuple[str, str], DecisionKey, tuple[bool, bool]]


def agreement(collection: Collection) -> AgreementReport:
    """Measure agreement. Only answers of judges count, not those of arbiters or of a second pass."""
    with collection.database.read() as session:
        judged = items_with_judgements(session)
        controls = items_with_judgements(session, "control")
        teams: dict[str, str | None] = dict(session.rows("SELECT name, team FROM assessors"))
        notes, open_items = discussion_notes(session), set(items_to_discuss(session))
    both = [one for item, answers in judged for one in _both(collection.relation, item, answers)]
    parts: list[tuple[str, Callable[[_Both], object]]] = [
        ("pair", lambda one: ", ".join(one[1])),
        ("group", lambda one: one[0].part if one[0].query is None else None),
        ("week", lambda one: one[0].week),
        ("team", lambda one: teams.get(one[1][0]) if teams.get(one[1][0]) == teams.get(one[1][1]) else None),
        ("query", lambda one: one[0].query),
    ]
    rows = [row for by, key in parts for row in _rows(by, key, both)]
    pooled = _row("all", "all", both) if both else None
    by_part = [row for row in rows if row.by == ("query" if any(one[0].query for one in both) else "group")]
    kappas = [1.0 if kappa is None else kappa for row in by_part for kappa in (_kappa(row),)]
    attention = _attention(judged, controls)
    described = {
        item.number: _describe(item, answers, item.number in open_items, notes.get(item.number, ()))
        for item, answers in judged
    }
    conflicting = tuple(
        described[item.number] for item, answers in judged if has_disagreement(collection.relation, item, answers)
    )
    doubted = tuple(each for each in described.values() if each.questionable or each.item in notes)
    mean = sum(kappas) / len(kappas) if kappas else None
    warnings = tuple(_warnings(rows, pooled, attention))
    return AgreementReport(tuple(rows), pooled, mean, attention, conflicting, doubted, warnings)


def _kappa(row: AgreementRow) -> float | None:
    return row.siegel if row.by == "query" else row.cohen


def _both(relation: str, item: JudgingItem, answers: Sequence[Judgement]) -> Iterator[_Both]:
    judges = [each for each in answers if each.duty == "judge"]
    for one, other in combinations(judges, 2):
        first, second = (decisions(item.shape, relation, item.articles, each.answer) for each in (one, other))
        for about, yes in first.items():
            yield item, (one.assessor, other.assessor), about, (yes, second[about])


def _rows(by: str, key: Callable[[_Both], object], both: Iterable[_Both]) -> list[AgreementRow]:
    parts: dict[object, list[_Both]] = defaultdict(list)
    for one in both:
        if (part := key(one)) is not None:
            parts[part].append(one)
    return [_row(by, str(part), parts[part]) for part in sorted(parts, key=lambda p: (str(type(p)), p))]


def _row(by: str, name: str, both: Sequence[_Both]) -> AgreementRow:
    # one column per assessor, since Cohen's kappa uses the answer frequencies of each
    ratings = Ratings([["yes" if yes else "no" for yes in answers] for *_, answers in both])
    test = SiegelKappa().test(ratings)
    people = tuple(sorted({name for _, pair, *_ in both for name in pair}))
    return AgreementRow(
        by,
        name,
        people,
        len(both),
        sum(one == other for *_, (one, other) in both),
        CohenKappa().point(ratings),
        None if test is None else test.kappa,
        None if test is None else test.z,
        None if test is None else test.band,
    )


def _attention(
    judged_items: Sequence[tuple[JudgingItem, list[Judgement]]], controls: Sequence[tuple[JudgingItem, list[Judgement]]]
) -> tuple[AssessorAttention, ...]:
    judged: dict[str, int] = defaultdict(int)
    seconds: dict[str, list[float]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for _, answers in judged_items:
        for each in answers:
            judged[each.assessor] += 1
            if each.seconds is not None:
                seconds[each.assessor].append(each.seconds)
    for item, answers in controls:
        for each in answers:
            right[each.assessor].append(is_correct(item.known, each.answer))
    return tuple(
        AssessorAttention(
            name,
            judged[name],
            len(right[name]),
            right[name].count(False),
            median(seconds[name]) if seconds[name] else None,
        )
        for name in sorted({*judged, *right})
    )


def _describe(
    item: JudgingItem, answers: Sequence[Judgement], is_open: bool, notes: Sequence[DiscussionNote]
) -> Disagreement:
    last = next(((each.assessor, each.answer) for each in answers if each.duty == "arbitrate"), None)
    return Disagreement(
        item.number,
        item.articles,
        item.part,
        item.query,
        tuple((each.assessor, each.answer) for each in answers if each.duty != "arbitrate"),
        last,
        any(each.questionable for each in answers),
        tuple(each.comment for each in answers if each.comment),
        is_open,
        bool(notes),
        tuple(each.note for each in notes if each.note),
    )


def _warnings(
    rows: Sequence[AgreementRow], pooled: AgreementRow | None, attention: Sequence[AssessorAttention]
) -> Iterator[str]:
    for row in rows if pooled is None else [pooled, *rows]:
        name = row.name if row.by in ("all", "pair") else f"{row.by} {row.name}"
        if row.decisions < MIN_DECISIONS:
            # for groups and queries the verdict in the table is enough
            if row.by in ("all", "pair"):
                yield f"{name}: {row.decisions} decisions by two assessors, too few to measure agreement"
        elif row.siegel is not None and row.siegel < MIN_KAPPA:
            yield f"{name}: κ {row.siegel:.2f} is below {MIN_KAPPA}: do assessors understand the definition alike?"
    for each in attention:
        if each.missed > MAX_MISSED_CONTROLS * each.controls:
            yield f"{each.assessor}: {each.missed} of {each.controls} controls answered wrongly"
        if each.seconds is not None and each.seconds < MIN_MEDIAN_SECONDS and each.judged >= 10:
            yield f"{each.assessor}: median time per answer is only {each.seconds:.1f} seconds"


def json_lines(report: AgreementReport) -> list[str]:
    """Return the report as JSON lines."""
    rows = report.rows if report.pooled is None else (*report.rows, report.pooled)
    return [
        json.dumps(line, ensure_ascii=False)
        for line in (
            *({"agreement": row.by, **_plain(row), "raw": row.raw, "verdict": row.verdict} for row in rows),
            *({"agreement": "mean", "kappa": report.mean} for _ in range(report.mean is not None)),
            *({"assessor": each.assessor, **_plain(each)} for each in report.watched),
            *({"disagreement": each.item, **_plain(each)} for each in report.disagreements),
            *({"questionable": each.item, **_plain(each)} for each in report.doubted),
            *({"warning": warning} for warning in report.warnings),
        )
    ]


def _plain(row: AgreementRow | AssessorAttention | Disagreement) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}
