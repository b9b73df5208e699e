//! Hashes, threads and small containers.

pub(crate) mod free_list;
pub mod hash;
pub mod parallel;
pub mod rabin;
pub(crate) mod small_list;
pub mod sorted;
pub mod time;
