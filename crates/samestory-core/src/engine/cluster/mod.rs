//! Groups articles by their relations.

pub(crate) mod components;
pub mod cuts;
pub mod incremental;
pub mod majority;
pub mod star;
pub(crate) mod topics;
