"""Gibson et al. 2007: duplicate news stories in web pages (CEDAR)."""

from samestory.lab.experiments.gibson import (
    block_size,
    extraction_accuracy,
    extraction_effect,
    filters,
    frequent_shingles,
    held_out_thresholds,
    shingle_length,
)

#: In the order of their names: G1 to G7.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        block_size,
        frequent_shingles,
        shingle_length,
        extraction_effect,
        filters,
        held_out_thresholds,
        extraction_accuracy,
    )
)
