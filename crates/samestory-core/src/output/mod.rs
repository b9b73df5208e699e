//! Relations and groups as JSON lines, and labels of groups.

pub mod label;
pub mod lines;
