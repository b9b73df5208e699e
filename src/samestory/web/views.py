"""What is shown, as pages and as JSON alike: values of the library in the form in which they stand in JSON."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from samestory import _core, explanation
from samestory.archive import Added, Archive, Stored
from samestory.archive.query import Filters
from samestory.archive.search import Page, Representative, Sort, search
from samestory.archive.stories import became, members, relations, story
from samestory.archive.times import day_name, day_number, moment
from samestory.errors import InputError, ParameterError
from samestory.model import Article, Evidence, Relation, Span, shown
from samestory.readers.objects import article
from samestory.stream import Change
from samestory.web import fold as folding
from samestory.web import models
from samestory.web.errors import Refusal
from samestory.web.events import news

#: A day, in microseconds.
DAY = 24 * 3600 * 10**6
#: Of relations to other stories, of feeds and of rejects so many are shown.
APART, FEEDS, REJECTS = 20, 200, 50
#: Of what a text repeats, the places are looked for in so many articles.
EXPLAINED = 10
#: So many characters of a text are compared, so that nobody waits for what repeats itself; and of an article so many
#: old versions, the last ones.
COMPARED, VERSIONS = 100_000, 50


def beginning(*articles: Article) -> int | None:
    """How many characters of each are compared; None where that is all of them."""
    return COMPARED if any(len(article.text) > COMPARED for article in articles) else None


def told(relation: Relation) -> models.Relation:
    """A relation."""
    forward, backward = relation.overlap
    return models.Relation(
        left=relation.left,
        right=relation.right,
        kind=str(relation.kind),
        forward=min(1.0, max(0.0, forward)),
        backward=min(1.0, max(0.0, backward)),
        detector=relation.detector,
        score=relation.score,
    )


def changes(made: Iterable[Change]) -> list[models.Change]:
    """What happened to stories."""
    return [
        models.Change(what=each.what, story=each.group, articles=list(each.articles), other=each.other) for each in made
    ]


def logged(archive: Archive, since: int, limit: int) -> models.Changes:
    """A part of the log."""
    lost, last, found = news(archive, since, limit)
    told = [
        models.LoggedChange(seq=seq, what=each.what, story=each.group, articles=list(each.articles), other=each.other)
        for seq, each in found
    ]
    return models.Changes(changes=told, last=last, reset=lost)


def added(outcome: Added, doubts: Iterable[tuple[int, str]]) -> models.Added:
    """What became of articles."""
    return models.Added(
        new=outcome.new,
        revised=outcome.revised,
        same=outcome.same,
        rejected=[models.Rejected(number=number, why=why) for number, why in outcome.rejected],
        relations=list(map(told, outcome.relations)),
        changes=changes(outcome.changes),
        doubts=[f"article {number}: {doubt}" for number, doubt in doubts],
    )


def brief(kept: Stored) -> dict[str, Any]:
    """What is told of an article wherever it stands."""
    article = kept.article
    return {
        "id": article.id,
        "title": article.title,
        "source": article.source,
        "language": article.lang,
        "published": article.published,
        "url": article.url,
        "time": moment(kept.arrived if kept.at is None else kept.at),
    }


def day_of(name: str, given: str | None) -> int | None:
    """A day that somebody asks for."""
    if given is None or not given.strip():
        return None
    day = day_number(given.strip())
    if day is None:
        raise ParameterError(f"{name}: a day is wanted, as in 2026-03-02, got {shown(given)}")
    return day


def filters(
    sources: Sequence[str] = (),
    languages: Sequence[str] = (),
    days: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
) -> Filters:
    """What is looked at."""
    chosen = tuple(day for each in days if (day := day_of("day", each)) is not None)
    return Filters(tuple(sources), tuple(languages), chosen, day_of("since", since), day_of("until", until))


def found(
    archive: Archive,
    query: str,
    chosen: Filters,
    sort: Sort = "time",
    representative: Representative = "longest",
    prefer: Sequence[str] = (),
    cursor: str | None = None,
    limit: int = 20,
) -> models.Page:
    """Stories that answer a question."""
    page = search(
        archive.database,
        query,
        sort=sort,
        representative=representative,
        prefer=prefer,
        cursor=cursor or None,
        limit=limit,
        filters=chosen,
    )
    return models.Page(**_page(page))


def front(archive: Archive, day: str | None = None, cursor: str | None = None, limit: int = 20) -> models.Front:
    """The newest stories, or those of a day. What claims to be of days to come is not among the newest."""
    number, today = day_of("day", day), time.time_ns() // 1000 // DAY
    # clocks differ, and it is tomorrow somewhere
    chosen = Filters(until=today + 1) if number is None else Filters(days=(number,))
    with archive.database.read() as session:
        page = search(archive.database, cursor=cursor or None, limit=limit, filters=chosen)
        beside: list[str | None] = [None, None]
        if number is not None:
            earlier = session.one("SELECT max(day) FROM articles WHERE day < ?", (number,))
            later = session.one("SELECT min(day) FROM articles WHERE day > ? AND day <= ?", (number, today + 1))
            beside = [None if row is None or row[0] is None else day_name(row[0]) for row in (earlier, later)]
    named = None if number is None else day_name(number)
    return models.Front(**_page(page), day=named, earlier=beside[0], later=beside[1])


def _page(page: Page) -> dict[str, Any]:
    def counted(facet: Iterable[tuple[str | None, int]]) -> list[models.Facet]:
        return [models.Facet(value=value, stories=stories) for value, stories in facet]

    facets = models.Facets(
        sources=counted(page.facets.sources),
        languages=counted(page.facets.languages),
        days=counted(page.facets.days),
    )
    return {
        "stories": [models.Found.model_validate(each) for each in page.stories],
        "total_stories": page.total_stories,
        "total_articles": page.total_articles,
        "facets": facets,
        "cursor": page.cursor,
    }


def _member(member: Any) -> models.Member:
    base = {name: getattr(member, name) for name in (*models.Brief.model_fields, "words", "revision")}
    return models.Member(**base, depends=None if member.depends is None else told(member.depends))


def one_story(
    archive: Archive, number: int, cursor: str | None = None, limit: int = 50, address: str = "/story/{}"
) -> models.Story:
    """A story, with some of its articles; one that became part of another is to be looked for at that one's address."""
    with archive.database.read() as session:  # all that is told is told of one moment
        try:
            whole = story(archive.database, number)
        except InputError as error:
            message, hint = str(error).partition("\n")[0], error.hint or None
            if (now := became(session, number)) is not None:
                # not to be kept: whoever takes a decision back changes stories again
                headers = {"Location": address.format(now), "Cache-Control": "no-store"}
                raise Refusal(308, message, hint, headers) from None
            raise Refusal(404, message, hint) from None
        part = members(archive.database, number, cursor or None, limit)
        ids = [member.id for member in whole.members]
        best = whole.representative
        return models.Story(
            number=number,
            title=next((m.title for m in (best, *whole.members) if m.title and m.title.strip()), "") or best.id,
            representative=_member(best),
            first=_member(whole.first),
            last=_member(whole.last),
            articles=len(whole.members),
            texts=whole.texts,
            sources=list(whole.sources),
            kinds={str(kind): count for kind, count in whole.kinds.items()},
            members=list(map(_member, part.articles)),
            cursor=part.cursor,
            apart=apart(archive, number),
            decisions=decisions(archive, ids),
        )


def apart(archive: Archive, number: int) -> list[models.Apart]:
    """The strongest relations of a story's articles to those of others."""
    sides = []
    with archive.database.read() as session:
        for mine, other in (("l", "r"), ("r", "l")):
            sides += session.rows(
                f"SELECT l.id, r.id, {other}.story, x.score FROM relations x"
                " JOIN articles l ON l.number = x.left_number JOIN articles r ON r.number = x.right_number"
                f" WHERE {mine}.story = ? AND {other}.story <> ? ORDER BY x.score DESC LIMIT ?",
                (number, number, APART),
            )
        sides.sort(key=lambda row: -row[3])
        kept = archive.articles({id for row in sides[:APART] for id in row[:2]})
        mine_ids = {id for id, each in kept.items() if each.story == number}
        out: list[models.Apart] = []
        seen: set[int] = set()
        for left, right, other_story, _ in sides[:APART]:
            if other_story in seen:  # one line for every other story is enough
                continue
            seen.add(other_story)
            own, outside = (left, right) if left in mine_ids else (right, left)
            relation = next(each for each in relations(archive.database, own) if outside in (each.left, each.right))
            other_one = models.Brief(**brief(kept[outside]))
            out.append(models.Apart(relation=told(relation), other=other_one, story=other_story))
    return out


def decisions(archive: Archive, ids: Sequence[str]) -> list[models.DecisionMade]:
    """What was decided about some articles."""
    with archive.database.read() as session:
        sql = "SELECT left_id, right_id, decision, decided FROM decisions WHERE {} IN ({{}})"
        rows = {row for side in ("left_id", "right_id") for row in session.rows_among(sql.format(side), ids)}
    return [
        models.DecisionMade(left=left, right=right, decision=decision, decided=moment(at))
        for left, right, decision, at in sorted(rows, key=lambda row: (-row[3], row[:2]))
    ]


def kept_article(archive: Archive, id: str) -> Stored:
    """An article; refuses with 404 if there is none."""
    known = None if "\0" in id else archive.article(id)
    if known is None:
        raise Refusal(404, f"no article has the id {shown(id)}")
    return known


def _whole(kept: Stored) -> dict[str, Any]:
    article = kept.article
    more = {"text": article.text, "arrived": moment(kept.arrived), "story": kept.story, "revision": kept.revision}
    return {**brief(kept), **more}


def one_article(archive: Archive, id: str) -> models.WholeArticle:
    """An article with everything that is known about it."""
    with archive.database.read():
        kept = kept_article(archive, id)
        old = [
            models.OldVersion(
                revision=each.revision,
                title=each.article.title,
                text=each.article.text,
                published=each.article.published,
                replaced=moment(each.replaced),
                gone=places(each.next.only_right),
                come=places(each.next.only_left),
                beginning=None if each.whole else COMPARED,
            )
            for each in archive.revisions(id, COMPARED, VERSIONS)
        ]
        others = list(map(told, relations(archive.database, id)))
        return models.WholeArticle(**_whole(kept), revisions=old, relations=others)


def places(spans: Iterable[Span]) -> list[list[int]]:
    """Stretches of a text."""
    return [[start, end] for start, end in spans]


def shared(evidence: Iterable[Evidence]) -> list[tuple[list[int], list[int]]]:
    """Stretches of two texts that read alike."""
    return [([*one.left], [*one.right]) for one in evidence]


def compared(archive: Archive, left: str, right: str) -> models.Explanation:
    """Two articles beside each other: why they are, or are not, one story."""
    with archive.database.read():
        one, other = kept_article(archive, left), kept_article(archive, right)
        if left == right:
            raise ParameterError(f"two articles are wanted, got {shown(left)} twice")
        why = archive.explain(left, right, COMPARED)
        related, part = why.relation, beginning(one.article, other.article)
        if part is not None:
            # what was found when they came holds for all of both
            stored = (each for each in relations(archive.database, left) if right in (each.left, each.right))
            related = next(stored, related)
        made = [each for each in decisions(archive, [left]) if {each.left, each.right} == {left, right}]
    forward, backward = why.overlap
    return models.Explanation(
        left=models.Article(**_whole(one)),
        right=models.Article(**_whole(other)),
        related=None if related is None else told(related),
        why=None if related else why.why,
        forward=min(1.0, max(0.0, forward)),
        backward=min(1.0, max(0.0, backward)),
        reasons=list(why.reasons),
        shared=shared(why.evidence),
        only_left=places(why.only_left),
        only_right=places(why.only_right),
        decision=made[0].decision if made else None,
        beginning=part,
    )


def repeated(archive: Archive, asked: Any) -> models.Repeats:
    """What a text repeats of what is kept; nothing of it is kept."""
    out: list[models.Repeated] = []
    given = article(asked, 1)
    by_score = sorted(archive.query([asked]), key=lambda each: -each.score)
    known = archive.articles({id for each in by_score for id in (each.left, each.right)})
    for relation in by_score:
        seen = relation if relation.right in known else relation.flipped()
        other = known.get(seen.right)
        if other is None:
            continue  # taken away since
        evidence: Sequence[Evidence] = ()
        if len(out) < EXPLAINED:
            cut = given.beginning(COMPARED), other.article.beginning(COMPARED)
            evidence = explanation.explain(*cut, relation.detector).evidence
        out.append(
            models.Repeated(
                relation=told(seen),
                article=models.Brief(**brief(other)),
                story=other.story,
                shared=shared(evidence),
                beginning=beginning(given, other.article),
            )
        )
    return models.Repeats(repeats=out)


def folded(archive: Archive, hits: Sequence[Any]) -> models.Folded:
    """Hits as groups."""
    result = folding.fold(hits, archive.detectors)
    return models.Folded(
        groups=[
            models.Fold(hits=members, ids=[result.ids[at] for at in members], kinds=list(map(str, kinds)))
            for members, kinds in zip(result.groups, result.kinds, strict=True)
        ],
        rejected=[models.Rejected(number=number, why=why) for number, why in result.rejected],
    )


def status(archive: Archive) -> models.Status:
    """How much there is, and how far behind."""

    def when(at: int | None) -> datetime | None:
        return None if at is None else moment(at)

    with archive.database.read() as session:
        stats = archive.stats()
        feeds = session.rows(
            "SELECT url, title, checked, due, failures, error, status, seen, taken FROM feeds"
            " ORDER BY failures DESC, url LIMIT ?",
            (FEEDS,),
        )
        rejects = session.rows("SELECT at, origin, why FROM rejects ORDER BY seq DESC LIMIT ?", (REJECTS,))
        last = session.one("SELECT max(arrived) FROM articles")
    came = last[0] if last else None
    return models.Status(
        **stats,
        version=_core.__version__,
        lag_seconds=None if came is None else max(0.0, time.time() - came / 1e6),
        feeds_followed=[
            models.Feed(
                url=url,
                title=title,
                checked=when(checked),
                due=when(due),
                failures=failures,
                error=error,
                status=code,
                seen=seen,
                taken=taken,
            )
            for url, title, checked, due, failures, error, code, seen, taken in feeds
        ],
        latest_rejects=[models.Reject(at=moment(at), origin=origin, why=why) for at, origin, why in rejects],
    )
