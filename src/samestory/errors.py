"""Exceptions raised by samestory.

SamestoryError
├── ParameterError (ValueError)     an invalid detector, policy or option
├── NotFittedError                  a detector used before its word frequencies were counted
├── InputError (ValueError)         a file, line or field that cannot be read
│   └── NotAPage                    an image, archive or executable served as a page
├── DetectorError                   an exception in a detector of the user's own
├── FetchError                      a URL that cannot or must not be fetched
├── DecisionError (ValueError)      decisions about pairs that contradict each other
├── MissingExtraError               an optional library that is not installed
├── MismatchError                   an index made with another detector or preparation
├── ExpiryError                     an expiry that would delete too much, or by a clock that may be wrong
└── StoreError                      a database operation that failed: full, damaged, unreachable
"""

from __future__ import annotations

from typing import Any


class SamestoryError(Exception):
    """The base of all samestory exceptions.

    `detail` is what happened; `place`, if known, is the file, line or address; `hint`, if not empty, suggests a fix.

    >>> print(InputError("no such file", "check the spelling", place="news.jsonl"))
    news.jsonl: no such file
    hint: check the spelling
    """

    def __init__(self, detail: str, hint: str = "", *, place: object = "") -> None:
        self.place, self.detail, self.hint = str(place), detail, hint
        message = self.without_hint
        super().__init__(f"{message}\nhint: {hint}" if hint else message)

    @property
    def without_hint(self) -> str:
        """The place and what happened, for a report that has the hint in a field of its own."""
        return f"{self.place}: {self.detail}" if self.place else self.detail

    @property
    def without_place(self) -> str:
        """The message for a report that has the place in a field of its own."""
        return f"{self.detail}\nhint: {self.hint}" if self.hint else self.detail

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(cls: type[SamestoryError], args: tuple[Any, ...], fields: dict[str, Any]) -> SamestoryError:
    """Returns a pickled error."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class MissingExtraError(SamestoryError):
    """An optional library that is not installed: what needs it, and the extra to install."""


class ParameterError(SamestoryError, ValueError):
    """An invalid parameter: its name, the expected value, the actual value."""


class NotFittedError(SamestoryError):
    """A detector that needs word frequencies and has not been fitted."""


class InputError(SamestoryError, ValueError):
    """An input that cannot be read: location and reason."""


class NotAPage(InputError):  # noqa: N818 - public name
    """Content served as a page that is not HTML."""


class DetectorError(SamestoryError):
    """An exception in a detector that is not part of this package: the detector, its method, and the exception."""


class FetchError(SamestoryError):
    """A URL that cannot or must not be fetched: reason, HTTP status, seconds to wait before a retry.

    >>> str(FetchError("http://a.com/rss", "404 not found", 404))
    'http://a.com/rss: 404 not found'
    """

    def __init__(self, url: str, reason: str, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(reason, place=url[:200])
        self.url, self.reason, self.status, self.wait = url, reason, status, wait


class DecisionError(SamestoryError, ValueError):
    """Decisions about pairs that contradict each other."""


class MismatchError(SamestoryError):
    """An index built with another detector or preparation, whose signatures are not comparable."""


class ExpiryError(SamestoryError):
    """An expiry that was refused: how much it would delete, or what contradicts the clock."""


class StoreError(SamestoryError):
    """A failed database operation: which database, and why."""
