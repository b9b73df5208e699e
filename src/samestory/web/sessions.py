"""Who has signed in: a cookie that the server signed, and forms that only its own pages can hold.

Nothing is remembered: the cookie is a random word and the time until which it holds, signed with the token; forms carry
another signature of the same word. A new token ends all of them.
"""

from __future__ import annotations

import hmac
import secrets
import time

from fastapi import Request
from fastapi.responses import Response

from samestory.web.limits import Keeper

COOKIE = "samestory"
#: For so many seconds.
HOLDS = 7 * 24 * 3600


class Sessions:
    """Signs people in and out."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    def word(self, request: Request) -> str | None:
        """The word of whoever has signed in."""
        given = request.cookies.get(COOKIE, "")
        word, _, signature = given.rpartition(".")
        if self._keeper.closed or not word.isascii() or not signature.isascii():
            return None
        if not hmac.compare_digest(signature, self._keeper.sign(f"session {word}")):
            return None
        until = word.partition(".")[0]
        return word if until.isdigit() and int(until) > time.time() else None

    def proof(self, request: Request) -> str | None:
        """What a form must carry; None for whoever has not signed in."""
        word = self.word(request)
        return None if word is None else self._keeper.sign(f"form {word}")

    def proves(self, request: Request, given: str) -> bool:
        """Does a form come from one of our pages, shown to whoever sends it?"""
        proof = self.proof(request)
        return proof is not None and given.isascii() and hmac.compare_digest(proof, given)

    def sign_in(self, request: Request, answer: Response) -> None:
        """Gives a cookie."""
        word = f"{int(time.time()) + HOLDS}.{secrets.token_hex(16)}"
        answer.set_cookie(
            COOKIE,
            f"{word}.{self._keeper.sign(f'session {word}')}",
            max_age=HOLDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def sign_out(self, answer: Response) -> None:
        """Takes the cookie back."""
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
