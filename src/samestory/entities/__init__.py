"""Persons, places and organisations: who and what an article is about.

    samestory.entities(articles)                       the names in articles, a list for each
    from samestory.entities import Recogniser          what tells them

One word is both the function and its package: the package can be called, and does what its function `entities` does.
"""

import sys
from inspect import signature
from types import ModuleType

from samestory.entities.gazetteer import Gazetteer, read_gazetteer
from samestory.entities.models import Model, load
from samestory.entities.recogniser import Entity, Recogniser, entities, recogniser

__all__ = ["Entity", "Gazetteer", "Model", "Recogniser", "entities", "load", "read_gazetteer", "recogniser"]


class _Callable(ModuleType):
    # a function of this name in `samestory` would hide the package from `import samestory.entities as e` and from
    # `samestory.entities.Recogniser`; a package of a class with `__call__` is both. Type checkers are told in
    # `samestory/__init__.py` that it is the function.
    __call__ = staticmethod(entities)


sys.modules[__name__].__class__ = _Callable
__signature__ = signature(entities)  # for help while typing
