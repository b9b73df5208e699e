//! Groups articles by their relations.

pub(crate) mod components;
pub mod cuts;
pub mod incremental;
pub mod majority;
mod merge_candidate;
pub mod star;
pub(crate) mod topics;
