"""The table of measures."""

from __future__ import annotations

from typing import Any

from samestory.lab.measures.ami import Ami
from samestory.lab.measures.ari import Ari
from samestory.lab.measures.b_cubed import BCubed, BCubedPrecision, BCubedRecall
from samestory.lab.measures.blocks import BlockF, BlockPrecision, BlockRecall
from samestory.lab.measures.c_dup import CDup, PairCDup
from samestory.lab.measures.cohen_kappa import CohenKappa
from samestory.lab.measures.documents import DocF, DocFalseAlarm, DocMiss, DocPrecision, DocRecall
from samestory.lab.measures.measure import Measure
from samestory.lab.measures.page_accuracy import PageAccuracy
from samestory.lab.measures.pairs import PairF, PairFalseAlarm, PairMiss, PairPrecision, PairRecall
from samestory.lab.measures.regression import R2, Mae, Rmse
from samestory.lab.measures.roc_area import RocArea
from samestory.lab.measures.set_agreement import SetPrecision, SetRecall
from samestory.lab.measures.siegel_kappa import SiegelKappa

#: Every measure, by its name in specs.
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
