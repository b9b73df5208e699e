//! Files to articles.

pub(crate) mod dates;
pub mod problem;
pub mod readers;
pub mod record;
