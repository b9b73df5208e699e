"""Disagreements on the page: who reports what, and the clearest pairs of every kind side by side."""

from __future__ import annotations

from samestory.detectors import Reuse
from samestory.explanation import explain
from samestory.hypertext import Content, Html, join, tag
from samestory.lab.articles import Known
from samestory.lab.disagreements import Case, Disagreements, Pattern, Said
from samestory.lab.evaluate import Evaluation, Subject
from samestory.lab.gold import GoldPairs
from samestory.lab.report.charts import count, letter
from samestory.lab.report.tables import cell, detector, table
from samestory.lab.report.texts import sides
from samestory.model import Article


def disagreeing(evaluation: Evaluation, found: Disagreements, known: Known) -> Html:
    """The table of patterns, then the pairs of those in which somebody is wrong."""
    subjects = evaluation.subjects
    rows = []
    for at, pattern in enumerate(found.patterns):
        name: Content = title(pattern)
        name = tag("a", name, href=f"#pattern-{at}") if pattern.cases else name
        who = [cell("yes" if one else "no") for one in pattern.reports]
        gold = cell("duplicate" if pattern.duplicate else "other")
        rows.append([cell(name, head=True), *who, gold, cell(f"{pattern.count:,}", number=True)])
    header: list[Content] = ["what happened", *(join("by ", detector(number)) for number in range(len(subjects)))]
    header += ["gold", "pairs"]
    details = [_pattern(evaluation, at, pattern, known) for at, pattern in enumerate(found.patterns) if pattern.cases]
    whole = None if found.whole else tag("p", "Of very large groups only the first articles were looked at.")
    legend = tag(
        "p",
        "In the texts, ",
        tag("mark", tag("sup", "1", class_="passage"), "shared passages"),
        " are underlined, and the same number is the same passage on both sides; what is not underlined stands in one "
        "of the two only.",
    )
    return join(
        table("who reports what", header, [(None, rows)], numbers=1), whole, legend if details else None, *details
    )


def title(pattern: Pattern) -> str:
    """What happened, in words.

    >>> title(Pattern((True, False), True, 3, ()))
    'Only A finds it'
    """
    there = [letter(at) for at, one in enumerate(pattern.reports) if one]
    away = [letter(at) for at, one in enumerate(pattern.reports) if not one]
    single = len(pattern.reports) == 1
    if not away:
        all_of = "" if single else " by all"
        return f"Found{all_of}" if pattern.duplicate else f"Wrongly reported{all_of}"
    if not there:
        none_of = "" if single else " by all"
        return f"Missed{none_of}" if pattern.duplicate else f"Rightly left alone{none_of}"
    if pattern.duplicate:
        if len(there) == 1:
            return f"Only {there[0]} finds it"
        return f"Only {away[0]} misses it" if len(away) == 1 else f"{_and(there)} find it, {_and(away)} do not"
    if len(there) == 1:
        return f"Only {there[0]} reports it, wrongly"
    if len(away) == 1:
        return f"Only {away[0]} rightly leaves it alone"
    return f"{_and(there)} report it wrongly, {_and(away)} do not"


def _and(letters: list[str]) -> str:
    return letters[0] if len(letters) == 1 else f"{', '.join(letters[:-1])} and {letters[-1]}"


def _pattern(evaluation: Evaluation, at: int, pattern: Pattern, known: Known) -> Html:
    shown = len(pattern.cases)
    many = count(pattern.count, "pair")
    told = many if shown == pattern.count else f"{many}; the {shown} with the largest margins are shown"
    return tag(
        "section",
        tag("h3", title(pattern), id=f"pattern-{at}"),
        tag("p", f"{told}.", class_="count"),
        *(_case(evaluation, case, known, f"case-{at}-{number}") for number, case in enumerate(pattern.cases)),
        aria_labelledby=f"pattern-{at}",
        class_="pattern",
    )


def _case(evaluation: Evaluation, case: Case, known: Known, name: str) -> Html:
    left, right = known.texts[case.left], known.texts[case.right]
    explained = explain(left, right, Reuse(shingle=3))
    one, other = sides(left.text, right.text, explained.evidence)
    forward, backward = explained.overlap
    pairs = isinstance(evaluation.gold, GoldPairs)
    word = "duplicate" if case.duplicate else "other"
    if pairs:
        said = "" if case.label in ("", word) else f", “{case.label}”"
    else:
        said = f", {'one story' if case.duplicate else 'two stories'}: {case.label}"
    verdicts = [
        tag(
            "li",
            tag("b", "Gold"),
            f": {word}{said} ",
            tag("span", case.place.replace("\\", "/").rpartition("/")[2], class_="place"),
        )
    ]
    for number, its in enumerate(case.said):
        verdicts.append(_said(number, evaluation, its, case, left, right))
    verdicts.append(
        tag("li", f"{forward:.0%} of the left text stands in the right one, {backward:.0%} of the right in the left.")
    )
    heading = left.title or right.title or f"{case.left}, {case.right}"
    return tag(
        "article",
        tag("h4", heading, id=name, dir="auto"),
        tag("ul", *verdicts, class_="verdicts"),
        tag("div", _article(left, one, known), _article(right, other, known), class_="sides"),
        class_="case",
        aria_labelledby=name,
    )


def _said(number: int, evaluation: Evaluation, said: Said, case: Case, left: Article, right: Article) -> Html:
    """A line for a detector: right or wrong, what it says, its score beside the threshold."""
    subject = evaluation.subjects[number]
    right_one = said.reports == case.duplicate
    mark = tag("span", "✓ right" if right_one else "✗ wrong", class_="right" if right_one else "wrong")
    words = _words(subject, said, evaluation)
    if not said.reports and (why := _why(subject, said, left, right)):
        words += f": {why}"
    return tag("li", detector(number, subject.name), ": ", mark, ", ", words)


def _words(subject: Subject, said: Said, evaluation: Evaluation) -> str:
    """What it says of the two, and how near to its threshold that is."""
    threshold, gold = subject.scored.threshold, evaluation.gold
    pairs = isinstance(gold, GoldPairs)
    scored = ""
    if said.score is not None:
        scored = f", score {said.score:.3f}" + ("" if threshold is None else f", threshold {threshold:g}")
    if said.reports:
        words = "reports it" if pairs else "puts both into one group"
        if said.kind is None:
            return words if pairs or subject.scored.groups is not None else f"{words}, through other articles"
        return f"{words} as {said.kind}{scored}"
    words = "does not report it" if pairs else "puts them into two groups"
    if said.kind is None:
        known = None if threshold is None else min(threshold, subject.scored.lowest)
        return words if known is None or known == threshold else f"{words}, nor would it at {known:g}"
    if threshold is not None and said.score is not None and said.score < threshold:
        return f"{words}: {said.kind}{scored}"
    counts = said.kind in gold.meaning.kinds
    reason = "related all the same" if counts and not pairs else "which does not count here"
    return f"{words}: {said.kind}{scored}, {reason}"


def _why(subject: Subject, said: Said, left: Article, right: Article) -> str | None:
    """Why a detector does not relate the two, if it can be asked."""
    asked = subject.scored.detector
    if asked is None or said.kind is not None:
        return None  # made elsewhere; or it does relate them, but that is not enough
    explained = explain(left, right, asked)
    if explained.relation is not None:
        return f"compared, they would be {explained.relation.kind}, but they never met (too few keys in common)"
    return explained.why


def _article(article: Article, body: Html, known: Known) -> Html:
    row = known.place[article.id]
    about = [part for part in (article.source, article.published) if part]
    about.append(f"{known.words[row]:,} words")
    return tag(
        "div",
        tag("p", tag("code", article.id), class_="id"),
        tag("p", tag("b", article.title, dir="auto"), class_="title") if article.title else None,
        tag("p", " · ".join(about), class_="about"),
        tag("div", body, dir="auto", lang=None if known.languages[row] == "und" else known.languages[row]),
        class_="side",
    )
