//! A query of an index, prepared once for all its parts: its keys, quorums and comparer.

use crate::detectors::plan::CandidatePlan;
use crate::detectors::{Comparer, Detector, Overlap};
use crate::engine::postings::fair;
use crate::engine::postings::overlap_counter::{count_exactly, OverlapCounter, MAX_COUNT};
use crate::engine::postings::Postings;

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

/// The classes of an index or of one of its segments, as candidate generation reads them.
pub trait CandidateClasses {
    type Error;
    /// The number of keys of a class, capped at MAX_COUNT; `tag` is what the counter has stored for it.
    fn capped_keys(&self, class: u32, tag: u8) -> u8;
    fn keys(&mut self, class: u32) -> Result<usize, Self::Error>;
    /// The summary of its signature; None for detectors without a summary filter.
    fn summary(&self, class: u32) -> Option<&u64>;
    /// Whether it has articles that the query may be related to.
    fn is_wanted(&mut self, class: u32) -> Result<bool, Self::Error>;
    /// The source of its first article.
    fn source(&mut self, class: u32) -> Result<u64, Self::Error>;
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

    /// The wanted classes of some posting lists that share enough keys and may match, with the number of shared keys,
    /// sorted; of too many, those that share the most keys, evenly from all sources.
    pub fn candidates<'l, P: Postings, C: CandidateClasses<Error = P::Error>>(
        &self,
        plan: &CandidatePlan,
        (postings, query): (&'l P, P::Query<'_, 'l>),
        counter: &mut QueryCounter,
        classes: &mut C,
    ) -> Result<Vec<(u32, usize)>, C::Error> {
        let mut lists = vec![];
        let long = postings.lists(query, &mut lists)?;
        counter.skipped += long as u64;
        counter.is_sampled |= plan.long_list_sample > 0 && fair::is_crowded(long, self.keys.len());
        let mut counted = vec![];
        let is_enough = |class: u32, count: u8, tag: u8| self.is_enough(count, classes.capped_keys(class, tag));
        counter.overlaps.count(&lists, |_| true, is_enough, &mut counted);
        let mut found = vec![];
        for (class, count) in counted {
            let is_rejected = |&summary: &u64| !plan.may_match(self.summary, summary, count.into());
            if count < MAX_COUNT && classes.summary(class).is_some_and(is_rejected) {
                continue;
            }
            let shared = if count == MAX_COUNT { count_exactly(&lists, class) } else { count.into() };
            if shared >= self.quorum(classes.keys(class)?) && classes.is_wanted(class)? {
                found.push((class, shared));
            }
        }
        if let Some(max) = plan.max_candidates.filter(|&max| found.len() > max) {
            let mut with_sources = vec![];
            for (class, shared) in found {
                with_sources.push((class, shared, classes.source(class)?));
            }
            let capped = |shared: usize| shared.min(MAX_COUNT.into()) as u8;
            let rank = |&(class, shared, _): &(u32, usize, u64)| {
                u64::from(MAX_COUNT - capped(shared)) << 32 | u64::from(class)
            };
            fair::keep(&mut with_sources, max, |entry| entry.2, rank);
            found = with_sources.into_iter().map(|(class, shared, _)| (class, shared)).collect();
        }
        found.sort_unstable();
        Ok(found)
    }

    /// How many keys a class with so many keys must share.
    fn quorum(&self, keys: usize) -> usize {
        self.quorums[keys.min(self.quorums.len() - 1)]
    }

    /// Whether a class with a number of keys may share enough of them; both numbers are capped at MAX_COUNT.
    fn is_enough(&self, count: u8, keys: u8) -> bool {
        let quorum = if keys == MAX_COUNT { self.wide_quorum } else { self.quorum(keys.into()) };
        count > 0 && (count == MAX_COUNT || usize::from(count) >= quorum)
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
