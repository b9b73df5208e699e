//! A query of an index, prepared once for all its parts: its keys, quorums and comparer.

use crate::detectors::plan::CandidatePlan;
use crate::detectors::{Comparer, Detector, Overlap};
use crate::engine::postings::overlap_counter::{OverlapCounter, MAX_COUNT};

/// A candidate query: for a class, or for an article that is not indexed.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub signature: &'a [u32],
    pub start: i64,
}

/// The counter of a thread that queries.
#[derive(Default)]
pub struct QueryCounter {
    /// Its tags are the numbers of keys of the classes, capped at MAX_COUNT.
    pub overlaps: OverlapCounter,
    /// The value of `renumberings` that its classes belong to.
    pub renumberings: u32,
    /// Number of key lookups skipped because the posting list exceeded the ceiling.
    pub skipped: u64,
    /// Whether the last query read samples of posting lists, so that it found only some of the related classes.
    pub is_sampled: bool,
}

impl QueryCounter {
    /// Prepares the counter for queries of another live index.
    pub fn reset(&mut self) {
        self.overlaps.clear();
        self.renumberings = 0;
    }
}

/// Number of signatures fetched together: all of them must fit in the cache.
pub const SIGNATURES_PER_FETCH: usize = 32;

/// A query with its keys, quorums and comparer: the same for a live index and all segments.
pub struct PreparedQuery<'a> {
    query: Query<'a>,
    /// Sorted.
    keys: Vec<u64>,
    /// The quorum by number of keys of a class; larger classes have the last one.
    quorums: Vec<usize>,
    /// The least quorum of classes with MAX_COUNT keys or more.
    wide_quorum: usize,
    /// The summary of its signature; 0 for detectors without a summary filter.
    summary: u64,
    comparer: Box<dyn Comparer + 'a>,
    is_loaded: bool,
}

/// A candidate to compare: the number of keys shared with the query, and of its own.
pub struct Verified<'a> {
    pub shared: usize,
    pub keys: usize,
    pub signature: &'a [u32],
}

impl<'a> PreparedQuery<'a> {
    pub fn new(query: Query<'a>, mut keys: Vec<u64>, plan: &CandidatePlan, detector: &'a dyn Detector) -> Self {
        keys.sort_unstable();
        let quorums: Vec<usize> = (0..=keys.len()).map(|fewer| plan.live_quorum().of(fewer).max(1)).collect();
        let wide = &quorums[usize::from(MAX_COUNT).min(keys.len())..];
        let wide_quorum = wide.iter().copied().min().unwrap_or(1);
        let summary = plan.summary_filter.as_ref().map_or(0, |filter| filter.summary(query.signature));
        PreparedQuery { query, keys, quorums, wide_quorum, summary, comparer: detector.comparer(), is_loaded: false }
    }

    /// The start of the interval of the query.
    pub fn time(&self) -> i64 {
        self.query.start
    }

    pub fn sorted_keys(&self) -> &[u64] {
        &self.keys
    }

    /// How many keys a class with so many keys must share.
    pub fn quorum(&self, keys: usize) -> usize {
        self.quorums[keys.min(self.quorums.len() - 1)]
    }

    /// Whether a class with a number of keys, capped at MAX_COUNT, may share enough of them. The caller must compute a
    /// count of MAX_COUNT exactly, and compare it with the quorum if the class has MAX_COUNT keys.
    pub fn is_enough(&self, count: u8, keys: u8) -> bool {
        let quorum = if keys == MAX_COUNT { self.wide_quorum } else { self.quorum(keys.into()) };
        count > 0 && (count == MAX_COUNT || usize::from(count) >= quorum)
    }

    /// Whether a class with this summary, if there are summaries, may match; `count` is the number of shared keys, capped at
    /// MAX_COUNT.
    pub fn may_match(&self, plan: &CandidatePlan, summary: Option<&u64>, count: u8) -> bool {
        count == MAX_COUNT || summary.is_none_or(|&summary| plan.may_match(self.summary, summary, count.into()))
    }

    /// Compares the query with the candidates that the plan admits; returns their positions with the overlap.
    pub fn verify(&mut self, plan: &CandidatePlan, candidates: &[Verified]) -> Vec<(usize, Overlap)> {
        if !self.is_loaded {
            self.comparer.load(self.query.signature);
            self.is_loaded = true;
        }
        let fewer = |candidate: &Verified| self.keys.len().min(candidate.keys);
        let counts: Vec<(usize, usize)> = candidates.iter().map(|each| (each.shared, fewer(each))).collect();
        let rights: Vec<&[u32]> = candidates.iter().map(|each| each.signature).collect();
        let admits = plan.admits_all(self.query.signature, &rights, &counts);
        let admitted: Vec<usize> = (0..rights.len()).filter(|&at| admits[at]).collect();
        let rights: Vec<&[u32]> = admitted.iter().map(|&at| rights[at]).collect();
        admitted.into_iter().zip(self.comparer.compare_all(&rights)).collect()
    }
}
