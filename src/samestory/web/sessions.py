"""Sign-in sessions: a signed cookie, a row in the database, and a token in forms against cross-site request forgery.

The cookie is an expiry time, a random nonce and the name of the editor, signed with the token; forms carry another
signature of the same. The database has a hash of it until the client signs out, so that a copy of the cookie is
worthless from then on, also after a restart and on other portals of the archive. A new token ends all sessions.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time

from fastapi import Request
from fastapi.responses import Response

from samestory.archive import checksums
from samestory.database import Database
from samestory.web.limits import AccessToken

COOKIE = "samestory"
MAX_AGE_SECONDS = 7 * 24 * 3600
#: Sessions of all clients; the oldest ends when another begins.
MAX_SESSIONS = 1000


class Sessions:
    """Signs clients in and out."""

    def __init__(self, access: AccessToken, database: Database) -> None:
        self._access, self._database = access, database

    def nonce(self, request: Request) -> str | None:
        """Return the expiry time and nonce of a valid cookie; None if the client is not signed in."""
        nonce = self._signed_nonce(request)
        if nonce is None:
            return None
        with self._database.read() as session:
            is_open = session.one("SELECT 1 FROM sessions WHERE id = ?", (_digest(nonce),))
        return nonce if is_open else None

    def editor(self, request: Request) -> str:
        """Return the name that the client gave when it signed in; empty if it gave none or is not signed in."""
        encoded = (self.nonce(request) or "").split(".")[2:]
        return base64.urlsafe_b64decode(encoded[0] + "=" * (-len(encoded[0]) % 4)).decode() if encoded else ""

    def csrf_token(self, request: Request) -> str | None:
        """Return the CSRF token that a form must carry; None if the client is not signed in."""
        nonce = self.nonce(request)
        return None if nonce is None else self._access.sign(f"form {nonce}")

    def is_csrf_token(self, request: Request, given: str) -> bool:
        """Return whether the CSRF token of a form belongs to the session of the client that sends it."""
        expected = self.csrf_token(request)
        return expected is not None and given.isascii() and hmac.compare_digest(expected, given)

    def sign_in(self, request: Request, response: Response, name: str = "") -> None:
        """Begin a session and set the cookie, which has the name of the editor."""
        now = int(time.time())
        until = now + MAX_AGE_SECONDS
        nonce = f"{until}.{secrets.token_hex(16)}"
        if name:
            nonce += "." + base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
        with self._database.write() as session:
            session.run("DELETE FROM sessions WHERE until <= ?", (now,))
            newest = "SELECT id FROM sessions ORDER BY until DESC, id LIMIT ?"
            session.run(f"DELETE FROM sessions WHERE id NOT IN ({newest})", (MAX_SESSIONS - 1,))
            checksums.insert(session, "sessions", ("id", "until"), [(_digest(nonce), until)])
        response.set_cookie(
            COOKIE,
            f"{nonce}.{self._access.sign(f'session {nonce}')}",
            max_age=MAX_AGE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def sign_out(self, request: Request, response: Response) -> None:
        """End the session and delete the cookie."""
        nonce = self._signed_nonce(request)
        if nonce is not None:
            with self._database.write() as session:
                session.run("DELETE FROM sessions WHERE id = ?", (_digest(nonce),))
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")

    def _signed_nonce(self, request: Request) -> str | None:
        """Return the expiry time and nonce of a cookie that this server has signed and that has not expired."""
        nonce, _, signature = request.cookies.get(COOKIE, "").rpartition(".")
        if self._access.is_unset or not nonce.isascii() or not signature.isascii():
            return None
        if not hmac.compare_digest(signature, self._access.sign(f"session {nonce}")):
            return None
        until = nonce.partition(".")[0]
        return nonce if until.isdigit() and int(until) > time.time() else None


def _digest(nonce: str) -> str:
    return hashlib.sha256(nonce.encode()).hexdigest()
