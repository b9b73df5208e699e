"""The archive: stores articles in a database, relates them and groups them into stories.

    with Archive.open("news.db") as archive:
        added = archive.add(articles)
        archive.query("What does this text repeat?")

Each batch of `add` is one atomic transaction, which is on disk before its result is returned.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from samestory.archive import calibration, dependencies, expiry, log, metadata, revisions, settings, stored, words
from samestory.archive.deciding import DecidingArchive
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.ingest import (
    BATCH_SIZE,
    AddResult,
    AnyArticle,
    ArticleBatch,
    assign_numbers,
    batches,
    store_rejects,
    to_article,
)
from samestory.archive.renumbering import RebuildPreview, RollbackError, rebuilt
from samestory.archive.state import ArchiveState
from samestory.archive.story_labels import LabelUpdate, measured_groups
from samestory.database import Database, Session, connect, restore
from samestory.detectors import Detector, parse
from samestory.errors import DecisionError, ExpiryError, MismatchError, NotFittedError, StoreError
from samestory.index import ids_of, microseconds_of
from samestory.index.durable import Durable
from samestory.index.segments import drop_segments, is_segment, set_aside
from samestory.model import Relation
from samestory.readers.objects import rows as iterate
from samestory.stream import Change
from samestory.text import prepare

#: Fewer articles than this are indexed and compared in one thread: a second one would only wait.
MIN_ARTICLES_FOR_THREAD = 50
#: Damaged segments that are set aside during one call.
MAX_DAMAGED_SEGMENTS = 10
#: The number of log lines that `expire` keeps at least.
MIN_LOG_LINES = 100_000
#: How long responses to requests with an idempotency key are kept: a week, in microseconds, however soon articles go.
ANSWER_LIFETIME = 7 * 24 * 3600 * 10**6

T = TypeVar("T")


class Archive(DecidingArchive):
    """Articles, their relations and their groups in a database; safe for concurrent threads and processes."""

    def __init__(
        self, database: Database, detectors: Sequence[Detector], window: timedelta | None, as_is: bool = False
    ) -> None:
        self.database, self.detectors, self.window, self.as_is = database, tuple(detectors), window, as_is
        self._lock = threading.RLock()
        self._state: ArchiveState | None = None
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
        """Open the archive at `place`: a file name, or the URL of a PostgreSQL database.

        A new archive is created with the given detectors and window, by default `reuse` and `event` and fourteen days;
        with `as_is` it does not repair texts before comparing them. An existing archive keeps its settings; different
        ones raise a MismatchError.
        """
        chosen = None if detectors is None else [parse(each) if isinstance(each, str) else each for each in detectors]
        for each in chosen or ():
            if not each.fitted:
                raise NotFittedError(f"{each.name}: needs word frequencies before the first article is added")
        database = connect(str(place), create)
        try:
            with database.read() as session:
                ready = settings.get(session, "detectors") and settings.get(session, "folding") == words.FOLDING
                ready = ready and dependencies.are_stored(session)
            # opening an existing archive does not wait for a writer
            with database.read() if ready else database.write() as session:
                specs, width, as_is = settings.load_or_create(session, chosen, window, as_is)
                if not ready:
                    is_uncalibrated = settings.get(session, "calibrated at") is None
                    if chosen and is_uncalibrated and any(each.is_calibrated for each in chosen):
                        settings.save_calibration(session, chosen, 0)
                    words.reindex_if_outdated(session, database.kind)
                    dependencies.store_if_absent(session)
                    # marks its stores as used by these detectors
                    ArchiveState(database, [settings.stored_detector(spec) for spec in specs], width)
                try:
                    own = settings.load_detectors(session, specs)
                except MismatchError:
                    own = [
                        settings.stored_detector(spec) for spec in specs
                    ]  # a rebuild repairs it; comparing raises the error
        except BaseException:
            database.close()
            raise
        return cls(database, own, width, as_is)

    @staticmethod
    def restore(backup: str | Path, place: str | Path) -> dict[str, int]:
        """Restore a backup to a place without an archive; return the number of rows of each table.

        Sign-ins are not restored: some of those in the backup may have been ended since.
        """
        rows = restore(str(backup), str(place))
        with connect(str(place), create=False) as database, database.write() as session:
            session.run("DELETE FROM sessions")
        return {**rows, "sessions": 0}

    def close(self) -> None:
        """Close the database."""
        self.database.close()  # the database first, as everywhere: locks taken in two orders would deadlock
        with self._lock:
            self._state = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    def add(
        self,
        articles: Iterable[AnyArticle] | Any,
        origin: str | None = None,
        done: Callable[[AddResult], None] | None = None,
    ) -> AddResult:
        """Add articles. They are on disk once this returns, or once `done` is called with their batch.

        A stored id with the same text and title is unchanged, except for its metadata, which other metadata replaces;
        with others it becomes a revision. Rejected records are reported and counted, with `origin` as their source in
        the table of rejects. An InputError among the articles stands for a record that could not be read; `...` stands
        for a pause in the input and commits the current batch. With `done`, results go to it alone and the returned
        result is empty, so that memory stays bounded for endless input.
        """
        total = AddResult()
        for batch in batches(articles):
            part = self._beside_damage(partial(self._add, batch, origin))
            (done or total.extend)(part)
        return total

    def _add(self, batch: ArticleBatch, origin: str | None) -> AddResult:
        articles, out = batch.articles, AddResult(rejected=batch.rejected)
        features = prepare(articles, as_is=self.as_is)
        with self._transaction() as (session, state, update):
            if calibration.is_due(session, state):
                self._calibrate(session, self.detectors)
                state = self._current_state(session, writes=True)
            now = _now()
            store_rejects(session, batch.rejected, origin, now)
            known = stored.load(session, [article.id for article in articles])
            rows = out.classify(articles, known)
            if out.updated:
                own = {article.id: article.metadata for article in articles}
                versions = [(known[id].number, id, known[id].revision, own[id]) for id in out.updated]
                state.seq = metadata.replace(session, versions, now)
            if rows:
                measured: dict[str, tuple[int, int]] = {}
                left: list[int] = []
                if old := [known[id] for id in out.revised]:
                    revisions.save(session, old, now)
                    state.groups.load(session, out.revised)  # with the relations that are deleted now
                    measured = measured_groups(session, out.revised)
                    numbers_of_old = [each.number for each in old]
                    left = stored.delete(session, self.database.kind, numbers_of_old, state.compare, update)
                fresh = features if len(rows) == len(articles) else features.take(rows)
                numbers = assign_numbers(session, fresh.ids)
                new = [articles[row] for row in rows]
                entries = state.put(fresh)
                out.with_boilerplate = state.with_boilerplate(entries)
                like = stored.likeness(fresh)
                index_texts = partial(
                    stored.insert_texts, session, self.database.kind, list(numbers.values()), new, fresh.languages
                )
                found = _run_both(index_texts, partial(state.search, fresh, entries), len(new))
                out.relations, weaker, out.changes = state.group(session, fresh, like, found)
                out.weaker_relations = weaker.total()
                labels = LabelUpdate(session, fresh.ids)
                state.seq = log.write(session, out.changes, now, update, labels)
                fields = [
                    stored.ArchiveFields(numbers[id], like[at], state.groups[id], known.get(id), weaker[id])
                    for at, id in enumerate(fresh.ids)
                ]
                stored.insert(session, new, fresh, fields, now)
                metadata.insert(session, map(stored.version, new, fields))
                stored.insert_relations(session, out.relations, numbers)
                labels.enter({id: state.groups[id] for id in fresh.ids}, out.relations, measured)
                update.enter(numbers.values())
                state.groups.reload(session, left)
                state.freeze(session)
        return out

    def _calibrate(self, session: Session, detectors: Sequence[Detector]) -> None:
        self._state = None
        self.detectors = calibration.calibrate(session, self.database, detectors, self.as_is)

    def query(self, articles: Iterable[AnyArticle] | str) -> list[Relation]:
        """Return the relations of articles to those in the archive; stores nothing.

        A single text is accepted as an article. An article is not compared with the stored one of the same id.
        """
        given = [articles] if isinstance(articles, str) else list(iterate(articles))
        queried = [to_article(item, number) for number, item in enumerate(given, 1)]
        features = prepare(queried, as_is=self.as_is)

        def search() -> list[Relation]:
            with self._lock, self.database.read() as session:
                return self._current_state(session).query(features)

        return self._beside_damage(search)

    def remove(self, ids: list[str]) -> list[Change]:
        """Remove articles; their groups may split."""
        with self._transaction() as (session, state, update):
            return self._remove(session, state, update, ids_of(ids), check=True)

    def expire(
        self,
        before: datetime | timedelta,
        force: bool = False,
        max_share: float = expiry.MAX_SHARE,
        grace: timedelta = expiry.GRACE,
        done: Callable[[int], None] | None = None,
    ) -> int:
        """Delete articles published before a time (UTC if it has no zone), or older than an age; return their count.

        Articles without a date expire by their arrival time. Without `force`, raises an ExpiryError if more than a
        share of the articles would be deleted, or if the clock may be wrong. During the grace period,
        `restore_expired` brings articles back. `done` is called with the count after every batch, which is on disk
        then: an expiry that was killed is finished by the next one.
        """
        limit, expired = expiry.Limit.of(before, _now()), 0
        with self.database.read() as session:
            if not force:
                expiry.check(session, limit, max_share)
            # a wrong clock ends no grace period either, and is not what later ones are compared with
            doubt = not force and expiry.clock_doubt(session, _now())
            is_trusted = not (doubt or expiry.is_clock_behind(session, _now()))
        while True:
            with self._transaction() as (session, state, update):
                rows = session.rows(
                    "SELECT id FROM articles WHERE coalesce(at, arrived) < ? LIMIT ?", (limit.before, BATCH_SIZE)
                )
                expiry.keep(session, [id for (id,) in rows], _now())
                self._remove(session, state, update, [id for (id,) in rows], check=False)
                expired += len(rows)
                is_last = len(rows) < BATCH_SIZE
                if is_last:
                    session.run(
                        "DELETE FROM changes WHERE at < ? AND seq <= ?", (limit.before, state.seq - MIN_LOG_LINES)
                    )
                    session.run("DELETE FROM answers WHERE at < ?", (_now() - ANSWER_LIFETIME,))
                    if is_trusted or not grace:
                        expiry.purge(session, _now(), grace)
                    if is_trusted:
                        expiry.note(session, limit)
            if done:
                done(expired)
            if is_last:
                break
        words.shrink(self.database, expired)
        self.database.free()
        return expired

    def preview_expiry(self, before: datetime | timedelta) -> expiry.ExpiryPreview:
        """Return what `expire` would delete; changes nothing."""
        with self.database.read() as session:
            return expiry.preview(session, expiry.Limit.of(before, _now()))

    def expiry_doubt(self, before: datetime | timedelta, max_share: float = expiry.MAX_SHARE) -> str | None:
        """Return why `expire` would refuse, or None."""
        with self.database.read() as session:
            try:
                expiry.check(session, expiry.Limit.of(before, _now()), max_share)
            except ExpiryError as error:
                return error.detail
        return None

    def restore_expired(self, since: datetime | None = None) -> AddResult:
        """Bring back the articles that expired at a time or later and are in their grace period.

        Their stories get new numbers. Articles that have been added again meanwhile stay as they are.
        """
        start, out = 0 if since is None else microseconds_of(since), AddResult()
        while True:
            with self._transaction() as (session, _, update):
                found = {each.article.id: each for each in expiry.load(session, start, BATCH_SIZE)}
                if not found:
                    return out
                present = stored.numbers_of_ids(session, found)
                absent = [each.article for id, each in found.items() if id not in present]
                part = self._add(ArticleBatch(absent, []), None)
                expiry.put_back(session, found, stored.load(session, part.new), part.new, update)
            out.extend(part)

    def _remove(
        self, session: Session, state: ArchiveState, update: DependencyUpdate, ids: list[str], check: bool
    ) -> list[Change]:
        numbers = stored.numbers_of_ids(session, ids)
        if not numbers:
            return []
        # expired articles leave their groups without splitting them
        changes = state.remove(session, list(numbers), regroup=check)
        left = stored.delete(session, self.database.kind, list(numbers.values()), state.compare, update)
        for table in ("revisions", "metadata"):
            session.run_among(f"DELETE FROM {table} WHERE id IN ({{}})", list(numbers))
        state.seq = log.write(session, changes, _now(), update)
        state.groups.reload(session, left)
        return changes

    def rebuild(
        self, detectors: Sequence[Detector | str] | None = None, done: Callable[[int], None] | None = None
    ) -> int:
        """Relate and group all articles again in one transaction, with other detectors if given; decisions are kept.

        Stories keep their numbers as far as they keep their articles. Returns the number of articles.
        """
        if detectors is not None:
            chosen = [parse(each) if isinstance(each, str) else each for each in detectors]
        else:
            chosen = list(self.detectors)
        with self.database.write() as session, self._lock:
            self._state = None
            for table in ("entries", "relations"):
                session.run(f"DELETE FROM {table}")
            drop_segments(session)
            for number in range(len(self.detectors)):
                Durable(self.database, str(number)).fingerprint = ""
            settings.put(session, "detectors", json.dumps([str(each) for each in chosen]))
            self._calibrate(session, chosen)
            state = ArchiveState(self.database, self.detectors, self.window, rebuilds=True)
            count, last, now = 0, 0, _now()
            while batch := stored.load_after(session, last, BATCH_SIZE):
                last, count = batch[-1].number, count + len(batch)
                features = prepare([each.article for each in batch], as_is=self.as_is)
                like = stored.likeness(features)
                found = state.search(features, state.put(features))
                relations, weaker, _ = state.group(session, features, like, found)
                numbers = {each.article.id: each.number for each in batch}
                stored.insert_relations(session, relations, numbers)
                stored.count_weaker_relations(session, numbers, weaker)
                state.freeze(session)
                if done:
                    done(count)
            rebuilt(session, state.groups.groups, now)
            self._write_decided_relations(session, state)
            dependencies.refresh_all(session)
        return count

    def preview_rebuild(
        self, detectors: Sequence[Detector | str] | None = None, done: Callable[[int], None] | None = None
    ) -> RebuildPreview:
        """Return what `rebuild` would change; changes nothing, and takes as long."""
        own = self.detectors
        try:
            with self.database.write() as session:
                before: dict[str, int] = dict(session.rows("SELECT id, story FROM articles"))
                self.rebuild(detectors, done)
                after: dict[str, int] = dict(session.rows("SELECT id, story FROM articles"))
                raise RollbackError
        except RollbackError:
            moved = sum(after[id] != story for id, story in before.items())
            return RebuildPreview(len(before), len(set(before.values())), len(set(after.values())), moved)
        finally:
            with self._lock:
                self.detectors, self._state = own, None

    @contextmanager
    def _transaction(self) -> Iterator[tuple[Session, ArchiveState, DependencyUpdate]]:
        """Begin a write transaction with an up-to-date state; an error rolls the database back and drops the state.

        The database lock is taken first, so that a writer waiting for another process does not block readers here.
        """
        with ExitStack() as transaction:
            session = transaction.enter_context(self.database.write())
            with self._lock:
                try:
                    update = DependencyUpdate(session)
                    yield session, self._current_state(session, writes=True), update
                    update.finish()
                    transaction.close()  # commit before other threads can read the state
                except DecisionError:
                    raise  # refused before anything was written
                except BaseException:
                    self._state = None
                    raise

    def _beside_damage(self, work: Callable[[], T]) -> T:
        """Do some work; if it comes upon a damaged segment, set that aside, and do it again with one written anew."""
        for _ in range(MAX_DAMAGED_SEGMENTS):
            try:
                return work()
            except StoreError as error:
                if not is_segment(self.database, error.place):
                    raise
                set_aside(str(error.place), error)
                with self._lock:
                    self._state = None
        return work()

    def _current_state(self, session: Session, writes: bool = False) -> ArchiveState:
        calibrated_at = settings.calibrated_at(session)
        if self._state is None or calibrated_at != self._calibrated_at or not self._state.catch_up(session):
            self._calibrated_at = calibrated_at
            # another process may have rebuilt it
            specs, self.window, self.as_is = settings.load_or_create(session, None, None)
            self.detectors = tuple(settings.load_detectors(session, specs))
            self._state = ArchiveState(self.database, self.detectors, self.window, writer=session if writes else None)
            self._state.load(session)
        self._state.groups.shrink()
        return self._state


def _run_both(index_texts: Callable[[], None], relate: Callable[[], T], articles: int) -> T:
    """Index texts in one thread while the detectors relate in this one; a few articles are not worth a thread."""
    if articles < MIN_ARTICLES_FOR_THREAD:
        index_texts()
        return relate()
    with ThreadPoolExecutor(1) as executor:
        indexing = executor.submit(index_texts)
        found = relate()
        indexing.result()
    return found


def _now() -> int:
    return time.time_ns() // 1000
