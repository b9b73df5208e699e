"""The audit page: tables, then the worst pairs and a random sample side by side, with differences marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from samestory.hypertext import Html, join, tag
from samestory.lab.evaluation.audit import Audit
from samestory.lab.evaluation.audit_tables import notes, sections
from samestory.lab.evaluation.calibration import Calibration
from samestory.lab.evaluation.drops import INDIRECT, Drop
from samestory.lab.evaluation.report import pictures
from samestory.lab.evaluation.report.charts import Chart, ChartLine, count
from samestory.lab.evaluation.report.page import captioned, framed
from samestory.lab.evaluation.report.tables import code, plain
from samestory.lab.evaluation.report.texts import sides
from samestory.model import Article
from samestory.text import prepare, shared_passages


def audit_page(found: Audit, articles: Mapping[str, Article]) -> str:
    """Render the whole page; `articles` are those of the pairs, by id."""
    parts = [
        ("audited", "What was audited", tag("ul", *(tag("li", line) for line in notes(found)))),
        ("figures", "Figures", join(*(_table(*section) for section in sections(found)))),
    ]
    if found.calibration and found.calibration.bins:
        parts.append(("calibration", "Calibration", _curve(found.detector, found.calibration)))
    presumed = "drops presumed false" if found.is_whole else "dropped articles"
    for mark, name, drops, order in (
        ("worst", "Worst pairs", found.worst, f"One pair per group, groups with most {presumed} first"),
        ("sample", "Random sample", found.sample, f"Drawn at random from all {presumed}"),
    ):
        parts.append((mark, name, _pairs(mark, drops, articles, order)))
    title = f"Audit of {found.detector}"
    return framed(title, _lead(found), parts, first="figures")


def _lead(found: Audit) -> Html:
    """Render the main figure as a sentence."""
    whole = found.views[0].whole
    dropped = f"{count(whole.dropped.count, 'article')} of {whole.articles:,} would be dropped"
    rate = whole.falsely_dropped
    if rate is None or rate.value is None or rate.low is None or rate.high is None:
        words = f"{dropped}; without two blocks of days no false merge can be presumed."
    else:
        words = (
            f"{dropped}, {rate.count:,} of them for an article of another block of days: "
            f"{1000 * rate.value:.2f} per thousand articles (95 % interval {1000 * rate.low:.2f} to "
            f"{1000 * rate.high:.2f})."
        )
    return tag("p", code(found.detector), ": ", words, class_="lead")


def _table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    return join(tag("h3", name), plain(name, head, rows, numbers=len(head) - 1))


def _curve(detector: str, curve: Calibration) -> Html:
    points = tuple((each.mean_score, each.same.value or 0.0) for each in curve.bins)
    rows = tuple(
        (f"{each.low:g} to {each.high:g}", f"{each.mean_score:.3f}", f"{each.same.value or 0.0:.3f}")
        for each in curve.bins
    )
    caption = (
        f"Judged pairs by score: the share judged {curve.relation}. On the diagonal a score is a probability; below it "
        "the detector is overconfident. Intervals are in the table of figures."
    )
    chart = Chart(
        "calibration-curve",
        "Score and share judged the same",
        caption,
        "mean score",
        "share judged the same",
        (ChartLine(0, detector, points),),
        ("score", "mean score", "judged the same"),
        rows,
        diagonal=True,
    )
    values = plain(f"values of: {chart.title}", chart.header, chart.rows, numbers=2)
    return tag("div", captioned(chart.name, chart.title, chart.caption, pictures.draw(chart), values), class_="figures")


def _pairs(mark: str, drops: Sequence[Drop], articles: Mapping[str, Article], order: str) -> Html:
    if not drops:
        return tag("p", "None.")
    legend = tag(
        "p",
        f"{order}; on the left the article that would be dropped, on the right its representative. ",
        tag("mark", tag("sup", "1", class_="passage"), "Shared passages"),
        " are underlined, and the same number is the same passage on both sides; ",
        tag("ins", "marked differences"),
        " occur on one side only.",
    )
    return join(legend, *(_pair(f"{mark}-{number}", drop, articles) for number, drop in enumerate(drops, 1)))


def _pair(name: str, drop: Drop, articles: Mapping[str, Article]) -> Html:
    left, right = articles[drop.article], articles[drop.representative]
    shared = shared_passages(prepare([left]), prepare([right]))
    one, other = sides(left.text, right.text, shared, differences=True)
    words = f"in a group of {count(drop.members, 'article')}"
    if drop.kind == INDIRECT:
        words += "; the two are related through other members only"
    elif drop.forward is not None and drop.backward is not None:
        words += (
            f"; {drop.kind}: {drop.forward:.0%} of the left article is also in the right one, {drop.backward:.0%} "
            "of the right in the left"
        )
    apart = [tag("li", f"{count(drop.days_apart, 'day')} apart")] if drop.days_apart is not None else []
    return tag(
        "article",
        tag("h4", left.title or right.title or f"{left.id}, {right.id}", id=name, dir="auto"),
        tag("ul", *apart, tag("li", words), class_="verdicts"),
        tag("div", _side(left, one, drop.words), _side(right, other, drop.representative_words), class_="sides"),
        class_="case",
        aria_labelledby=name,
    )


def _side(article: Article, body: Html, words: int) -> Html:
    facts = [part for part in (article.source, article.published) if part]
    facts.append(count(words, "word"))
    return tag(
        "div",
        tag("p", tag("code", article.id), class_="id"),
        tag("p", tag("b", article.title, dir="auto"), class_="title") if article.title else None,
        tag("p", " · ".join(facts), class_="about"),
        tag("div", body, dir="auto", lang=article.lang),
        class_="side",
    )
