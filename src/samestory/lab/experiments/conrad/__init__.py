"""Conrad and Schriber 2006: building collections of nonidentical duplicates (DDD)."""

from samestory.lab.experiments.conrad import (
    assessor_agreement,
    assessor_sets,
    date_window,
    error_rate,
    short_articles,
)

#: In the order of their names: C1 to C5.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        assessor_agreement,
        assessor_sets,
        date_window,
        short_articles,
        error_rate,
    )
)
