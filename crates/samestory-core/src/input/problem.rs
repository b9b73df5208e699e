//! Records that were rejected or doubted.

use super::record::Fault;

/// Something refused or doubted, with its place.
#[derive(Clone, Debug)]
pub struct Problem {
    pub file: u32,
    /// From 1; 0 where the whole file is meant.
    pub line: u64,
    /// The name of the very file, where it is one of many in a folder.
    pub own: Option<String>,
    pub fault: Fault,
    pub detail: String,
}
