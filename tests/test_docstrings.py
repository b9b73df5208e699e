"""Every public method is documented, by itself or by the base class whose method it overrides."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import samestory

#: Modules that need an optional extra.
OPTIONAL = ("samestory.spark",)


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(samestory.__path__, "samestory."):
        if not module.name.startswith(OPTIONAL) and not module.name.endswith("__main__"):
            try:
                yield importlib.import_module(module.name)
            except ImportError:
                continue


def undocumented(module: ModuleType) -> Iterator[str]:
    for name, kind in inspect.getmembers(module, inspect.isclass):
        if kind.__module__ != module.__name__ or name.startswith("_"):
            continue
        for method, value in vars(kind).items():
            inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            is_method = not method.startswith("_") and inspect.isfunction(inner) and inner.__name__ != "<lambda>"
            if is_method and not inspect.getdoc(getattr(kind, method)):
                yield f"{module.__name__}.{name}.{method}"


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: module.__name__)
def test_public_methods_are_documented(module: ModuleType) -> None:
    assert list(undocumented(module)) == []
