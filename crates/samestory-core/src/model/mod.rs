//! Relations between articles, and groups of articles.

pub mod certificate;
pub mod decisions;
pub mod group;
pub mod kind;
pub mod relation;
