"""Measures: gold and a system's output to a number, with an interval; one file a measure, one table of them all."""

from typing import Any

from samestory.measures.across import Across, paired_t, wilcoxon
from samestory.measures.ami import Ami
from samestory.measures.ari import Ari
from samestory.measures.b_cubed import BCubed, BCubedPrecision, BCubedRecall
from samestory.measures.blocks import BlockF, BlockPrecision, BlockRecall
from samestory.measures.c_dup import CDup, PairCDup
from samestory.measures.cohen_kappa import CohenKappa
from samestory.measures.data import Blocks, Data, Flagged, Grouped, JudgedPairs, Predictions, Ratings, Sets
from samestory.measures.documents import DocF, DocFalseAlarm, DocMiss, DocPrecision, DocRecall
from samestory.measures.error_interval import ErrorInterval, error_interval
from samestory.measures.figure import Difference, Figure, difference, figure
from samestory.measures.kappa import band
from samestory.measures.measure import Measure, Summed
from samestory.measures.page_accuracy import PageAccuracy
from samestory.measures.pairs import PairF, PairFalseAlarm, PairMiss, PairPrecision, PairRecall
from samestory.measures.regression import R2, Mae, Rmse
from samestory.measures.roc_area import RocArea, hanley_mcneil
from samestory.measures.set_agreement import SetPrecision, SetRecall
from samestory.measures.siegel_kappa import KappaTest, SiegelKappa
from samestory.measures.spec import parse
from samestory.measures.sweep import Sweep, sweep

#: Every measure under the word that names it in specs.
MEASURES: dict[str, type[Measure[Any]]] = {
    cls.name: cls
    for cls in (
        *(DocMiss, DocFalseAlarm, DocPrecision, DocRecall, DocF, CDup),
        *(PairMiss, PairFalseAlarm, PairPrecision, PairRecall, PairF, PairCDup),
        *(BCubedPrecision, BCubedRecall, BCubed, Ari, Ami),
        RocArea,
        *(CohenKappa, SiegelKappa),
        *(BlockPrecision, BlockRecall, BlockF, PageAccuracy),
        *(R2, Mae, Rmse),
        *(SetPrecision, SetRecall),
    )
}

__all__ = [
    "MEASURES",
    "Across",
    "Blocks",
    "Data",
    "Difference",
    "ErrorInterval",
    "Figure",
    "Flagged",
    "Grouped",
    "JudgedPairs",
    "KappaTest",
    "Measure",
    "Predictions",
    "Ratings",
    "Sets",
    "Summed",
    "Sweep",
    "band",
    "difference",
    "error_interval",
    "figure",
    "hanley_mcneil",
    "paired_t",
    "parse",
    "sweep",
    "wilcoxon",
]
