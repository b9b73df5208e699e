"""The report page: a table of contents, then the sections."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files

from samestory import _core
from samestory.hypertext import Html, document, join, tag, text
from samestory.lab.evaluation.articles import ArticleTable
from samestory.lab.evaluation.disagreements import Disagreements
from samestory.lab.evaluation.evaluate import Evaluation
from samestory.lab.evaluation.gold import GoldPairs
from samestory.lab.evaluation.report import pictures, results
from samestory.lab.evaluation.report.cases import disagreeing
from samestory.lab.evaluation.report.charts import Chart, charts, count, forest
from samestory.lab.evaluation.report.pictures import Picture
from samestory.lab.evaluation.report.tables import Notes, cell, detector, plain, spec, table, valued
from samestory.lab.evaluation.slices import KindCount, Slices
from samestory.readers import Source


def page(
    evaluation: Evaluation,
    sources: Sequence[Source],
    parts: Sequence[Slices],
    kinds: Sequence[KindCount],
    differing: Disagreements,
    articles: ArticleTable,
    rounds: int,
) -> str:
    """Render the whole page."""
    sections = [
        ("measured", "What was measured", results.measured(evaluation, list(sources))),
        ("results", "Results", join(results.results(evaluation), results.differences(evaluation))),
        ("threshold", "Which threshold", results.thresholds(evaluation)),
        ("curves", "Curves", _curves(evaluation, rounds)),
        ("slices", "Slices", _slices(evaluation, parts, kinds)),
        ("disagreements", "Disagreements", disagreeing(evaluation, differing, articles)),
    ]
    title = f"Evaluation on {evaluation.gold.path.replace(chr(92), '/').rpartition('/')[2]}"
    return framed(title, results.lead(evaluation), sections, first="results")


def framed(title: str, lead: Html, sections: Sequence[tuple[str, str, Html | None]], first: str) -> str:
    """Render a self-contained page with a table of contents; a section has an id, a heading and its content.

    `first`: the id of the section to which the first link skips.
    """
    links = [tag("li", tag("a", name, href=f"#{mark}")) for mark, name, _ in sections]
    style = files("samestory.lab.evaluation.report").joinpath("page.css").read_text(encoding="utf-8")
    made_by = f"Made by samestory {_core.__version__}. This page is self-contained: no network access, no scripts."
    shown = (
        tag("section", tag("h2", name, id=f"{mark}-title"), content, id=mark, aria_labelledby=f"{mark}-title")
        for mark, name, content in sections
    )
    body = tag(
        "body",
        tag("a", f"Skip to {first}", href=f"#{first}", class_="skip"),
        tag("header", tag("h1", title), lead, tag("nav", tag("ul", *links), aria_label="Contents")),
        tag("main", *shown),
        tag("footer", tag("p", made_by)),
    )
    return document(title, style, body)


def _curves(evaluation: Evaluation, rounds: int) -> Html:
    figures = [captioned(chart.name, chart.title, chart.caption, pictures.draw(chart), _values(chart))
             for chart in charts(evaluation, rounds)]  # fmt: skip
    missing = []
    if not evaluation.curves:
        missing.append("No threshold was varied, so there are no threshold curves.")
    if not isinstance(evaluation.gold, GoldPairs):
        missing.append("There is no ROC curve for groups: pairs inside a group have no scores.")
    return join(*(tag("p", words) for words in missing), tag("div", *figures, class_="figures"))


def _values(chart: Chart) -> Html:
    kept = len(chart.header) if chart.header[0] == "threshold" else len(chart.header) - 1
    return plain(f"values of: {chart.title}", chart.header, chart.rows, numbers=kept)


def captioned(name: str, title: str, caption: str, picture: Picture, values: Html | None) -> Html:
    """Render a picture with its caption, download links and values."""
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
        tag("details", tag("summary", "Values"), values, class_="values") if values else None,
    )


def _slices(evaluation: Evaluation, parts: Sequence[Slices], kinds: Sequence[KindCount]) -> Html:
    pairs = isinstance(evaluation.gold, GoldPairs)
    intro = (
        "Each detector at its own threshold, on parts of the gold. Slices contain judged pairs only."
        if pairs
        else "Each detector at its own threshold, on parts of the gold. No story is split; a wrong merge of two "
        "stories counts in a slice that contains both."
    )
    tables = [_slice(evaluation, group, number) for number, group in enumerate(parts)]
    whole = forest(evaluation, parts)
    picture = None
    if whole:
        drawn = captioned(whole.name, whole.title, whole.caption, pictures.draw_forest(whole), None)
        picture = tag("div", drawn, class_="block")
    return join(tag("p", intro), tag("div", picture, *tables, _kinds(evaluation, kinds), class_="blocks"))


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


def _kinds(evaluation: Evaluation, kinds: Sequence[KindCount]) -> Html | None:
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
    right = "are duplicates in the gold" if pairs else "are in one story"
    return tag(
        "div",
        tag("h3", "By kind reported"),
        tag("p", f"The kinds under which a detector reports pairs, and how many of the pairs {right}."),
        table("by kind", ["kind", "judged pairs" if pairs else "pairs", "duplicates", "precision"], groups, numbers=3),
        notes.listed(),
        class_="block",
    )
