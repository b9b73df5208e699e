"""Assessors, each with a pseudonym and a personal link."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from samestory.database import Session
from samestory.errors import InputError, ParameterError
from samestory.lab.collection.collection import Collection


@dataclass(frozen=True, slots=True)
class Assessor:
    """An assessor, known by a pseudonym."""

    number: int
    name: str
    team: str | None


def hire(collection: Collection, names: Iterable[str], team: str | None = None, renew: bool = True) -> dict[str, str]:
    """Register assessors; returns the new token of each, of which only a hash is stored.

    An existing assessor gets a new token, or keeps the old one with `renew` off; a given team replaces the old one.
    """
    tokens: dict[str, str] = {}
    with collection.database.write() as session:
        for name in names:
            if not name.strip() or len(name) > 100 or not name.isprintable():
                raise ParameterError(f"assessor: expected a short pseudonym, got {name!r}")
            existing = session.one("SELECT number FROM assessors WHERE name = ?", (name,))
            if existing and team is not None:
                session.run("UPDATE assessors SET team = ? WHERE number = ?", (team, existing[0]))
            if existing and not renew:
                continue
            tokens[name] = secrets.token_urlsafe(18)
            if existing:
                session.run("UPDATE assessors SET token = ? WHERE number = ?", (sha256_hex(tokens[name]), existing[0]))
            else:
                session.insert("assessors", ("name", "token", "team"), [(name, sha256_hex(tokens[name]), team)])
    return tokens


def sha256_hex(text: str) -> str:
    """Return a SHA-256 digest. Tokens are stored only so, and cannot be read from the file."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def assessors(session: Session) -> list[Assessor]:
    """Return all assessors."""
    return [Assessor(*row) for row in session.rows("SELECT number, name, team FROM assessors ORDER BY number")]


def parse_team(given: str) -> tuple[str | None, list[str]]:
    """Parse a team and its members as given on the command line: A=s1,s2; or members without a team.

    >>> parse_team("A=s1,s2"), parse_team("s3")
    (('A', ['s1', 's2']), (None, ['s3']))
    """
    team, equals, members = given.rpartition("=")
    names = [name.strip() for name in members.split(",") if name.strip()]
    if not names or (equals and not team.strip()):
        raise InputError(f"assessors: expected NAME,NAME or TEAM=NAME,NAME, got {given!r}")
    return (team.strip() or None), names
