"""The archive: articles come in, are related and grouped, and are on disk before that is said.

    with Archive.open("news.db") as archive:
        added = archive.add(articles)
        archive.query("What does this text repeat?")

Everything that one call of `add` does is one transaction: it is there whole, or nothing of it is.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from samestory import explanation
from samestory.archive import calibration, log, revisions, settings, stored, words
from samestory.archive.arrivals import BATCH, Added, AnyArticle, Batch, acceptable, batches
from samestory.archive.mind import Mind
from samestory.archive.stored import Stored
from samestory.database import Database, Session, connect, restore
from samestory.detectors import Detector, parse
from samestory.errors import DecisionError, InputError, MismatchError, NotFittedError
from samestory.groups.decisions import APART, SAME
from samestory.index import ids_of, microseconds_of
from samestory.index.durable import Durable
from samestory.model import Relation, check_ids
from samestory.readers.objects import rows as each_of
from samestory.stream import Change
from samestory.text import prepare

#: Fewer articles than this are filed and compared in one thread: another would only wait for its turn.
FEW = 50
#: Of what was not taken, so many lines are kept; of the log, so many at least.
REJECTS, LOG = 10_000, 100_000
#: Answers to requests that may come again are kept for a week, in microseconds, however soon articles go.
ANSWERS = 7 * 24 * 3600 * 10**6

#: Relations, and what they do to groups.
Found = tuple[list[Relation], list[Change]]


class Archive:
    """Articles, their relations and their groups in a database; many threads and processes may use it at once."""

    def __init__(
        self, database: Database, detectors: Sequence[Detector], window: timedelta | None, as_is: bool = False
    ) -> None:
        self.database, self.detectors, self.window, self.as_is = database, tuple(detectors), window, as_is
        self._lock = threading.RLock()
        self._mind: Mind | None = None
        self._calibrated_at = 0

    @classmethod
    def open(
        cls,
        place: str | Path,
        detectors: Sequence[Detector | str] | None = None,
        window: timedelta | None = None,
        create: bool = True,
        as_is: bool = False,
    ) -> Archive:
        """The archive at a place: the name of a file, or the address of a PostgreSQL database.

        A new one has the detectors and the window given, or `reuse` and `event` and fourteen days; with `as_is` it does
        not repair texts before it compares them. One that is there keeps its own; others are refused.
        """
        chosen = None if detectors is None else [parse(each) if isinstance(each, str) else each for each in detectors]
        for each in chosen or ():
            if not each.fitted:
                raise NotFittedError(
                    f"{each.name}: needs to know how frequent words are before the first article comes"
                )
        database = connect(str(place), create)
        try:
            with database.read() as session:
                ready = settings.get(session, "detectors") and settings.get(session, "folding") == words.FOLDING
            # who only reads does not wait for whoever writes
            with database.read() if ready else database.write() as session:
                specs, width, as_is = settings.settled(session, chosen, window, as_is)
                if not ready:
                    if chosen and any(each.is_calibrated for each in chosen):
                        settings.keep_calibration(session, chosen, 0)
                    _settle_words(session, database.kind)
                    Mind(database, [parse(spec) for spec in specs], width)  # says that it is theirs
                try:
                    own = settings.detectors_of(session, specs)
                except MismatchError:
                    own = [parse(spec) for spec in specs]  # a rebuild mends it; whatever compares reports it
        except BaseException:
            database.close()
            raise
        return cls(database, own, width, as_is)

    @staticmethod
    def restore(backup: str | Path, place: str | Path) -> None:
        """Makes an archive of a backup, where none is yet."""
        restore(str(backup), str(place))

    def close(self) -> None:
        """Lets go of the database."""
        self.database.close()  # the database first, as everywhere: two locks in two orders would wait for each other
        with self._lock:
            self._mind = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    def add(
        self,
        articles: Iterable[AnyArticle] | Any,
        origin: str | None = None,
        done: Callable[[Added], None] | None = None,
    ) -> Added:
        """Takes articles in. Once this comes back, or `done` is called with a part of them, that part is kept.

        An id that is known is nothing new with the same text and title, and a revision with others. What cannot be
        taken is told and counted; `origin` says in the table of rejects where it came from. An InputError among the
        articles stands for one that could not even be read; `...` says that nothing comes for a while, and what came
        until then is kept at once. With `done`, what becomes of articles is told to it alone and what this gives stays
        empty, so that an input without an end needs no more memory than a short one.
        """
        whole = Added()
        for batch in batches(articles):
            part = self._add(batch, origin)
            (done or whole.extend)(part)
        return whole

    def _add(self, batch: Batch, origin: str | None) -> Added:
        articles, out = batch.articles, Added(rejected=batch.bad)
        features = prepare(articles, self.as_is)
        with self._writing() as (session, mind):
            if calibration.is_due(session, mind):
                self._calibrate(session, self.detectors)
                mind = self._fresh(session)
            now = _now()
            self._reject(session, batch.bad, origin, now)
            known = stored.load(session, [article.id for article in articles])
            rows = []
            for row, article in enumerate(articles):
                before = known.get(article.id)
                if before is None:
                    out.new.append(article.id)
                elif (before.article.text, before.article.title) == (article.text, article.title):
                    out.same.append(article.id)
                    continue
                else:
                    out.revised.append(article.id)
                rows.append(row)
            if rows:
                old = [known[id] for id in out.revised]
                revisions.keep(session, old, now)
                left = stored.delete(session, self.database.kind, [each.number for each in old], mind.compared)
                fresh = features if len(rows) == len(articles) else features.take(rows)
                numbers = _numbered(session, fresh.ids)
                new = [articles[row] for row in rows]
                entries = mind.put(fresh)
                out.with_boilerplate = mind.with_boilerplate(entries)
                like = stored.likeness(fresh)
                file = partial(
                    stored.insert_texts, session, self.database.kind, list(numbers.values()), new, fresh.languages
                )
                out.relations, out.changes = _beside(file, partial(mind.add, fresh, entries, like), len(new))
                mind.seq = log.write(session, out.changes, now, set(fresh.ids))
                about = [
                    stored.About(numbers[id], like[at], mind.groups.group_of(id) or 0, known.get(id))
                    for at, id in enumerate(fresh.ids)
                ]
                stored.insert(session, new, fresh, about, now)
                stored.relate(session, out.relations, numbers)
                mind.settle(session, left)
        return out

    def _calibrate(self, session: Session, detectors: Sequence[Detector]) -> None:
        self._mind = None
        self.detectors = calibration.calibrate(session, self.database, detectors, self.as_is)

    def query(self, articles: Iterable[AnyArticle] | str) -> list[Relation]:
        """Whom articles are related to of those that are kept; keeps nothing.

        One text is an article too. An article does not meet its own id.
        """
        given = [articles] if isinstance(articles, str) else list(each_of(articles))
        asked = [acceptable(item, number) for number, item in enumerate(given, 1)]
        features = prepare(asked, self.as_is)
        with self._lock, self.database.read() as session:
            return self._fresh(session).query(features)

    def remove(self, ids: list[str]) -> list[Change]:
        """Takes articles back; their groups may fall apart."""
        with self._writing() as (session, mind):
            return self._remove(session, mind, ids_of(ids), check=True)

    def expire(self, before: datetime) -> int:
        """Forgets what was published before a time, which is UTC if it has no zone, and gives the room back.

        Articles without a date go by the time at which they came.
        """
        limit, gone = microseconds_of(before), 0
        while True:
            with self._writing() as (session, mind):
                rows = session.rows("SELECT id FROM articles WHERE coalesce(at, arrived) < ? LIMIT ?", (limit, BATCH))
                self._remove(session, mind, [id for (id,) in rows], check=False)
                gone += len(rows)
                if len(rows) < BATCH:
                    session.run("DELETE FROM changes WHERE at < ? AND seq <= ?", (limit, mind.seq - LOG))
                    session.run("DELETE FROM answers WHERE at < ?", (_now() - ANSWERS,))
                    break
        words.shrink(self.database, gone)
        self.database.free()
        return gone

    def _remove(self, session: Session, mind: Mind, ids: list[str], check: bool) -> list[Change]:
        numbers = stored.numbers_of_ids(session, ids)
        if not numbers:
            return []
        # what is too old changes no group but by being gone
        changes = mind.remove(list(numbers)) if check else mind.forget(list(numbers))
        left = stored.delete(session, self.database.kind, list(numbers.values()), mind.compared)
        session.run_among("DELETE FROM revisions WHERE id IN ({})", list(numbers))
        mind.seq = log.write(session, changes, _now())
        mind.settle(session, left)
        return changes

    def decide(self, left: str, right: str, decision: str | None) -> list[Change]:
        """Decides that two articles are the same story or stay apart, whatever was measured; None takes it back.

        The decision outlives the articles, their revisions and every rebuilding.
        """
        if decision not in (SAME, APART, None):
            raise DecisionError(f"a decision is {SAME!r} or {APART!r}, got {decision!r}")
        try:
            check_ids(left, right)
        except ValueError as error:
            raise DecisionError(str(error)) from None
        one, other = sorted((left, right))
        with self._writing() as (session, mind):
            known = stored.numbers_of_ids(session, [one, other])
            if absent := [id for id in (left, right) if id not in known]:
                raise DecisionError(f"no article has the id {absent[0]!r}")
            same = None if decision is None else decision == SAME
            try:
                changes = mind.decide(one, other, same)
            except ValueError as error:
                raise DecisionError(
                    f"{one} and {other} cannot be decided to be {decision}: what was decided about"
                    f" {error.args[0]} and {error.args[1]} speaks against it",
                    "take that decision back first",
                ) from None
            now = _now()
            self._tell_alone(session, mind, known)
            session.run("DELETE FROM decisions WHERE left_id = ? AND right_id = ?", (one, other))
            if decision is not None:
                columns = ("left_id", "right_id", "decision", "decided")
                session.insert("decisions", columns, [(one, other, decision, now)])
            word = None if same is None else int(same)
            log.note(session, [("decided", None, json.dumps([one, other]), word)], now)
            mind.seq = log.write(session, changes, now)
        return changes

    def _tell_alone(self, session: Session, mind: Mind, numbers: Mapping[str, int]) -> None:
        """Writes the relations of articles that the first of their copies has stood for until now."""
        found = stored.load(session, numbers)
        told = mind.query(prepare([each.article for each in found.values()], self.as_is), every=False)
        stored.relate(session, stored.missing(session, told, numbers), numbers)

    def rebuild(
        self, detectors: Sequence[Detector | str] | None = None, done: Callable[[int], None] | None = None
    ) -> int:
        """Relates and groups everything anew, with other detectors if they are given; decisions stand. One transaction.

        Groups get new numbers. Gives how many articles there are.
        """
        if detectors is not None:
            chosen = [parse(each) if isinstance(each, str) else each for each in detectors]
        else:
            chosen = list(self.detectors)
        with self.database.write() as session, self._lock:
            self._mind = None
            for table in ("entries", "relations"):
                session.run(f"DELETE FROM {table}")
            for number in range(len(self.detectors)):
                Durable(self.database, str(number)).fingerprint = ""
            settings.put(session, "detectors", json.dumps([str(each) for each in chosen]))
            self._calibrate(session, chosen)
            mind = Mind(self.database, self.detectors, self.window)
            decided = session.rows("SELECT left_id, right_id, decision FROM decisions")
            for left, right, decision in decided:
                for index in mind.indexes:
                    index.set_alone([left, right])
                if decision == APART:
                    mind.decide(left, right, False)
            mind.groups.restore([], [], log.last_story(session))
            count, last, now = 0, 0, _now()
            while batch := stored.after(session, last, BATCH):
                last, count = batch[-1].number, count + len(batch)
                features = prepare([each.article for each in batch], self.as_is)
                like = stored.likeness(features)
                relations, _ = mind.add(features, mind.put(features), like)
                stored.relate(session, relations, {each.article.id: each.number for each in batch})
                if done:
                    done(count)
            # two groups become one as they are when all else is in its place
            for left, right, decision in decided:
                if decision == SAME:
                    mind.decide(left, right, True)
            log.begin_anew(session, mind.groups.groups(), now)
        return count

    def article(self, id: str) -> Stored | None:
        """An article, if it is there."""
        return self.articles([id]).get(id)

    def articles(self, ids: Iterable[str]) -> dict[str, Stored]:
        """Those of some articles that are there."""
        with self.database.read() as session:
            return stored.load(session, ids)

    def revisions(self, id: str, longest: int | None = None, most: int | None = None) -> list[revisions.Revision]:
        """The versions that an article had before, the oldest first, each beside the next one.

        Of each `longest` characters are compared, of many versions the last `most` are given.
        """
        with self.database.read() as session:
            newest = stored.load(session, [id]).get(id)
            return revisions.load(session, newest, longest, most) if newest else []

    def explain(self, left: str, right: str, longest: int | None = None) -> explanation.Explanation:
        """Why two articles are, or are not, one story: what the first detector says that relates them.

        Of each `longest` characters are compared.
        """
        found = self.articles([left, right])
        if absent := [id for id in (left, right) if id not in found]:
            raise InputError(f"no article has the id {absent[0]!r}")
        one, other = (found[id].article.beginning(longest) for id in (left, right))
        told = []
        for detector in self.detectors:
            told.append(explanation.explain(one, other, detector, self.as_is))
            if told[-1].relation:
                return told[-1]
        return told[0]

    def changes(self, since: int = 0, limit: int = 1000) -> list[tuple[int, Change]]:
        """What happened to groups since a place of the log, each with its own place."""
        with self.database.read() as session:
            return log.read(session, since, limit)

    def stats(self) -> dict[str, Any]:
        """How much there is."""
        with self.database.read() as session:
            counts = {
                "articles": "SELECT count(*) FROM articles",
                "stories": "SELECT count(DISTINCT story) FROM articles",
                "texts": "SELECT count(DISTINCT likeness) FROM articles",
                "sources": "SELECT count(DISTINCT source) FROM articles",
                "relations": "SELECT count(*) FROM relations",
                "revisions": "SELECT count(*) FROM revisions",
                "decisions": "SELECT count(*) FROM decisions",
                "feeds": "SELECT count(*) FROM feeds",
                "rejects": "SELECT count(*) FROM rejects",
            }
            out: dict[str, Any] = {name: (session.one(sql) or (0,))[0] for name, sql in counts.items()}
            first, last, arrived = session.one("SELECT min(at), max(at), max(arrived) FROM articles") or (None,) * 3
        return {
            **out,
            "oldest": stored.moment(first),
            "newest": stored.moment(last),
            "arrived": stored.moment(arrived),
            "detectors": [str(each) for each in self.detectors],
            "window_days": None if self.window is None else self.window / timedelta(days=1),
            "bytes": self.database.size(),
        }

    def backup(self, path: str | Path) -> None:
        """Copies everything as it is now into a file, while others go on."""
        self.database.backup(path)

    @contextmanager
    def _writing(self) -> Iterator[tuple[Session, Mind]]:
        """A transaction, with all that is known until now in mind. What fails is forgotten by both.

        The turn at the database comes first: whoever waits for another process does not keep readers here waiting.
        """
        with ExitStack() as transaction:
            session = transaction.enter_context(self.database.write())
            with self._lock:
                try:
                    yield session, self._fresh(session)
                    transaction.close()  # it is written before others here may look
                except BaseException:
                    self._mind = None
                    raise

    def _fresh(self, session: Session) -> Mind:
        calibrated_at = settings.calibrated_at(session)
        if self._mind is None or calibrated_at != self._calibrated_at or not self._mind.catch_up(session):
            self._calibrated_at = calibrated_at
            specs, self.window, self.as_is = settings.settled(session, None, None)  # another process may rebuild it
            self.detectors = tuple(settings.detectors_of(session, specs))
            self._mind = Mind(self.database, self.detectors, self.window)
            self._mind.load(session)
        return self._mind

    def _reject(self, session: Session, bad: Sequence[tuple[int, str]], origin: str | None, now: int) -> None:
        if bad:
            session.insert("rejects", ("at", "origin", "why"), [(now, origin, why) for _, why in bad])
            newest = (session.one("SELECT max(seq) FROM rejects") or (0,))[0]
            session.run("DELETE FROM rejects WHERE seq <= ?", (newest - REJECTS,))


def _beside(file: Callable[[], None], find: Callable[[], Found], articles: int) -> Found:
    """Files words on one processor while detectors look for relations on the others; of a few articles that is not
    worth a thread."""
    if articles < FEW:
        file()
        return find()
    with ThreadPoolExecutor(1) as helper:
        filing = helper.submit(file)
        found = find()
        filing.result()
    return found


def _settle_words(session: Session, kind: str) -> None:
    """Files the words of all articles anew, if they were folded in another way than now."""
    if settings.get(session, "folding") != words.FOLDING:
        words.refile(session, kind)
        settings.put(session, "folding", words.FOLDING)


def _numbered(session: Session, ids: Sequence[str]) -> dict[str, int]:
    """The next numbers: the order in which articles came, a revision being one that comes."""
    following = int(settings.get(session, "next number") or 1)
    settings.put(session, "next number", str(following + len(ids)))
    return {id: number for number, id in enumerate(ids, following)}


def _now() -> int:
    return time.time_ns() // 1000
