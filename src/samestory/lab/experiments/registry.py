"""Every experiment, by name."""

from samestory.lab.experiments import conrad, fomin, further, gibson, uyar, varol
from samestory.lab.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for study in (uyar, varol, gibson, conrad, fomin, further)
    for experiment in study.EXPERIMENTS
}
