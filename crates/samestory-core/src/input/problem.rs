//! Records that were rejected, or kept with a warning.

use super::record::Fault;

/// A rejected record or a warning, with its position.
#[derive(Clone, Debug)]
pub struct Problem {
    pub file: u32,
    /// From 1; 0 for the whole file.
    pub line: u64,
    /// The name of the file, if it is one of many in a folder.
    pub own: Option<String>,
    pub fault: Fault,
    pub detail: String,
}
