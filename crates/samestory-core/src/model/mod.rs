//! What is found between articles, and groups of them.

pub mod group;
pub mod kind;
pub mod relation;
