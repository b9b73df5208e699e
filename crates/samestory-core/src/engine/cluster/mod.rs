//! Relations to groups.

pub(crate) mod components;
pub mod cuts;
pub mod incremental;
pub mod majority;
pub mod star;
pub(crate) mod topics;
