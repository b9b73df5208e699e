"""What can go wrong.

SamestoryError
├── ParameterError (ValueError)     a detector, policy or option that cannot be
├── NotFittedError                  a detector that has not seen the words it must weigh
├── InputError (ValueError)         a file, line or field that cannot be read
│   └── NotAPage                    a picture, an archive, a program served as a page
├── FetchError                      an address that cannot be fetched, or must not be
├── DecisionError (ValueError)      decisions about pairs that contradict each other
├── MismatchError                   an index made with another detector or preparation
└── StoreError                      a database that cannot do what is asked: full, damaged, out of reach
"""


class SamestoryError(Exception):
    """The root of all errors of samestory; a hint, when there is one, says the way out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\nhint: {hint}" if hint else message)
        self.hint = hint


class ParameterError(SamestoryError, ValueError):
    """A parameter that cannot be: who, what is wanted, what came."""


class NotFittedError(SamestoryError):
    """A detector that must know how frequent words are, and does not yet."""


class InputError(SamestoryError, ValueError):
    """An input that cannot be read: where, and why."""


class NotAPage(InputError):  # noqa: N818 - says what it is
    """What was served as a page is none: what it is."""


class FetchError(SamestoryError):
    """An address that cannot be fetched, or must not be: why, the status of the answer, the seconds to wait.

    >>> str(FetchError("http://a.com/rss", "404 not found", 404))
    'http://a.com/rss: 404 not found'
    """

    def __init__(self, url: str, reason: str, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(f"{url[:200]}: {reason}")
        self.url, self.reason, self.status, self.wait = url, reason, status, wait


class DecisionError(SamestoryError, ValueError):
    """Decisions about pairs that contradict each other."""


class MismatchError(SamestoryError):
    """An index made with another detector: its signatures mean something else."""


class StoreError(SamestoryError):
    """A database that cannot do what is asked of it: which one, and why."""
