"""The page: its sections one after the other, with a list of them in front."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files

from samestory import _core
from samestory.hypertext import Html, document, join, tag, text
from samestory.lab.articles import Known
from samestory.lab.disagreements import Disagreements
from samestory.lab.evaluate import Evaluation
from samestory.lab.gold import GoldPairs
from samestory.lab.report import pictures, results
from samestory.lab.report.cases import disagreeing
from samestory.lab.report.charts import Chart, charts, count, forest
from samestory.lab.report.pictures import Picture
from samestory.lab.report.tables import Notes, cell, detector, plain, spec, table, valued
from samestory.lab.slices import Reported, Slices
from samestory.readers import Source


def page(
    evaluation: Evaluation,
    sources: Sequence[Source],
    parts: Sequence[Slices],
    kinds: Sequence[Reported],
    found: Disagreements,
    known: Known,
    rounds: int,
) -> str:
    """The whole page."""
    sections = [
        ("measured", "What was measured", results.measured(evaluation, list(sources))),
        ("results", "Results", join(results.results(evaluation), results.differences(evaluation))),
        ("threshold", "Which threshold", results.thresholds(evaluation)),
        ("curves", "Curves", _curves(evaluation, rounds)),
        ("slices", "Slices", _slices(evaluation, parts, kinds)),
        ("disagreements", "Disagreements", disagreeing(evaluation, found, known)),
    ]
    links = [tag("li", tag("a", name, href=f"#{mark}")) for mark, name, _ in sections]
    title = f"Evaluation on {evaluation.gold.path.replace(chr(92), '/').rpartition('/')[2]}"
    style = files("samestory.lab.report").joinpath("page.css").read_text(encoding="utf-8")
    body = tag(
        "body",
        tag("a", "To the results", href="#results", class_="skip"),
        tag("header", tag("h1", title), results.lead(evaluation), tag("nav", tag("ul", *links), aria_label="Contents")),
        tag(
            "main",
            *(
                tag("section", tag("h2", name, id=f"{mark}-title"), content, id=mark, aria_labelledby=f"{mark}-title")
                for mark, name, content in sections
            ),
        ),
        tag(
            "footer",
            tag("p", f"Made by samestory {_core.__version__}. This page is one file: no network, no scripts."),
        ),
    )
    return document(title, style, body)


def _curves(evaluation: Evaluation, rounds: int) -> Html:
    shown = [captioned(chart.name, chart.title, chart.caption, pictures.draw(chart), _values(chart))
             for chart in charts(evaluation, rounds)]  # fmt: skip
    missing = []
    if not evaluation.curves:
        missing.append("No threshold was varied, so there is nothing to draw against it.")
    if not isinstance(evaluation.gold, GoldPairs):
        missing.append("There is no ROC curve for groups: pairs inside a group have no scores of their own.")
    return join(*(tag("p", words) for words in missing), tag("div", *shown, class_="figures"))


def _values(chart: Chart) -> Html:
    kept = len(chart.header) if chart.header[0] == "threshold" else len(chart.header) - 1
    return plain(f"values of: {chart.title}", chart.header, chart.rows, numbers=kept)


def captioned(name: str, title: str, caption: str, picture: Picture, values: Html | None) -> Html:
    """A picture with its caption, its files and its values."""
    saves = [
        tag(
            "a",
            f"Save as {kind.upper()}",
            href=f"data:{media};base64,{b64encode(data).decode()}",
            download=f"{name}.{kind}",
            aria_label=f"Save “{title}” as {kind.upper()}",
        )
        for kind, media, data in (("svg", "image/svg+xml", picture.svg), ("png", "image/png", picture.png))
    ]
    return tag(
        "figure",
        tag("h3", title),
        picture.inline,
        tag("figcaption", caption, id=f"{name}-caption"),
        tag("p", *saves, class_="saves"),
        tag("details", tag("summary", "The values"), values, class_="values") if values else None,
    )


def _slices(evaluation: Evaluation, parts: Sequence[Slices], kinds: Sequence[Reported]) -> Html:
    pairs = isinstance(evaluation.gold, GoldPairs)
    said = (
        "Each detector at its own threshold, on parts of the gold. Slices hold judged pairs only: what nobody judged "
        "lies in none of them."
        if pairs
        else "Each detector at its own threshold, on parts of the gold. No story is cut; a wrong merger of two stories "
        "counts where both lie in the slice."
    )
    tables = [_slice(evaluation, group, number) for number, group in enumerate(parts)]
    whole = forest(evaluation, parts)
    picture = None
    if whole:
        drawn = captioned(whole.name, whole.title, whole.caption, pictures.draw_forest(whole), None)
        picture = tag("div", drawn, class_="block")
    return join(tag("p", said), tag("div", picture, *tables, _kinds(evaluation, kinds), class_="blocks"))


def _slice(evaluation: Evaluation, group: Slices, number: int) -> Html:
    notes = Notes(f"slice-{number}-note")
    counted = "judged pair" if isinstance(evaluation.gold, GoldPairs) else "article"
    groups = []
    for part in group.parts:
        many = tag("span", f"{count(part.count, counted)}, {count(part.positives, 'duplicate')}", class_="count")
        rows = [
            [cell(detector(at), head=True), *(valued(found, notes) for found in part.figures[at])]
            for at in range(len(evaluation.subjects))
        ]
        groups.append((join(tag("b", part.name), " ", many), rows))
    header = [text("detector"), *(spec(name) for name in group.measures)]
    return tag(
        "div",
        tag("h3", f"By {group.by}"),
        tag("p", group.what),
        table(f"results by {group.by}", header, groups, numbers=len(header) - 1),
        notes.listed(),
        class_="block",
    )


def _kinds(evaluation: Evaluation, kinds: Sequence[Reported]) -> Html | None:
    if not kinds:
        return None
    pairs = isinstance(evaluation.gold, GoldPairs)
    notes = Notes("kind-note")
    groups = []
    for number, subject in enumerate(evaluation.subjects):
        rows = []
        for found in (one for one in kinds if one.detector == subject.name):
            kind = found.kind or "not reported"
            if found.kind and not found.counts:
                kind += " (does not count for this relation)"
            counts = cell(f"{found.count:,}", number=True), cell(f"{found.right:,}", number=True)
            rows.append([cell(kind, head=True), *counts, valued(found.precision, notes)])
        if rows:
            groups.append((detector(number, subject.name), rows))
    right = "the gold calls duplicates" if pairs else "lie in one story"
    return tag(
        "div",
        tag("h3", "By kind reported"),
        tag("p", f"What a detector calls the pairs it reports, and how many of them {right}."),
        table("by kind", ["kind", "judged pairs" if pairs else "pairs", "duplicates", "precision"], groups, numbers=3),
        notes.listed(),
        class_="block",
    )
