"""Disagreements on the page: patterns of reporting detectors, and the clearest pairs of each side by side."""

from __future__ import annotations

from samestory.detectors import Reuse
from samestory.explanation import explain
from samestory.hypertext import Content, Html, join, tag
from samestory.lab.evaluation.articles import ArticleTable
from samestory.lab.evaluation.disagreements import Case, DetectorVerdict, Disagreements, Pattern
from samestory.lab.evaluation.evaluate import Evaluation, Subject
from samestory.lab.evaluation.gold import GoldPairs
from samestory.lab.evaluation.report.charts import count, letter
from samestory.lab.evaluation.report.tables import cell, detector, table
from samestory.lab.evaluation.report.texts import sides
from samestory.model import Article


def disagreeing(evaluation: Evaluation, found: Disagreements, articles: ArticleTable) -> Html:
    """Render the table of patterns, then the pairs of those that contain an error."""
    subjects = evaluation.subjects
    rows = []
    for at, pattern in enumerate(found.patterns):
        name: Content = title(pattern)
        name = tag("a", name, href=f"#pattern-{at}") if pattern.cases else name
        reports = [cell("yes" if one else "no") for one in pattern.reports]
        gold = cell("duplicate" if pattern.duplicate else "other")
        rows.append([cell(name, head=True), *reports, gold, cell(f"{pattern.count:,}", number=True)])
    header: list[Content] = ["outcome", *(join("by ", detector(number)) for number in range(len(subjects)))]
    header += ["gold", "pairs"]
    details = [
        _pattern(evaluation, at, pattern, articles) for at, pattern in enumerate(found.patterns) if pattern.cases
    ]
    whole = None if found.whole else tag("p", "Of very large groups only the first articles were examined.")
    legend = tag(
        "p",
        "In the texts, ",
        tag("mark", tag("sup", "1", class_="passage"), "shared passages"),
        " are underlined, and the same number is the same passage on both sides; text that is not underlined occurs on "
        "one side only.",
    )
    return join(
        table("pairs by reporting detectors", header, [(None, rows)], numbers=1),
        whole,
        legend if details else None,
        *details,
    )


def title(pattern: Pattern) -> str:
    """Describe the outcome of a pattern.

    >>> title(Pattern((True, False), True, 3, ()))
    'Only A finds it'
    """
    reporting = [letter(at) for at, one in enumerate(pattern.reports) if one]
    silent = [letter(at) for at, one in enumerate(pattern.reports) if not one]
    single = len(pattern.reports) == 1
    if not silent:
        all_of = "" if single else " by all"
        return f"Found{all_of}" if pattern.duplicate else f"Wrongly reported{all_of}"
    if not reporting:
        none_of = "" if single else " by all"
        return f"Missed{none_of}" if pattern.duplicate else f"Correctly not reported{none_of}"
    if pattern.duplicate:
        if len(reporting) == 1:
            return f"Only {reporting[0]} finds it"
        return (
            f"Only {silent[0]} misses it" if len(silent) == 1 else f"{_and(reporting)} find it, {_and(silent)} do not"
        )
    if len(reporting) == 1:
        return f"Only {reporting[0]} reports it, wrongly"
    if len(silent) == 1:
        return f"Only {silent[0]} correctly does not report it"
    return f"{_and(reporting)} report it wrongly, {_and(silent)} do not"


def _and(letters: list[str]) -> str:
    return letters[0] if len(letters) == 1 else f"{', '.join(letters[:-1])} and {letters[-1]}"


def _pattern(evaluation: Evaluation, at: int, pattern: Pattern, articles: ArticleTable) -> Html:
    shown = len(pattern.cases)
    many = count(pattern.count, "pair")
    text = many if shown == pattern.count else f"{many}; the {shown} with the largest margins are shown"
    return tag(
        "section",
        tag("h3", title(pattern), id=f"pattern-{at}"),
        tag("p", f"{text}.", class_="count"),
        *(_case(evaluation, case, articles, f"case-{at}-{number}") for number, case in enumerate(pattern.cases)),
        aria_labelledby=f"pattern-{at}",
        class_="pattern",
    )


def _case(evaluation: Evaluation, case: Case, articles: ArticleTable, name: str) -> Html:
    left, right = articles.texts[case.left], articles.texts[case.right]
    explained = explain(left, right, detector=Reuse(shingle=3))
    one, other = sides(left.text, right.text, explained.evidence)
    forward, backward = explained.overlap
    pairs = isinstance(evaluation.gold, GoldPairs)
    word = "duplicate" if case.duplicate else "other"
    if pairs:
        detail = "" if case.label in ("", word) else f", “{case.label}”"
    else:
        detail = f", {'one story' if case.duplicate else 'two stories'}: {case.label}"
    verdicts = [
        tag(
            "li",
            tag("b", "Gold"),
            f": {word}{detail} ",
            tag("span", case.place.replace("\\", "/").rpartition("/")[2], class_="place"),
        )
    ]
    for number, verdict in enumerate(case.verdicts):
        verdicts.append(_verdict(number, evaluation, verdict, case, left, right))
    verdicts.append(
        tag(
            "li",
            f"{forward:.0%} of the left text also occurs in the right one, {backward:.0%} of the right in the left.",
        )
    )
    heading = left.title or right.title or f"{case.left}, {case.right}"
    return tag(
        "article",
        tag("h4", heading, id=name, dir="auto"),
        tag("ul", *verdicts, class_="verdicts"),
        tag("div", _article(left, one, articles), _article(right, other, articles), class_="sides"),
        class_="case",
        aria_labelledby=name,
    )


def _verdict(
    number: int, evaluation: Evaluation, verdict: DetectorVerdict, case: Case, left: Article, right: Article
) -> Html:
    """Render the line of a detector: right or wrong, its verdict, its score and threshold."""
    subject = evaluation.subjects[number]
    right_one = verdict.reports == case.duplicate
    mark = tag("span", "✓ right" if right_one else "✗ wrong", class_="right" if right_one else "wrong")
    words = _words(subject, verdict, evaluation)
    if not verdict.reports and (why := _why(subject, verdict, left, right)):
        words += f": {why}"
    return tag("li", detector(number, subject.name), ": ", mark, ", ", words)


def _words(subject: Subject, verdict: DetectorVerdict, evaluation: Evaluation) -> str:
    """Describe the verdict, with score and threshold."""
    threshold, gold = subject.scored.threshold, evaluation.gold
    pairs = isinstance(gold, GoldPairs)
    scored = ""
    if verdict.score is not None:
        scored = f", score {verdict.score:.3f}" + ("" if threshold is None else f", threshold {threshold:g}")
    if verdict.reports:
        words = "reports it" if pairs else "puts both into one group"
        if verdict.kind is None:
            return words if pairs or subject.scored.groups is not None else f"{words}, through other articles"
        return f"{words} as {verdict.kind}{scored}"
    words = "does not report it" if pairs else "puts them into two groups"
    if verdict.kind is None:
        lowest = None if threshold is None else min(threshold, subject.scored.lowest)
        return words if lowest is None or lowest == threshold else f"{words}, not even at {lowest:g}"
    if threshold is not None and verdict.score is not None and verdict.score < threshold:
        return f"{words}: {verdict.kind}{scored}"
    counts = verdict.kind in gold.meaning.kinds
    reason = "though related" if counts and not pairs else "which does not count here"
    return f"{words}: {verdict.kind}{scored}, {reason}"


def _why(subject: Subject, verdict: DetectorVerdict, left: Article, right: Article) -> str | None:
    """Explain why a detector does not relate the two; None for an external run."""
    run_detector = subject.scored.detector
    if run_detector is None or verdict.kind is not None:
        return None  # an external run; or the two are related, but not enough
    explained = explain(left, right, detector=run_detector)
    if explained.relation is not None:
        return f"a comparison yields {explained.relation.kind}, but they were no candidates (too few shared keys)"
    return explained.why


def _article(article: Article, body: Html, articles: ArticleTable) -> Html:
    row = articles.place[article.id]
    about = [part for part in (article.source, article.published) if part]
    about.append(f"{articles.words[row]:,} words")
    return tag(
        "div",
        tag("p", tag("code", article.id), class_="id"),
        tag("p", tag("b", article.title, dir="auto"), class_="title") if article.title else None,
        tag("p", " · ".join(about), class_="about"),
        tag("div", body, dir="auto", lang=None if articles.languages[row] == "und" else articles.languages[row]),
        class_="side",
    )
