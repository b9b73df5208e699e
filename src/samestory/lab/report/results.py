"""What was measured, what came out, and which threshold to choose."""

from __future__ import annotations

from collections import Counter
from typing import Any

from samestory.hypertext import Content, Html, join, tag
from samestory.lab.evaluate import Evaluation, Result, Subject, fitting
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.lab.report.charts import count, interval, letter, share
from samestory.lab.report.tables import Notes, cell, code, detector, spec, table, valued
from samestory.measures import Difference, Measure
from samestory.readers import Source


def lead(evaluation: Evaluation) -> Html:
    """The whole report in a sentence or two."""
    gold, subjects = evaluation.gold, evaluation.subjects
    what = "judged pairs" if isinstance(gold, GoldPairs) else "articles in groups"
    main = evaluation.measures[0]
    own = [r for r in evaluation.results if r.chosen == "own" and r.figures[0].value is not None]
    said: list[Content] = [f"{count(len(subjects), 'detector')} against {len(gold):,} {what}."]
    if own:
        top = max(own, key=lambda r: -abs((r.figures[0].value or 0.0) - main.best))
        rest = " at its own threshold" if top.threshold is not None else ""
        rest += " has the best " if len(subjects) > 1 else " reaches "
        said += [" ", code(top.detector), rest, code(str(main)), f": {interval(top.figures[0])}."]
    return tag("p", *said, class_="lead")


def measured(evaluation: Evaluation, sources: list[Source]) -> Html:
    """Gold, relation, numbers, and what cannot be seen."""
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
            f"{found.confidence:.0%}, from drawing {found.units:,} units {found.rounds:,} times ({found.drawn}): what "
            "hangs together is drawn together"
            if found
            else "none: no rounds of drawing were asked for",
        ),
    ]
    told = tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="facts")
    unseen = tag(
        "aside",
        tag("h3", "What this gold cannot see", id="unseen"),
        tag("p", _sentence(gold.bias)),
        class_="callout",
        aria_labelledby="unseen",
    )
    return join(told, unseen, _detectors(evaluation))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _judged(gold: GoldPairs | GoldGroups) -> str:
    if isinstance(gold, GoldPairs):
        yes = int(gold.labels.sum())
        direction = ", each asked in both directions" if gold.ordered else ""
        return f"{count(len(gold), 'pair')}{direction}: {yes:,} yes ({yes / len(gold):.1%}), {len(gold) - yes:,} no"
    sizes = Counter(gold.groups)
    alone = sum(size == 1 for size in sizes.values())
    many = f"{len(sizes):,} stories, {alone:,} of them with one article only"
    return f"{count(len(gold), 'article')} in {many}; the largest has {max(sizes.values()):,}"


def _articles(evaluation: Evaluation, sources: list[Source]) -> Html:
    known = len(evaluation.subjects[0].scored.ids) if evaluation.subjects else 0
    files = join(*(code(source.path) for source in sources), by=", ")
    return join(f"{known:,} in ", files)


def _detectors(evaluation: Evaluation) -> Html:
    items = []
    for number, subject in enumerate(evaluation.subjects):
        run = subject.scored
        sees = run.detector.sees if run.detector else "made elsewhere"
        threshold = "it has no threshold" if run.threshold is None else f"own threshold {run.threshold:g}"
        items.append(tag("li", detector(number, run.name), f": {sees}; {threshold}"))
    return join(tag("h3", "Detectors"), tag("ul", *items, class_="detectors"))


def results(evaluation: Evaluation) -> Html:
    """The table of results with its notes, and what the measures are."""
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
    said = [
        tag(
            "p",
            "Each figure stands over its interval. ",
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
        said.append(
            tag(
                "p",
                "Unjudged pairs are reported and nobody judged them; a measure with ",
                tag("code", "unjudged='out'"),
                " leaves them out, one without counts them as wrong.",
            )
        )
    if any(r.chosen != "own" for r in evaluation.results):
        said.append(
            tag(
                "p",
                "Best and cheapest thresholds were chosen on these very judgements, which flatters them; ",
                tag("code", "samestory tune"),
                " chooses on one half and reports on the other.",
            )
        )
    return join(
        table("results", header, groups, numbers=len(header) - 1), notes.listed(), *said, _explained(evaluation)
    )


def _threshold(result: Result) -> Html:
    if result.threshold is None:
        return cell("all it reports", head=True)
    return cell(f"{result.threshold:g} ", tag("span", result.chosen, class_="chosen"), head=True)


def _explained(evaluation: Evaluation) -> Html:
    """What the measures are."""
    items = []
    for measure in dict.fromkeys([*evaluation.measures, evaluation.cost]):
        lines = (type(measure).__doc__ or "").strip().splitlines()
        about = lines[0].partition(": ")[2] if lines else ""
        best = "most" if measure.best > 0 else "least"
        items.append(
            tag(
                "div",
                tag("dt", code(str(measure))),
                tag("dd", f"{_sentence(about)} Unit: {measure.unit}; {best} is best. ", tag("code", measure.formula)),
            )
        )
    return tag("details", tag("summary", "What the measures mean"), tag("dl", *items, class_="facts measures"))


def differences(evaluation: Evaluation) -> Html | None:
    """Every detector against the first one, at their own thresholds."""
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
        who = join(detector(number), " − ", detector(names.index(first)))
        rows.append(
            [
                cell(who, head=True),
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
        return "cannot be told"
    if found.low is None or found.high is None:
        return "no honest interval"
    if found.low <= 0 <= found.high:
        return "could be chance"
    word = "better" if (found.value > 0) == (measure.best > 0) else "worse"
    return f"{one} is {word}"


def thresholds(evaluation: Evaluation) -> Html | None:
    """The cheapest threshold, for the stated cost."""
    cut = [(n, s) for n, s in enumerate(evaluation.subjects) if s.scored.threshold is not None]
    if not evaluation.curves or not cut:
        return tag("p", "No detector was tried at several thresholds, so there is none to choose.")
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
            "The cost is undefined at every threshold: the gold has no duplicates, or nothing but duplicates, so that "
            "misses or false alarms cannot be counted.",
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
            ": 0 is perfect, 1 is what reporting nothing costs." if cost.normalised else ": 0 is perfect.",
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
    who = detector(number, subject.name)
    if cost.normalised and price is not None and price >= 1:
        return tag("p", "At this cost, reporting nothing is cheaper than ", who, " at any threshold.", class_="advice")
    return tag("p", "At this cost, choose ", tag("b", f"{cheapest.threshold:g}"), " for ", who, ".", class_="advice")


def _priced(subject: Subject, evaluation: Evaluation) -> list[list[Html]]:
    cost = evaluation.cost
    rows = []
    for result in (r for r in evaluation.results if r.detector == subject.name):
        value = cost.point(fitting(cost, subject.at(result.threshold)))
        rows.append([_threshold(result), cell(tag("b", share(value)), number=True)])
    return rows
