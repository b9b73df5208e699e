//! Segments: immutable files with the older articles of an index (`docs/decisions/0027-segments-are-plain-files.md`).
//!
//! A segment holds the articles in their duplicate classes, the classes sorted by the start of their interval (undated
//! first), so that a window of time is a range of class numbers. Nothing is read when a segment is attached but its header;
//! a query reads the blocks it needs, through one cache for the process. Removed articles are marked in memory.

pub mod attached;
pub(super) mod block_cache;
pub(super) mod blocks;
pub mod check;
pub(super) mod format;
pub mod merge;
mod postings;
pub(super) mod reader;
pub(super) mod search;
pub(super) mod writer;

use std::fmt;
use std::path::{Path, PathBuf};

/// A segment that cannot be read or written: the file and what is wrong with it.
#[derive(Clone, Debug)]
pub struct SegmentError {
    pub path: PathBuf,
    pub detail: String,
}

impl SegmentError {
    pub(super) fn new(path: &Path, detail: impl Into<String>) -> Self {
        SegmentError { path: path.into(), detail: detail.into() }
    }

    /// The error for content that contradicts itself although its checksums are right.
    pub(super) fn structure(path: &Path, what: &str) -> Self {
        Self::new(path, format!("the segment is damaged: {what}"))
    }
}

impl fmt::Display for SegmentError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.detail)
    }
}

impl std::error::Error for SegmentError {}

pub type SegmentResult<T> = Result<T, SegmentError>;

/// What all segments of an index have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentKind {
    /// The caller's word for the detector and the preparation that the signatures depend on.
    pub mark: String,
    /// Length of the time interval of a class.
    pub interval: i64,
}
