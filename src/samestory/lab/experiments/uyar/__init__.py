"""Uyar 2009: near-duplicate news by named entities (TuNER, Tweezer)."""

from samestory.lab.experiments.uyar import (
    entity_words,
    example_pairs,
    mixed_news,
    paired_t_tests,
    run_time,
    single_category,
)

#: In the order of their names: U1 to U6.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        entity_words,
        mixed_news,
        single_category,
        paired_t_tests,
        run_time,
        example_pairs,
    )
)
