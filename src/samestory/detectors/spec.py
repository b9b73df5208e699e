"""Specs of detectors, as in `minhash(bands=20, rows=5)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from samestory import specs
from samestory.detectors.base import Detector
from samestory.detectors.entry_points import installed
from samestory.detectors.plugins import IMPORT_PATH, load_installed, load_path
from samestory.detectors.table import PLACES
from samestory.errors import ParameterError
from samestory.model import shown

#: The class of every detector by its name in specs; imported when it is used.
DETECTORS: specs.Table[Detector] = specs.Table("samestory.detectors", PLACES)

#: Other names of detectors.
ALIASES = {"imatch": "imatch-idf"}


def parse(spec: str) -> Detector:
    """The detector with a spec: one of this package, of an installed package, or of a module (`module:Class`).

    >>> parse("minhash(threshold=0.5)") == parse("minhash(threshold = 0.5, rows=8)")
    True
    """
    return _parse(spec, imports=True)


def parse_stored(spec: str) -> Detector:
    """The detector with a spec from stored data, which never imports a module that is not imported yet."""
    return _parse(spec, imports=False)


def _parse(spec: str, imports: bool) -> Detector:
    if not isinstance(spec, str):
        raise ParameterError(f"expected a detector's spec, got {shown(spec)}")
    if found := IMPORT_PATH.fullmatch(spec):
        cls = load_path(found[1], imports)
        return _made(f"{cls.name}{found[2] or ''}", {cls.name: cls})
    return _made(spec, _Known())


def _made(spec: str, table: Mapping[str, type[Detector]]) -> Detector:
    example = "minhash(bands=20, rows=5)"
    return specs.parse(spec, table, what="detector", example=example, listing="samestory detectors")


class _Known(Mapping[str, type[Detector]]):
    """The detectors of this package, and behind them those of others; the latter are looked up only if necessary."""

    def __init__(self) -> None:
        self._own = DETECTORS.also(ALIASES)

    def __getitem__(self, name: str) -> type[Detector]:
        return self._own[name] if name in self._own else load_installed(name)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in installed()

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from (name for name in installed() if name not in self._own)

    def __len__(self) -> int:
        return sum(1 for _ in self)
