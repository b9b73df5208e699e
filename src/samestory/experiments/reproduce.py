"""Runs an experiment by name, and says what must be known to read it."""

from __future__ import annotations

from samestory.errors import ParameterError, SamestoryError
from samestory.experiments.collection import Collection, check
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import OURS, TABLE, YOURS, Row


def experiment(name: str) -> Experiment:
    """The experiment of this name, in capitals or not.

    >>> experiment("u4").source
    'Uyar 2009, Table 6.10'
    """
    from samestory.experiments import EXPERIMENTS

    if name.upper() not in EXPERIMENTS:
        raise ParameterError(f"no experiment is called {name!r}; there are {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name.upper()]


def reproduce(name: str, collection: Collection | None = None) -> list[Row]:
    """What was published beside what comes out here.

    >>> for row in reproduce("X1")[:2]:
    ...     print(row.what, row.published, row.shown)
    mega-shingles find resemblance 95 %, in % almost 90 87.86
    mega-shingles find resemblance 80 %, in % 2.6 2.578
    """
    wanted, collection = experiment(name), collection or Collection()
    if wanted.run is None:
        raise SamestoryError(f"{wanted.name} cannot run yet: {wanted.state}")
    check(wanted, collection)
    return list(wanted.run(collection))


def about(wanted: Experiment, collection: Collection, rows: list[Row]) -> list[str]:
    """What must be known to read the rows."""
    bases = {row.basis for row in rows}
    out = []
    if TABLE in bases:
        out.append("table: computed again from numbers that the study prints; no article was read")
    if YOURS in bases:
        out.append(
            "yours: measured on your articles; the study's own are not public, so the two differ in more than method"
        )
    if OURS in bases:
        out.append("ours: on articles that were written for it, as those of the study are not public")
    gold = collection.gold
    if gold is not None and YOURS in bases and wanted.gold != "no":
        out.append(f"{len(gold):,} judged: {gold.meaning.name} ({gold.meaning.definition})")
        if gold.meaning.name != wanted.relation:
            out.append(f"the study is about {wanted.relation}: what counts as a duplicate there may not count here")
        if gold.left_out:
            out.append("left out: " + ", ".join(f"{count:,} × {what}" for what, count in gold.left_out.items()))
        out.append(f"not seen: {gold.bias}")
    if wanted.missing:
        out.append(f"not here yet: {', '.join(wanted.missing)}")
    if wanted.unpublished:
        out.append(f"not published: {wanted.unpublished}")
    return out
