"""Varol 2012: containment in text corpora (CoDet)."""

from samestory.lab.experiments.varol import (
    containment,
    depth_power,
    pooling,
    run_time,
    sentence_suffixes,
    sentence_words,
    similarities,
    stemming,
    stop_words,
    term_weights,
)

#: In the order of their names: V1 to V10.
EXPERIMENTS = tuple(
    module.EXPERIMENT
    for module in (
        stemming,
        stop_words,
        term_weights,
        sentence_suffixes,
        sentence_words,
        similarities,
        depth_power,
        containment,
        run_time,
        pooling,
    )
)
