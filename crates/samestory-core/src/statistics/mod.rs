//! Counts of a collection, for detectors that weigh words or leave frequent ones out.

pub mod counter;
pub mod shingle_counts;
pub mod term_counts;
