"""Fomin and Belousov 2017: semantic duplicates of short news."""

from samestory.lab.experiments.fomin import (
    best_threshold,
    growth_of_r,
    linear_model,
    neural_network,
    predicted_r,
    principal_components,
    threshold,
)

#: In the order of their names: F1 to F7.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        threshold,
        best_threshold,
        growth_of_r,
        linear_model,
        neural_network,
        predicted_r,
        principal_components,
    )
)
