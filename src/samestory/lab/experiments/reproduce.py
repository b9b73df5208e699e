"""Run experiments by name, with notes to interpret the rows."""

from __future__ import annotations

from samestory.errors import ParameterError, SamestoryError
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.registry import EXPERIMENTS
from samestory.lab.experiments.requirements import check
from samestory.lab.experiments.values import OURS, TABLE, YOURS, ReportRow


def experiment(name: str) -> Experiment:
    """Return the experiment of this name, case-insensitively.

    >>> experiment("u4").source
    'Uyar 2009, Table 6.10'
    """
    if name.upper() not in EXPERIMENTS:
        raise ParameterError(f"unknown experiment {name!r}; available: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name.upper()]


def reproduce(name: str, collection: ExperimentInput | None = None) -> list[ReportRow]:
    """Run an experiment, and return the published values with the measured ones.

    >>> for row in reproduce("X1")[:2]:
    ...     print(row.what, row.published, row.shown)
    mega-shingles find resemblance 95 %, in % almost 90 87.86
    mega-shingles find resemblance 80 %, in % 2.6 2.578
    """
    chosen, collection = experiment(name), collection or ExperimentInput()
    if chosen.run is None:
        raise SamestoryError(f"{chosen.name} cannot run yet: {chosen.state}")
    check(chosen, collection)
    return list(chosen.run(collection))


def about(chosen: Experiment, collection: ExperimentInput, rows: list[ReportRow]) -> list[str]:
    """Return notes to interpret the rows."""
    bases = {row.basis for row in rows}
    out = []
    if TABLE in bases:
        out.append("table: recomputed from printed numbers of the study; no article was read")
    if YOURS in bases:
        out.append(
            "yours: measured on your articles; those of the study are not public, so more than the method differs"
        )
    if OURS in bases:
        out.append("ours: measured on articles written for it, as those of the study are not public")
    gold = collection.gold
    if gold is not None and YOURS in bases and chosen.gold != "no":
        out.append(f"{len(gold):,} judged: {gold.meaning.name} ({gold.meaning.definition})")
        if gold.meaning.name != chosen.relation:
            out.append(
                f"the study is about {chosen.relation}: its definition of a duplicate differs from that of your gold"
            )
        if gold.left_out:
            out.append("left out: " + ", ".join(f"{count:,} × {what}" for what, count in gold.left_out.items()))
        out.append(f"not measured: {gold.bias}")
    if chosen.missing:
        out.append(f"not implemented yet: {', '.join(chosen.missing)}")
    if chosen.unpublished:
        out.append(f"not published: {chosen.unpublished}")
    return out
