"""Published experiments by study, one module each, that run by name on any collection."""

from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import DEFAULT_BASELINES, ExperimentInput
from samestory.lab.experiments.registry import EXPERIMENTS
from samestory.lab.experiments.reproduce import about, experiment, reproduce
from samestory.lab.experiments.studies import STUDIES
from samestory.lab.experiments.values import PublishedValue, ReportRow

__all__ = [
    "DEFAULT_BASELINES",
    "EXPERIMENTS",
    "STUDIES",
    "Experiment",
    "ExperimentInput",
    "PublishedValue",
    "ReportRow",
    "about",
    "experiment",
    "reproduce",
]
