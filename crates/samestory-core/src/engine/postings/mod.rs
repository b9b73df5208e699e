//! Posting lists: keys to the articles that have them.

pub mod batch;
pub(crate) mod live;
pub(crate) mod overlap_counter;
pub mod partitioned;
pub(crate) mod prefix;
pub mod store;
