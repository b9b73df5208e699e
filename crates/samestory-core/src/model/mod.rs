//! Relations between articles, and groups of articles.

pub mod group;
pub mod kind;
pub mod relation;
