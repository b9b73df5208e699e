"""The check that an experiment can run on an input."""

from __future__ import annotations

from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput


def check(experiment: Experiment, collection: ExperimentInput) -> None:
    """Raise if the experiment cannot run on this input, with what is missing."""
    given = {"--docs": bool(collection.sources), "--gold": collection.gold is not None}
    uses = {"--docs": experiment.docs, "--gold": experiment.gold}
    # gold refers to articles: where both are used, neither is useful alone
    both = "no" not in uses.values() and any(given.values())
    absent = [word for word, use in uses.items() if not given[word] and (use == "must" or both)]
    if absent:
        raise ParameterError(f"{experiment.name} needs {experiment.requirements}; not given: {', '.join(absent)}")
    if collection.gold is not None and experiment.gold != "no":
        _check_gold(experiment, collection.gold)


def _check_gold(experiment: Experiment, gold: GoldPairs | GoldGroups) -> None:
    shape = "pairs" if isinstance(gold, GoldPairs) else "groups"
    if experiment.shape not in ("", shape):
        raise ParameterError(f"{experiment.name} needs {experiment.requirements}; {gold.path} contains {shape}")
    if experiment.docs != "no" and isinstance(gold, GoldPairs) and not gold.labels.any():
        raise InputError(f"no pair is judged {gold.meaning.name}, so there is nothing to find", place=gold.path)
    name = gold.meaning.name
    if not experiment.any_relation and name not in (experiment.relation, *experiment.also):
        raise ParameterError(
            f"{experiment.name} is about {experiment.relation}, {gold.path} about {name}: one figure cannot cover both",
            f"if its judgements are about {experiment.relation}, add --relation {experiment.relation}",
        )
