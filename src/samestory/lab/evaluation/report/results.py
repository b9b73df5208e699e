"""Report sections: what was measured, the results, and which threshold to choose."""

from __future__ import annotations

from collections import Counter
from typing import Any

from samestory.hypertext import Content, Html, join, tag
from samestory.lab.evaluation.evaluate import Evaluation, Result, Subject, fitting
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.report.charts import count, interval, letter, share
from samestory.lab.evaluation.report.tables import Notes, cell, code, detector, spec, table, valued
from samestory.lab.measures import Difference, Measure
from samestory.readers import Source


def lead(evaluation: Evaluation) -> Html:
    """Summarise the report in a sentence or two."""
    gold, subjects = evaluation.gold, evaluation.subjects
    what = "judged pairs" if isinstance(gold, GoldPairs) else "articles in groups"
    main = evaluation.measures[0]
    own = [r for r in evaluation.results if r.chosen == "own" and r.figures[0].value is not None]
    sentence: list[Content] = [f"{count(len(subjects), 'detector')} against {len(gold):,} {what}."]
    if own:
        top = max(own, key=lambda r: -abs((r.figures[0].value or 0.0) - main.best))
        rest = " at its own threshold" if top.threshold is not None else ""
        rest += " has the best " if len(subjects) > 1 else " reaches "
        sentence += [" ", code(top.detector), rest, code(str(main)), f": {interval(top.figures[0])}."]
    return tag("p", *sentence, class_="lead")


def measured(evaluation: Evaluation, sources: list[Source]) -> Html:
    """Render gold, relation, counts, and what cannot be measured."""
    gold = evaluation.gold
    found = next((f for r in evaluation.results for f in r.figures if f.rounds), None)
    rows: list[tuple[str, Content]] = [
        ("Gold", code(gold.path)),
        ("Relation", join(tag("b", gold.meaning.name), f": {gold.meaning.definition}")),
        ("Judged", _judged(gold)),
        ("Left out", "; ".join(f"{n:,} × {what}" for what, n in gold.left_out.items()) or "nothing"),
        ("Articles", _articles(evaluation, sources)),
        ("Protocol", gold.protocol),
        (
            "Intervals",
            f"{found.confidence:.0%}, from a bootstrap of {found.units:,} units in {found.rounds:,} rounds "
            f"({found.drawn}); dependent data is drawn together"
            if found
            else "none: no bootstrap rounds were requested",
        ),
    ]
    facts = tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="facts")
    unseen = tag(
        "aside",
        tag("h3", "What this gold cannot measure", id="unseen"),
        tag("p", _sentence(gold.bias)),
        class_="callout",
        aria_labelledby="unseen",
    )
    return join(facts, unseen, _detectors(evaluation))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _judged(gold: GoldPairs | GoldGroups) -> str:
    if isinstance(gold, GoldPairs):
        yes = int(gold.labels.sum())
        direction = ", each in both directions" if gold.ordered else ""
        return f"{count(len(gold), 'pair')}{direction}: {yes:,} yes ({yes / len(gold):.1%}), {len(gold) - yes:,} no"
    sizes = Counter(gold.groups)
    alone = sum(size == 1 for size in sizes.values())
    many = f"{len(sizes):,} stories, {alone:,} of them with a single article"
    return f"{count(len(gold), 'article')} in {many}; the largest has {max(sizes.values()):,}"


def _articles(evaluation: Evaluation, sources: list[Source]) -> Html:
    total = len(evaluation.subjects[0].scored.ids) if evaluation.subjects else 0
    files = join(*(code(source.path) for source in sources), by=", ")
    return join(f"{total:,} in ", files)


def _detectors(evaluation: Evaluation) -> Html:
    items = []
    for number, subject in enumerate(evaluation.subjects):
        run = subject.scored
        summary = run.detector.summary if run.detector else "external run"
        threshold = "no threshold" if run.threshold is None else f"own threshold {run.threshold:g}"
        items.append(tag("li", detector(number, run.name), f": {summary}; {threshold}"))
    return join(tag("h3", "Detectors"), tag("ul", *items, class_="detectors"))


def results(evaluation: Evaluation) -> Html:
    """Render the table of results with its notes, and the definitions of the measures."""
    notes = Notes("result-note")
    pairs = isinstance(evaluation.gold, GoldPairs)
    header: list[Content] = ["threshold", *(spec(str(m)) for m in evaluation.measures)]
    header += ["unjudged pairs", "seconds"] if pairs else ["seconds"]
    groups = []
    for number, subject in enumerate(evaluation.subjects):
        rows = []
        for result in (r for r in evaluation.results if r.detector == subject.name):
            row = [_threshold(result), *(valued(found, notes) for found in result.figures)]
            row += [cell(f"{result.unjudged:,}", number=True)] * pairs
            row += [cell("–" if result.seconds is None else f"{result.seconds:.2f}", number=True)]
            rows.append(row)
        groups.append((detector(number, subject.name), rows))
    paragraphs = [
        tag(
            "p",
            "Intervals are shown below the figures. ",
            tag("b", "Own"),
            " is the detector's own threshold, ",
            tag("b", "best"),
            " the one with the best ",
            code(str(evaluation.measures[0])),
            ", ",
            tag("b", "cheapest"),
            " the one with the lowest cost (see below). Seconds are for reading and comparing all articles once, at "
            "the lowest threshold tried.",
        )
    ]
    if pairs:
        paragraphs.append(
            tag(
                "p",
                "Unjudged pairs are reported pairs without a judgement; a measure with ",
                tag("code", "unjudged='out'"),
                " ignores them, other measures count them as wrong.",
            )
        )
    if any(r.chosen != "own" for r in evaluation.results):
        paragraphs.append(
            tag(
                "p",
                "Best and cheapest thresholds were chosen on the same judgements, so their figures are optimistic; ",
                tag("code", "samestory tune"),
                " chooses on one half and reports on the other.",
            )
        )
    return join(
        table("results", header, groups, numbers=len(header) - 1), notes.listed(), *paragraphs, _explained(evaluation)
    )


def _threshold(result: Result) -> Html:
    if result.threshold is None:
        return cell("everything reported", head=True)
    return cell(f"{result.threshold:g} ", tag("span", result.chosen, class_="chosen"), head=True)


def _explained(evaluation: Evaluation) -> Html:
    """Render the definitions of the measures."""
    items = []
    for measure in dict.fromkeys([*evaluation.measures, evaluation.cost]):
        lines = (type(measure).__doc__ or "").strip().splitlines()
        about = lines[0].partition(": ")[2] if lines else ""
        better = "higher" if measure.best > 0 else "lower"
        items.append(
            tag(
                "div",
                tag("dt", code(str(measure))),
                tag(
                    "dd", f"{_sentence(about)} Unit: {measure.unit}; {better} is better. ", tag("code", measure.formula)
                ),
            )
        )
    return tag("details", tag("summary", "What the measures mean"), tag("dl", *items, class_="facts measures"))


def differences(evaluation: Evaluation) -> Html | None:
    """Render every detector against the first one, at their own thresholds."""
    if not evaluation.differences:
        return None
    names = [subject.name for subject in evaluation.subjects]
    notes = Notes("difference-note")
    rows = []
    for number, (_, first, found) in enumerate(evaluation.differences, 1):
        if found.value is None:
            figures = [cell("–", notes.sign(found.note), number=True), *[cell("–", number=True)] * 2]
        else:
            span = "–" if found.low is None or found.high is None else f"{_signed(found.low)} to {_signed(found.high)}"
            p = "–" if found.p is None else "under 0.001" if found.p < 0.001 else f"{found.p:.3f}"
            figures = [
                cell(tag("b", _signed(found.value)), notes.sign(found.note), number=True),
                cell(span, number=True),
                cell(p, number=True),
            ]
        contrast = join(detector(number), " − ", detector(names.index(first)))
        rows.append(
            [
                cell(contrast, head=True),
                cell(_verdict(found, evaluation.measures[0], letter(number))),
                *figures,
            ]
        )
    main = str(evaluation.measures[0])
    return join(
        tag("h3", "Differences"),
        tag(
            "p",
            "In ",
            code(main),
            ", each at its own threshold, on the same gold: every round draws the same units for both. p is two-sided.",
        ),
        table("differences", ["detectors", "in words", "difference", "interval", "p"], [(None, rows)], numbers=3),
        notes.listed(),
    )


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _verdict(found: Difference, measure: Measure[Any], one: str) -> str:
    if found.value is None:
        return "undefined"
    if found.low is None or found.high is None:
        return "no reliable interval"
    if found.low <= 0 <= found.high:
        return "not significant"
    word = "better" if (found.value > 0) == (measure.best > 0) else "worse"
    return f"{one} is {word}"


def thresholds(evaluation: Evaluation) -> Html | None:
    """Render the cheapest threshold at the stated cost."""
    cut = [(n, s) for n, s in enumerate(evaluation.subjects) if s.scored.threshold is not None]
    if not evaluation.curves or not cut:
        return tag("p", "No detector was evaluated at several thresholds, so there is none to choose.")
    cost: Any = evaluation.cost
    unit = "pairs" if isinstance(evaluation.gold, GoldPairs) else "articles"
    times = cost.cost_false / cost.cost_miss
    dear = "as much as a miss" if times == 1 else f"{times:g} × a miss"
    among = f"as many {unit} are duplicates as in the gold"
    if cost.p != "gold":
        among = f"{cost.p:.3g} of all {unit} are duplicates"
    groups = [(detector(number, subject.name), _priced(subject, evaluation)) for number, subject in cut]
    if not any(r.chosen == "cheapest" for r in evaluation.results):
        return tag(
            "p",
            "The cost is undefined at every threshold: the gold has no duplicates or only duplicates, so misses or "
            "false alarms cannot be counted.",
        )
    return join(
        tag(
            "p",
            f"A false alarm costs {dear} (",
            tag("code", "--cost", class_="option"),
            f"), and {among} (",
            tag("code", "--share", class_="option"),
            "). The cost is ",
            code(str(evaluation.cost)),
            ": 0 is perfect, 1 is the cost of reporting nothing." if cost.normalised else ": 0 is perfect.",
        ),
        *(_advice(evaluation, number, subject) for number, subject in cut),
        table("cost of the chosen thresholds", ["threshold", "cost"], groups, numbers=1),
    )


def _advice(evaluation: Evaluation, number: int, subject: Subject) -> Html | None:
    cheapest = next((r for r in evaluation.results if (r.detector, r.chosen) == (subject.name, "cheapest")), None)
    if cheapest is None:
        return None
    cost: Any = evaluation.cost
    price = cost.point(fitting(cost, subject.at(cheapest.threshold)))
    name = detector(number, subject.name)
    if cost.normalised and price is not None and price >= 1:
        return tag("p", "At this cost, reporting nothing is cheaper than ", name, " at any threshold.", class_="advice")
    return tag("p", "At this cost, choose ", tag("b", f"{cheapest.threshold:g}"), " for ", name, ".", class_="advice")


def _priced(subject: Subject, evaluation: Evaluation) -> list[list[Html]]:
    cost = evaluation.cost
    rows = []
    for result in (r for r in evaluation.results if r.detector == subject.name):
        value = cost.point(fitting(cost, subject.at(result.threshold)))
        rows.append([_threshold(result), cell(tag("b", share(value)), number=True)])
    return rows
