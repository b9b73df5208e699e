"""Old forms of arguments: accepted for one version, with a warning that has the new form."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def accept_old_arguments(*positional: str, **renamed: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Returns a decorator for a function some of whose arguments were passed by position or by another name.

    `positional`: the keywords that could be passed by position, in their order.
    `renamed`: the new keyword by the old one.

    >>> @accept_old_arguments("detector", choice="grouping")
    ... def find(articles, *, detector="reuse", grouping="star"):
    ...     return articles, detector, grouping
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     find([], "event", choice="majority")
    ([], 'event', 'majority')
    >>> print(*(warning.message for warning in caught), sep="; ")
    find: pass detector=… by keyword; find: choice=… is now grouping=…
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kinds = [each.kind for each in signature(function).parameters.values()]
        allowed = kinds.count(Parameter.POSITIONAL_OR_KEYWORD)
        name = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def call(*args: Any, **keywords: Any) -> R:
            if allowed < len(args) <= allowed + len(positional):
                for keyword, value in zip(positional, args[allowed:], strict=False):
                    if keyword in keywords:
                        raise TypeError(f"{name}() got multiple values for argument {keyword!r}")
                    _warn(f"{name}: pass {keyword}=… by keyword")
                    keywords[keyword] = value
                args = args[:allowed]
            for old, keyword in renamed.items():
                if old not in keywords:
                    continue
                if keyword in keywords:
                    raise TypeError(f"{name}() got both {old!r} and {keyword!r}, its new name")
                _warn(f"{name}: {old}=… is now {keyword}=…")
                keywords[keyword] = keywords.pop(old)
            return function(*args, **keywords)

        return call

    return decorate


def _warn(message: str) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=3)  # at the call of the function
