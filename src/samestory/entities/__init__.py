"""Recognition of persons, places and organisations in articles.

    samestory.entities(articles)                       the names in articles, a list for each
    from samestory.entities import Recogniser          the recogniser

The package itself is callable: it does the same as its function `entities`.
"""

import sys
from inspect import signature
from types import ModuleType

from samestory.entities.gazetteer import Gazetteer, read_gazetteer
from samestory.entities.models import Model, load
from samestory.entities.recogniser import Entity, Recogniser, entities, recogniser

__all__ = ["Entity", "Gazetteer", "Model", "Recogniser", "entities", "load", "read_gazetteer", "recogniser"]


class _CallableModule(ModuleType):
    # a function of this name in `samestory` would hide the package from `import samestory.entities as e` and from
    # `samestory.entities.Recogniser`; a module class with `__call__` is both. For type checkers,
    # `samestory/__init__.py` declares it as the function.
    __call__ = staticmethod(entities)


sys.modules[__name__].__class__ = _CallableModule
__signature__ = signature(entities)  # for editors
