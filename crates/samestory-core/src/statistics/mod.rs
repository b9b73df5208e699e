//! Counts over a collection, for detectors that weight words or skip frequent ones.

pub mod counter;
pub mod shingle_counts;
pub mod term_counts;
