//! Relations and groups as lines, and labels of groups.

pub mod label;
pub mod lines;
