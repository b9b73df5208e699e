"""Every experiment, by name."""

from __future__ import annotations

from importlib import import_module

from samestory.lab.experiments.experiment import Experiment

#: The modules of each study in the order of the names of their experiments, such as U1 to U6.
MODULES = {
    "uyar": "entity_words mixed_news single_category paired_t_tests run_time example_pairs",
    "varol": "stemming stop_words term_weights sentence_suffixes sentence_words similarities depth_power containment "
    "run_time pooling",
    "gibson": "block_size frequent_shingles shingle_length extraction_effect filters held_out_thresholds "
    "extraction_accuracy",
    "conrad": "assessor_agreement assessor_sets date_window short_articles error_rate",
    "fomin": "threshold best_threshold growth_of_r linear_model neural_network predicted_r principal_components",
    "further": "claims extraction_quality",
}

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for study, names in MODULES.items()
    for name in names.split()
    for experiment in [import_module(f"samestory.lab.experiments.{study}.{name}").EXPERIMENT]
}
