"""Claims of other studies that the five quote, and a question that they leave open."""

from samestory.lab.experiments.further import (
    claims,
    extraction_quality,
)

#: In the order of their names: X1 to X2.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        claims,
        extraction_quality,
    )
)
