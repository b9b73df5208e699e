"""Response models of pages and JSON routes, built from values of the library."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from samestory import _core, explanation
from samestory.archive import AddResult, Archive, StoredArticle
from samestory.archive.query import Filters
from samestory.archive.search import Representative, SearchPage, Sort, search
from samestory.archive.stories import (
    members,
    merged_into,
    nearest_stories,
    relation_between,
    relations,
    summary,
    weaker_relations,
)
from samestory.archive.times import day_name, day_number, moment
from samestory.errors import InputError, ParameterError
from samestory.model import Article, Evidence, Relation, Span, shown
from samestory.readers.objects import article
from samestory.web import fold as folding
from samestory.web import models, status_models
from samestory.web.decisions import MAX_DECISIONS, changes_out, decision_out
from samestory.web.errors import Refusal, message_and_hint
from samestory.web.events import read_changes
from samestory.web.page_cache import cached

DAY_MICROS = 24 * 3600 * 10**6
#: Relations to other stories, feeds and rejects in a response.
MAX_NEAR_STORIES, MAX_FEEDS, MAX_REJECTS = 20, 200, 50
#: Repeated articles in which shared passages are located.
MAX_EXPLAINED = 10
#: Characters of a text that are compared, which bounds the time for repetitive texts; and earlier versions of an
#: article in a response, the last ones.
MAX_COMPARED_CHARS, MAX_VERSIONS = 100_000, 50
#: The most relations of an article that are returned: thousands of articles may repeat it.
MAX_RELATIONS = 1000


def compared_chars(*articles: Article) -> int | None:
    """Return how many leading characters of each text are compared; None if all of them are compared in full."""
    return MAX_COMPARED_CHARS if any(len(article.text) > MAX_COMPARED_CHARS for article in articles) else None


def relation_out(relation: Relation) -> models.RelationOut:
    """Convert a relation."""
    forward, backward = relation.overlap
    return models.RelationOut(
        left=relation.left,
        right=relation.right,
        kind=str(relation.kind),
        forward=min(1.0, max(0.0, forward)),
        backward=min(1.0, max(0.0, backward)),
        detector=relation.detector,
        score=relation.score,
    )


def change_log(archive: Archive, since: int, limit: int) -> models.ChangeLogOut:
    """Read at most `limit` changes from the log after the sequence number `since`."""
    lost, last, found = read_changes(archive, since, limit)
    logged = [
        models.LoggedChangeOut(
            seq=seq, what=each.what, story=each.group, articles=list(each.articles), other=each.other
        )
        for seq, each in found
    ]
    return models.ChangeLogOut(changes=logged, last=last, reset=lost)


def added_out(outcome: AddResult, doubts: Iterable[tuple[int, str]]) -> models.AddedOut:
    """Convert the outcome of a batch and its doubts, pairs of article number and text."""
    return models.AddedOut(
        new=outcome.new,
        revised=outcome.revised,
        updated=outcome.updated,
        same=outcome.same,
        rejected=[models.RejectedArticleOut(number=number, why=why) for number, why in outcome.rejected],
        relations=list(map(relation_out, outcome.relations)),
        weaker_relations=outcome.weaker_relations,
        changes=changes_out(outcome.changes),
        doubts=[f"article {number}: {doubt}" for number, doubt in doubts],
    )


def summary_fields(stored: StoredArticle) -> dict[str, Any]:
    """Return the fields of an `ArticleSummaryOut`."""
    article = stored.article
    return {
        "id": article.id,
        "title": article.title,
        "source": article.source,
        "language": article.lang,
        "published": article.published,
        "url": article.url,
        "time": moment(stored.arrived if stored.at is None else stored.at),
    }


def parse_day(name: str, given: str | None) -> int | None:
    """Parse a day of the query parameter `name`; None if it is missing or blank."""
    if given is None or not given.strip():
        return None
    day = day_number(given.strip())
    if day is None:
        raise ParameterError(f"{name}: expected a day such as 2026-03-02, got {shown(given)}")
    return day


def make_filters(
    sources: Sequence[str] = (),
    languages: Sequence[str] = (),
    days: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
    fields: Sequence[str] = (),
) -> Filters:
    """Parse the filters of a search request; `fields` are names and values of metadata, such as `section:Sports`."""
    chosen = tuple(day for each in days if (day := parse_day("day", each)) is not None)
    start, end = parse_day("since", since), parse_day("until", until)
    return Filters(tuple(sources), tuple(languages), chosen, start, end, tuple(map(_parse_field, filter(None, fields))))


def _parse_field(given: str) -> tuple[str, str]:
    name, colon, value = given.partition(":")
    if not (name.strip() and colon and value.strip()):
        raise ParameterError(f"field: expected a name and a value such as section:Sports, got {shown(given)}")
    return name, value


def search_stories(
    archive: Archive,
    query: str,
    filters: Filters,
    sort: Sort = "time",
    representative: Representative = "longest",
    prefer: Sequence[str] = (),
    cursor: str | None = None,
    limit: int = 20,
) -> models.StoriesOut:
    """Return one page of stories that match a query."""

    def make() -> models.StoriesOut:
        page = search(
            archive.database,
            query,
            sort=sort,
            representative=representative,
            prefer=prefer,
            cursor=cursor or None,
            limit=limit,
            filters=filters,
        )
        return models.StoriesOut(**_page_fields(page))

    return cached(archive, ("search", query, filters, sort, representative, tuple(prefer), cursor, limit), make)


def front_page(
    archive: Archive, day: str | None = None, cursor: str | None = None, limit: int = 20
) -> models.FrontPageOut:
    """Return the newest stories, or those of a day. Articles dated after tomorrow are not among the newest."""
    number, today = parse_day("day", day), time.time_ns() // 1000 // DAY_MICROS
    # tomorrow is included: clocks differ, and so do time zones
    filters = Filters(until=today + 1) if number is None else Filters(days=(number,))
    return cached(
        archive, ("front", number, today, cursor, limit), lambda: _front(archive, number, today, cursor, limit, filters)
    )


def _front(
    archive: Archive, number: int | None, today: int, cursor: str | None, limit: int, filters: Filters
) -> models.FrontPageOut:
    with archive.database.read() as session:
        page = search(archive.database, cursor=cursor or None, limit=limit, filters=filters)
        neighbours: list[str | None] = [None, None]
        if number is not None:
            earlier = session.one("SELECT max(day) FROM articles WHERE day < ?", (number,))
            later = session.one("SELECT min(day) FROM articles WHERE day > ? AND day <= ?", (number, today + 1))
            neighbours = [None if row is None or row[0] is None else day_name(row[0]) for row in (earlier, later)]
    named = None if number is None else day_name(number)
    return models.FrontPageOut(**_page_fields(page), day=named, earlier=neighbours[0], later=neighbours[1])


def _page_fields(page: SearchPage) -> dict[str, Any]:
    def facet_out(facet: Iterable[tuple[str | None, int]]) -> list[models.FacetOut]:
        return [{"value": value, "stories": stories} for value, stories in facet]

    # without validation, which takes longer than the search: a page may have a thousand values
    facets = models.FacetsOut.model_construct(
        sources=facet_out(page.facets.sources),
        languages=facet_out(page.facets.languages),
        days=facet_out(page.facets.days),
        fields={name: facet_out(counts) for name, counts in page.facets.fields},
    )
    return {
        "stories": [models.StoryHitOut.model_validate(each) for each in page.stories],
        "total_stories": page.total_stories,
        "total_articles": page.total_articles,
        "facets": facets,
        "cursor": page.cursor,
    }


def _member_out(member: Any) -> models.MemberOut:
    base = {name: getattr(member, name) for name in (*models.ArticleSummaryOut.model_fields, "words", "revision")}
    return models.MemberOut(**base, depends=None if member.depends is None else relation_out(member.depends))


def story_page(
    archive: Archive, number: int, cursor: str | None = None, limit: int = 50, address: str = "/story/{}"
) -> models.StoryOut:
    """Return a story with one page of its articles; a merged story raises a redirect to `address` of its successor."""
    return cached(
        archive, ("story", number, cursor, limit), lambda: _story(archive, number, cursor, limit, address), number
    )


def _story(archive: Archive, number: int, cursor: str | None, limit: int, address: str) -> models.StoryOut:
    with archive.database.read() as session:  # one snapshot for the whole response
        try:
            head = summary(archive.database, number)
        except InputError as error:
            message, hint = message_and_hint(error)
            if (now := merged_into(session, number)) is not None:
                # not cacheable: revoking a decision may bring the story back
                headers = {"Location": address.format(now), "Cache-Control": "no-store"}
                raise Refusal(308, message, hint, headers) from None
            raise Refusal(404, message, hint) from None
        part = members(archive.database, number, cursor or None, limit)
        return models.StoryOut(
            number=number,
            title=head.title,
            representative=_member_out(head.representative),
            first=_member_out(head.first),
            last=_member_out(head.last),
            articles=head.articles,
            texts=head.texts,
            sources=list(head.sources),
            kinds={str(kind): count for kind, count in head.kinds.items()},
            members=list(map(_member_out, part.articles)),
            cursor=part.cursor,
            apart=near_stories(archive, number),
            decisions=[
                decision_out(each) for each in archive.decisions(number, MAX_DECISIONS) if each.undone_by is None
            ],
        )


def near_stories(archive: Archive, number: int) -> list[models.NearStoryOut]:
    """Return the strongest relation to each of the nearest other stories."""
    with archive.database.read():
        found = nearest_stories(archive.database, number, MAX_NEAR_STORIES)
        stored = archive.articles({each.article for each in found})
    return [
        models.NearStoryOut(
            relation=relation_out(each.relation),
            other=models.ArticleSummaryOut(**summary_fields(stored[each.article])),
            story=each.number,
        )
        for each in found
    ]


def decision_between(archive: Archive, left: str, right: str) -> str | None:
    """Return what is decided about two articles: same, apart, or None."""
    pair = (min(left, right), max(left, right))
    with archive.database.read() as session:
        row = session.one("SELECT decision FROM decisions WHERE left_id = ? AND right_id = ?", pair)
    return row[0] if row else None


def get_article(archive: Archive, id: str) -> StoredArticle:
    """Return an article; raise a 404 refusal if there is none."""
    stored = None if "\0" in id else archive.article(id)
    if stored is None:
        raise Refusal(404, f"no article has the id {shown(id)}")
    return stored


def _article_fields(stored: StoredArticle) -> dict[str, Any]:
    more = {
        "text": stored.article.text,
        "metadata": dict(stored.article.metadata),
        "arrived": moment(stored.arrived),
        "story": stored.story,
        "revision": stored.revision,
    }
    return {**summary_fields(stored), **more}


def article_detail(archive: Archive, id: str) -> models.ArticleDetailOut:
    """Return an article with its earlier versions and its relations."""
    with archive.database.read():
        stored = get_article(archive, id)
        old = [
            models.OldVersionOut(
                revision=each.revision,
                title=each.article.title,
                text=each.article.text,
                published=each.article.published,
                metadata=dict(each.article.metadata),
                replaced=moment(each.replaced),
                gone=to_places(each.next.only_right),
                come=to_places(each.next.only_left),
                beginning=None if each.whole else MAX_COMPARED_CHARS,
            )
            for each in archive.revisions(id, MAX_COMPARED_CHARS, MAX_VERSIONS)
        ]
        others = list(map(relation_out, relations(archive.database, id, MAX_RELATIONS)))
        return models.ArticleDetailOut(
            **_article_fields(stored),
            revisions=old,
            relations=others,
            weaker_relations=weaker_relations(archive.database, id),
        )


def to_places(spans: Iterable[Span]) -> list[list[int]]:
    """Convert spans to JSON arrays."""
    return [[start, end] for start, end in spans]


def shared_places(evidence: Iterable[Evidence]) -> list[tuple[list[int], list[int]]]:
    """Convert pairs of shared passages to JSON arrays."""
    return [([*one.left], [*one.right]) for one in evidence]


def compare_articles(archive: Archive, left: str, right: str) -> models.ComparisonOut:
    """Compare two articles: why they are, or are not, one story."""
    with archive.database.read():
        one, other = get_article(archive, left), get_article(archive, right)
        if left == right:
            raise ParameterError(f"expected two articles, got {shown(left)} twice")
        limit, related = compared_chars(one.article, other.article), relation_between(archive.database, left, right)
        if related is None:
            why = archive.explain(left, right, MAX_COMPARED_CHARS)
            related, (forward, backward) = why.relation, why.overlap
        else:
            # by the detector that related them, with the numbers that other pages show
            ends = (each.article.beginning(MAX_COMPARED_CHARS) for each in (one, other))
            detector = archive.detector(related.detector)
            why = explanation.explain(*ends, detector=detector, as_is=archive.as_is)
            forward, backward = (related if related.left == left else related.flipped()).overlap
        made = decision_between(archive, left, right)
    return models.ComparisonOut(
        left=models.ArticleOut(**_article_fields(one)),
        right=models.ArticleOut(**_article_fields(other)),
        related=None if related is None else relation_out(related),
        why=None if related else why.why,
        forward=min(1.0, max(0.0, forward)),
        backward=min(1.0, max(0.0, backward)),
        reasons=list(why.reasons),
        shared=shared_places(why.evidence),
        only_left=to_places(why.only_left),
        only_right=to_places(why.only_right),
        decision=made,
        beginning=limit,
    )


def find_repeats(archive: Archive, query: Any) -> models.RepeatsOut:
    """Return the stored articles that the query article repeats; the query itself is not stored."""
    given = article(query, 1)
    by_score = sorted(archive.query([query]), key=lambda each: -each.score)
    stored = archive.articles({id for each in by_score for id in (each.left, each.right)})
    found = []
    for relation in by_score:
        oriented = relation if relation.right in stored else relation.flipped()
        if oriented.right in stored:  # it may have been removed in the meantime
            found.append((oriented, stored[oriented.right]))
    cut = given.beginning(MAX_COMPARED_CHARS)
    pairs = [
        (cut, other.article.beginning(MAX_COMPARED_CHARS), archive.detector(relation.detector))
        for relation, other in found[:MAX_EXPLAINED]
    ]
    evidence = explanation.shared_evidence(pairs)
    evidence += [()] * (len(found) - len(evidence))
    return models.RepeatsOut(
        repeats=[
            models.RepeatOut(
                relation=relation_out(relation),
                article=models.ArticleSummaryOut(**summary_fields(other)),
                story=other.story,
                shared=shared_places(shared),
                beginning=compared_chars(given, other.article),
            )
            for (relation, other), shared in zip(found, evidence, strict=True)
        ]
    )


def fold_hits(archive: Archive, hits: Sequence[Any]) -> models.FoldedHitsOut:
    """Group hits by story with the detectors of the archive."""
    result = folding.fold(hits, archive.detectors)
    # without validation: a list of hits may become a thousand groups
    return models.FoldedHitsOut.model_construct(
        groups=[
            models.HitGroupOut(hits=members, ids=[result.ids[at] for at in members], kinds=list(map(str, kinds)))
            for members, kinds in zip(result.groups, result.kinds, strict=True)
        ],
        rejected=[models.RejectedArticleOut(number=number, why=why) for number, why in result.rejected],
    )


def status(archive: Archive) -> status_models.StatusOut:
    """Return the size of the archive, its lag, its feeds and the latest rejects."""

    def when(at: int | None) -> datetime | None:
        return None if at is None else moment(at)

    with archive.database.read() as session:
        stats = archive.stats()
        feeds = session.rows(
            "SELECT url, title, checked, due, failures, error, status, seen, taken, warning FROM feeds"
            " ORDER BY failures DESC, url LIMIT ?",
            (MAX_FEEDS,),
        )
        rejects = session.rows("SELECT at, origin, why FROM rejects ORDER BY seq DESC LIMIT ?", (MAX_REJECTS,))
        last = session.one("SELECT max(arrived) FROM articles")
    arrived = last[0] if last else None
    return status_models.StatusOut(
        **stats,
        version=_core.__version__,
        lag_seconds=None if arrived is None else max(0.0, time.time() - arrived / 1e6),
        feeds_followed=[
            status_models.FeedOut(
                url=url,
                title=title,
                checked=when(checked),
                due=when(due),
                failures=failures,
                error=error,
                status=code,
                seen=seen,
                taken=taken,
                warning=warning,
            )
            for url, title, checked, due, failures, error, code, seen, taken, warning in feeds
        ],
        latest_rejects=[status_models.RejectOut(at=moment(at), origin=origin, why=why) for at, origin, why in rejects],
    )
