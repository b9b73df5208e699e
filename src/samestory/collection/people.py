"""Those who judge, each under a pseudonym and with a link of their own."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from samestory.collection.collection import Collection
from samestory.database import Session
from samestory.errors import InputError, ParameterError


@dataclass(frozen=True, slots=True)
class Assessor:
    """Somebody who judges, under a pseudonym."""

    number: int
    name: str
    team: str | None


def hire(collection: Collection, names: Iterable[str], team: str | None = None, renew: bool = True) -> dict[str, str]:
    """Takes assessors in; gives the token of each, which is told this once.

    One who is there gets a new token, or with `renew` off keeps the old one; a team that is given is theirs from now
    on.
    """
    tokens: dict[str, str] = {}
    with collection.database.write() as session:
        for name in names:
            if not name.strip() or len(name) > 100 or not name.isprintable():
                raise ParameterError(f"an assessor: a short pseudonym is wanted, got {name!r}")
            there = session.one("SELECT number FROM assessors WHERE name = ?", (name,))
            if there and team is not None:
                session.run("UPDATE assessors SET team = ? WHERE number = ?", (team, there[0]))
            if there and not renew:
                continue
            tokens[name] = secrets.token_urlsafe(18)
            if there:
                session.run("UPDATE assessors SET token = ? WHERE number = ?", (hashed(tokens[name]), there[0]))
            else:
                session.insert("assessors", ("name", "token", "team"), [(name, hashed(tokens[name]), team)])
    return tokens


def hashed(token: str) -> str:
    """What is kept of a token: who reads the file cannot judge in another's name."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def assessors(session: Session) -> list[Assessor]:
    """Everybody who judges."""
    return [Assessor(*row) for row in session.rows("SELECT number, name, team FROM assessors ORDER BY number")]


def team_of(given: str) -> tuple[str | None, list[str]]:
    """A team and its members as the command line has them: A=s1,s2; or members of none.

    >>> team_of("A=s1,s2"), team_of("s3")
    (('A', ['s1', 's2']), (None, ['s3']))
    """
    team, equals, members = given.rpartition("=")
    names = [name.strip() for name in members.split(",") if name.strip()]
    if not names or (equals and not team.strip()):
        raise InputError(f"assessors: names, or TEAM=NAME,NAME are wanted, got {given!r}")
    return (team.strip() or None), names
