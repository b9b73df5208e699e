"""The main jobs: find and relate, with the words of the command line."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from samestory.detectors import Detector
from samestory.errors import InputError, ParameterError
from samestory.explanation import AnyArticle, chosen_or_default
from samestory.groups import GroupingOptions, check_min_size
from samestory.index import Day, days
from samestory.model import Article, GroupList, Relation
from samestory.old_arguments import accept_old_arguments
from samestory.readers import Doubt, Problem, Source, read, warn
from samestory.readers import articles as take
from samestory.run import compares_days, run_groups, run_on, run_relations, undated_note

#: A list of articles, a data frame or a table of them.
Articles = Iterable[AnyArticle] | Any


def _new_and_old(
    articles: Articles, against: Articles, fields: Mapping[str, str] | None
) -> tuple[list[Article], list[Article]]:
    """The new articles, and the old ones that no new one replaces.

    Old articles without an id are numbered with a prefix, since a number is no id. Warns of unreadable fields.
    """
    doubts: list[Doubt] = []
    new = take(articles, doubts=doubts, fields=fields, with_metadata=False)
    ids = {article.id for article in new}
    old = [
        article
        for article in take(against, "old:", doubts, fields=fields, with_metadata=False)
        if article.id not in ids
    ]
    warn(doubts, stacklevel=5)  # at the call of the job
    return new, old


#: More days than there are dates.
MAX_DAYS = 10_000_000


def check_days(name: str, days: int) -> None:
    """Raises a ParameterError unless `days` is a number of days."""
    if isinstance(days, bool) or not hasattr(days, "__index__") or not 0 <= days <= MAX_DAYS:
        raise ParameterError(f"{name}: must be a whole number of days, 0 to {MAX_DAYS:,}, got {days!r}")


def check_max_relations(name: str, number: int) -> None:
    """Raises a ParameterError unless `number` is a number of relations, at least one."""
    if isinstance(number, bool) or not hasattr(number, "__index__") or not 1 <= number < 2**32:
        raise ParameterError(f"{name}: must be a whole number, at least 1, got {number!r}")


@accept_old_arguments("detector", "against", "by_day", "as_is", "within")
def relate(
    articles: Articles,
    *,
    detector: Detector | str = "reuse",
    against: Articles = (),
    within: int | None = None,
    by_day: bool = False,
    as_is: bool = False,
    threads: int | None = None,
    fields: Mapping[str, str] | None = None,
    max_relations: int | None = None,
) -> list[Relation]:
    """Returns the relations between articles: one for every related pair.

    `articles`: a list of articles, dicts or texts, a data frame or an Arrow table.
    `detector`: a detector or its spec, such as `"event"` or `"minhash(threshold=0.6)"`.
    `against`: older articles, which are compared with the new ones but not with each other; a new article replaces an
    older one with its id.
    `within`: relates no articles that were published more days (UTC) apart; those without a date have no limit.
    `by_day`: every day (UTC) is a corpus of its own; articles without a date are one more.
    `as_is`: compares texts without repairs of HTML entities, control characters and remains of pages.
    `threads`: the number of threads; by default, one for each processor.
    `fields`: names of fields by role (id, title, text, published, url, source, lang), where they are unusual.
    `max_relations`: how many relations to earlier articles each article keeps, the strongest, evenly by source; None
    keeps all.

    >>> import samestory
    >>> news = [{"id": "a", "text": "The bridge over the river reopened on Monday after repairs."},
    ...         {"id": "b", "text": "The bridge over the river reopened on Monday after repairs, officials said."}]
    >>> [(r.left, r.right, str(r.kind)) for r in samestory.relate(news)]
    [('b', 'a', 'NEAR')]
    """
    if max_relations is not None:
        check_max_relations("max_relations", max_relations)
    chosen, corpora = _corpora(articles, detector, against, within, by_day, threads, fields)
    return [
        relation
        for corpus in corpora
        for relation in run_relations(
            run_on(corpus.new, chosen, corpus.old, threads or 0, as_is, within), max_relations
        )
    ]


@accept_old_arguments("detector", "against", "grouping", "by_day", "as_is", "within", choice="grouping")
def find(
    articles: Articles,
    *,
    detector: Detector | str = "reuse",
    against: Articles = (),
    grouping: str | GroupingOptions | None = None,
    representative: str = "longest",
    prefer: Sequence[str] = (),
    within: int | None = None,
    by_day: bool = False,
    as_is: bool = False,
    threads: int | None = None,
    fields: Mapping[str, str] | None = None,
    min_size: int = 1,
) -> GroupList:
    """Returns groups of articles that are the same story, as a list; an article without relations is a group of one.

    `articles`: a list of articles, dicts or texts, a data frame or an Arrow table.
    `detector`: a detector or its spec, such as `"event"` or `"minhash(threshold=0.6)"`.
    `against`: older articles. New articles are compared with them and with each other; older ones are not compared with
    each other, and groups without a new article are left out. A new article replaces an older one with its id.
    `grouping`: `star`, `components` or `majority`, or `GroupingOptions`; by default that of the detector.
    `representative`: `longest`, `earliest` or `latest`; `prefer`: sources whose articles come before others.
    `within`: relates no articles that were published more days (UTC) apart; those without a date have no limit.
    `by_day`: every day (UTC) is a corpus of its own; articles without a date are one more.
    `as_is`: compares texts without repairs of HTML entities, control characters and remains of pages.
    `threads`: the number of threads; by default, one for each processor.
    `fields`: names of fields by role (id, title, text, published, url, source, lang), where they are unusual.
    `min_size`: leaves out groups with fewer members.

    >>> import samestory
    >>> news = [{"key": 7, "body": "The bridge over the river reopened on Monday after repairs.", "paper": "Post"},
    ...         {"key": 8, "body": "The bridge over the river reopened on Monday after repairs.", "paper": "Echo"}]
    >>> samestory.find(news, fields={"id": "key", "source": "paper"}, prefer=["Echo"], min_size=2)
    [Group('8', ['8', '7'], IDENTICAL)]
    """
    check_min_size("min_size", min_size)
    chosen, corpora = _corpora(articles, detector, against, within, by_day, threads, fields)
    options = GroupingOptions.from_arguments(grouping, representative, prefer, chosen.grouping)
    return GroupList(
        found
        for corpus in corpora
        for found in run_groups(run_on(corpus.new, chosen, corpus.old, threads or 0, as_is, within), options)
        if len(found.members) >= min_size
    )


def _corpora(
    articles: Articles,
    detector: Detector | str,
    against: Articles,
    within: int | None,
    by_day: bool,
    threads: int | None,
    fields: Mapping[str, str] | None,
) -> tuple[Detector, list[Day]]:
    """The detector, and the corpora to work on: one, or one for every day."""
    check_job(within, threads)
    chosen, (new, old) = chosen_or_default(detector), _new_and_old(articles, against, fields)
    if not by_day and compares_days(chosen, within):
        warn_of_missing_dates(new, old, stacklevel=5)
    return chosen, days(new, old) if by_day else [Day(None, new, old)]


def check_job(within: int | None, threads: int | None) -> None:
    """Raises a ParameterError unless these are a number of days and one of threads, or None."""
    if within is not None:
        check_days("within", within)
    if threads is not None and (isinstance(threads, bool) or not hasattr(threads, "__index__") or threads < 1):
        raise ParameterError(f"threads: must be a whole number of at least 1, got {threads!r}")


def warn_of_missing_dates(new: Sequence[Article], old: Sequence[Article], stacklevel: int) -> None:
    """Warns if many articles have no date; `stacklevel` counts from this function."""
    dated = sum(article.published is not None for article in chain(new, old))
    if note := undated_note(dated, len(new) + len(old), days_matter=True):
        warnings.warn(
            f'{note}; to avoid matches by chance, add dates: fields={{"published": NAME}}', stacklevel=stacklevel
        )


def load(sources: Iterable[Source], ids: Sequence[str]) -> dict[str, Article]:
    """The articles with these ids from files; raises InputError if one is absent, or was rejected."""
    wanted, found = set(ids), {}
    rejected: list[Problem] = []
    for source in sources:
        for item in read(source):
            if isinstance(item, Article) and item.id in wanted and item.id not in found:
                found[item.id] = item
                if len(found) == len(wanted):
                    return found
            elif isinstance(item, Problem) and not item.kept:
                rejected.append(item)
    if absent := wanted - found.keys():
        raise _absent(sorted(absent)[0], rejected)
    return found


def _absent(id: str, rejected: Sequence[Problem]) -> InputError:
    """The error for an id that no article has: whether its record, or others, were rejected, and why."""
    if own := _rejected_record(id, rejected):
        return InputError(f"the record with the id {id!r} was rejected: {own}")
    if not rejected:
        return InputError(f"no article has the id {id!r}")
    number = "1 record was" if len(rejected) == 1 else f"{len(rejected):,} records were"
    return InputError(f"no article has the id {id!r}", f"{number} rejected, the first: {rejected[0]}")


def _rejected_record(id: str, rejected: Sequence[Problem]) -> Problem | None:
    """The first rejected record with this id as a value, as far as the files are plain and have a record per line."""
    for file in dict.fromkeys(problem.file for problem in rejected):
        by_line = {problem.line: problem for problem in reversed(rejected) if problem.file == file}
        try:
            with Path(file).open(encoding="utf-8", errors="replace") as lines:
                for number, line in enumerate(lines, 1):
                    if number in by_line and id in line and _has_value(line, id):
                        return by_line[number]
        except (OSError, ValueError):
            continue
    return None


def _has_value(line: str, value: str) -> bool:
    """Whether a line of JSON, or of a table, has this value."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return value in (cell.strip(' "\r\n') for cell in re.split(r"[,;\t]", line))
    return isinstance(record, dict) and value in map(str, record.values())
