//! The queue of merges: the greatest mean score first.

use std::cmp::Ordering;

/// Two groups that may be merged, with their sizes when this was queued.
pub(super) struct MergeCandidate {
    pub(super) mean: f64,
    /// The ranks of their best representatives: of equal means, the better ranks go first.
    pub(super) ranks: (u32, u32),
    pub(super) groups: (u32, u32),
    pub(super) sizes: (u64, u64),
}

impl Ord for MergeCandidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.mean.total_cmp(&other.mean).then_with(|| other.ranks.cmp(&self.ranks))
    }
}

impl PartialOrd for MergeCandidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for MergeCandidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for MergeCandidate {}
