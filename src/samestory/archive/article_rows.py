"""Checks the rows of articles and their signatures against their texts, and makes them again."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from samestory import _core
from samestory.archive import checksums, stored
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.detectors import Detector
from samestory.errors import SamestoryError
from samestory.index.durable import is_entry
from samestory.model import NO_TIME, Article, Features, Signatures
from samestory.text import prepare

#: Articles that are checked at a time.
BATCH = 1000

_TEXTS = ("a.id", "a.source", "a.lang", "t.text", "t.title", "t.published")
_NUMBERS = ("a.number", "a.at", "a.day", "a.arrived", "a.words", "a.likeness")


class Row(NamedTuple):
    """A stored article, as it is; texts that are not UTF-8 are bytes."""

    id: Any
    source: Any
    lang: Any
    text: Any
    title: Any
    published: Any
    number: int
    at: Any
    day: Any
    arrived: Any
    words: Any
    likeness: Any


@dataclass
class Findings:
    """Ids of damaged articles, by what is damaged and how it is made again (empty: it cannot)."""

    kinds: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def note(self, id: str, what: str, repair: str = "") -> None:
        """Note a damaged article."""
        self.kinds.setdefault((what, repair), []).append(id)


class Checker:
    """Compares stored rows with what the archive would store for their texts today."""

    def __init__(
        self,
        database: Database,
        detectors: Sequence[Detector],
        as_is: bool,
        repair: bool,
        changed_articles: Container[int] = (),
        changed_texts: Container[int] = (),
    ) -> None:
        """Rows of the tables `articles` and `texts` that have changed are given by their numbers."""
        self.database, self.detectors, self.as_is, self.repair = database, detectors, as_is, repair
        self.changed_articles, self.changed_texts = changed_articles, changed_texts

    def batches(self, session: Session) -> Iterator[list[Row]]:
        """Yield the articles that have a text, in order of arrival."""
        # SQLite would fail at the first text that is not UTF-8
        text = "CAST({} AS BLOB)" if self.database.kind == "sqlite" else "{}"
        columns = ", ".join([*map(text.format, _TEXTS), *_NUMBERS])
        sql = f"SELECT {columns} FROM articles a JOIN texts t ON t.number = a.number WHERE a.number > ?"
        last = -(2**63)
        while rows := session.rows(f"{sql} ORDER BY a.number LIMIT {BATCH}", (last,)):
            batch = [Row(*map(_decoded, row[: len(_TEXTS)]), *row[len(_TEXTS) :]) for row in rows]
            last = batch[-1].number
            yield batch

    def check(self, session: Session, batch: Sequence[Row], findings: Findings) -> None:
        """Note what is damaged in a batch, and repair it if asked to."""
        good: list[tuple[Row, Article]] = []
        for row in batch:
            if any(isinstance(value, bytes) for value in row[: len(_TEXTS)]):
                findings.note(str(row.id), "article with a text that is not UTF-8")
                continue
            try:
                good.append((row, Article(row.id, row.text, row.title, row.published, None, row.source, row.lang)))
            except SamestoryError:
                findings.note(str(row.id), "article whose text is damaged")
        if not good:
            return
        features = prepare([article for _, article in good], as_is=self.as_is)
        rows = [row for row, _ in good]
        wrong = [self._wrong_signatures(session, number, features) for number in range(len(self.detectors))]
        likeness, counts = stored.likeness(features), features.tokens.lengths().tolist()
        exact = [wrong[number] for number, each in enumerate(self.detectors) if each.signs_exactly]
        for at, row in enumerate(rows):
            if row.likeness != likeness[at] and any(at in each for each in exact):
                # the hash of its words and a signature agree that it was another text
                findings.note(row.id, "article whose text has changed since it was stored")
            elif row.number in self.changed_texts:
                findings.note(row.id, "article whose text, title, date or URL has changed since it was stored")
            elif row.number in self.changed_articles and _is_date(row.arrived):
                findings.note(
                    row.id, "article whose source, language or time of arrival has changed since it was stored"
                )
            else:
                self._check_row(session, row, (features.microseconds[at], counts[at], likeness[at]), findings)
                continue
            # what follows from damaged values must not replace what followed from the true ones
            for each in wrong:
                each.discard(at)
        for number, each in enumerate(wrong):
            for at in sorted(each):
                findings.note(rows[at].id, f"damaged signature of {self.detectors[number].name}", "signed again")
            if self.repair and each:
                self._sign(session, number, features.take(sorted(each)))

    def _check_row(self, session: Session, row: Row, expected: tuple[int, int, int], findings: Findings) -> None:
        at = None if expected[0] == NO_TIME else expected[0]
        arrived = row.arrived
        if not _is_date(arrived):
            findings.note(row.id, "damaged time of arrival", "replaced by the date")
            arrived = 0 if at is None else at
        day = (arrived if at is None else at) // stored.DAY
        if row.at != at or row.day != day:
            findings.note(row.id, "damaged date", "read again")
        if (row.words, row.likeness) != expected[1:]:
            findings.note(row.id, "damaged count or hash of the words", "counted again")
        if self.repair and (row.at, row.day, row.arrived, row.words, row.likeness) != (at, day, arrived, *expected[1:]):
            session.run(
                "UPDATE articles SET at = ?, day = ?, arrived = ?, words = ?, likeness = ? WHERE number = ?",
                (at, day, arrived, *expected[1:], row.number),
            )
            if row.arrived != arrived:
                checksums.renew(session, "articles", "number", [row.number])

    def _wrong_signatures(self, session: Session, number: int, features: Features) -> set[int]:
        """Return the positions of the articles whose entry of a detector is missing or not that of its text."""
        import numpy as np

        detector = self.detectors[number]
        sql = "SELECT id, published, source, signature FROM entries WHERE detector = ? AND id IN ({})"
        found: Mapping[Any, tuple[Any, ...]] = {
            row[0]: row for row in session.rows_among(sql, features.ids, (str(number),))
        }
        expected = list(self._entries(detector, features))
        wrong = set()
        for at, row in enumerate(expected):
            entry = found.get(row[0])
            if entry is None or not is_entry(*entry) or entry[:3] != row[:3]:
                wrong.add(at)
            elif detector.signs_exactly:
                if row[3] not in (entry[3], _calibrated(detector, entry[3])):
                    wrong.add(at)
            elif detector.malformed_rows(Signatures.from_offsets(entry[3], np.array([0, len(entry[3])], np.int64))):
                wrong.add(at)
        return wrong

    def _sign(self, session: Session, number: int, features: Features) -> None:
        sql = "DELETE FROM entries WHERE detector = ? AND id IN ({})"
        session.run_among(sql, features.ids, (str(number),))
        rows = [(str(number), *row) for row in self._entries(self.detectors[number], features)]
        session.insert("entries", ("detector", "id", "published", "source", "signature"), rows)

    def _entries(self, detector: Detector, features: Features) -> Iterator[tuple[Any, ...]]:
        """Yield the entries of articles: id, time, source and signature."""
        signatures = detector.signature_rows(features)
        for id, at, source, signature in zip(
            features.ids, features.microseconds, features.sources, signatures, strict=True
        ):
            hashed = _core.detectors.source_hash(source or "")
            signed = hashed - 2**64 if hashed >= 2**63 else hashed
            yield id, None if at == NO_TIME else int(at), signed, signature


def _calibrated(detector: Detector, signature: bytes) -> bytes | None:
    """Return a stored signature, which may be of an earlier calibration, as it is indexed; None if it is damaged."""
    import numpy as np

    if len(signature) % 4 or not detector.calibrates:
        return None
    row = Signatures.from_offsets(signature, np.array([0, len(signature)], np.int64))
    return detector.engine.apply_calibration(row)[0]


def _decoded(value: Any) -> Any:
    """Return bytes as a text if they are UTF-8."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def _is_date(value: Any) -> bool:
    try:
        return type(value) is int and bool(moment(value))
    except SamestoryError:
        return False
