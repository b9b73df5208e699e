//! Queries of a live index: candidates by posting lists, and their comparison with the query.

use std::convert::Infallible;
use std::hint;

use super::LiveIndex;
use crate::base::time::NO_TIME;
use crate::detectors::{Overlap, Why};
use crate::engine::duplicate_class::DuplicateClass;
use crate::engine::postings::live::LiveQuery;
use crate::engine::postings::overlap_counter::MAX_COUNT;
use crate::engine::prepared_query::{
    CandidateClasses, PreparedQuery, Query, QueryCounter, Verified, SIGNATURES_PER_FETCH,
};

/// Number of cache lines fetched of each signature.
const LINES_PER_SIGNATURE: usize = 32;

/// The classes of a live index for a query at the time `start`.
struct LiveClasses<'a, W> {
    index: &'a LiveIndex,
    start: i64,
    wanted: W,
}

impl<W: Fn(&DuplicateClass, u32) -> bool> CandidateClasses for LiveClasses<'_, W> {
    type Error = Infallible;

    fn capped_keys(&self, _: u32, tag: u8) -> u8 {
        tag
    }

    fn keys(&mut self, class: u32) -> Result<usize, Infallible> {
        Ok(self.index.postings.key_counts[class as usize] as usize)
    }

    fn summary(&self, class: u32) -> Option<&u64> {
        self.index.postings.summaries.get(class as usize)
    }

    fn is_wanted(&mut self, class: u32) -> Result<bool, Infallible> {
        let (start, there) = (self.start, &self.index.classes[class as usize]);
        let is_near = start == NO_TIME
            || there.start == NO_TIME
            || (start - there.start).abs() <= self.index.postings.max_time_gap;
        Ok(is_near && there.size() > 0 && (self.wanted)(there, class))
    }

    fn source(&mut self, class: u32) -> Result<u64, Infallible> {
        Ok(self.index.classes[class as usize].about().source)
    }
}

impl LiveIndex {
    /// Prepares a query; None without a detector.
    pub fn prepare<'a>(&'a self, query: Query<'a>) -> Option<PreparedQuery<'a>> {
        let detector = self.detector.as_deref()?;
        Some(PreparedQuery::new(query, self.keys(query.signature), &self.plan, detector))
    }

    /// Compares a query with the wanted candidate classes that the detector admits; returns the classes with their
    /// overlap.
    pub fn overlaps(
        &self,
        counter: &mut QueryCounter,
        query: &mut PreparedQuery,
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, Overlap)> {
        let candidates = self.candidates(counter, query, wanted);
        let mut out = vec![];
        for chunk in candidates.chunks(SIGNATURES_PER_FETCH) {
            self.fetch(chunk);
            let candidate = |&(to, shared): &(u32, usize)| Verified {
                shared,
                keys: self.postings.key_counts[to as usize] as usize,
                signature: &self.classes[to as usize].signature,
            };
            let found = query.verify(&self.plan, &chunk.iter().map(candidate).collect::<Vec<_>>());
            out.extend(found.into_iter().map(|(at, overlap)| (chunk[at].0, overlap)));
        }
        out
    }

    /// Loads the signatures of some classes into the cache. They are scattered in memory, and nearly all are rejected
    /// at once: reading them one by one mostly waits for memory, while independent loads overlap their waiting times.
    fn fetch(&self, classes: &[(u32, usize)]) {
        const WORDS_PER_LINE: usize = 64 / size_of::<u32>();
        let first = |&(class, _): &(u32, usize)| self.classes[class as usize].signature.first().copied().unwrap_or(0);
        let heads = classes.iter().map(first).fold(0, |all, word| all ^ word);
        let signatures = classes.iter().map(|&(class, _)| &self.classes[class as usize].signature);
        let lines = signatures
            .flat_map(|words| words.iter().skip(WORDS_PER_LINE).step_by(WORDS_PER_LINE).take(LINES_PER_SIGNATURE));
        hint::black_box(lines.fold(heads, |all, word| all ^ word));
    }

    /// Compares two signatures, regardless of the keys they share.
    pub fn compare(&self, left: &[u32], right: &[u32]) -> Overlap {
        let Some(detector) = self.detector.as_deref() else {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        };
        let mut comparer = detector.comparer();
        comparer.load(left);
        comparer.compare(right)
    }

    /// Returns the wanted classes near a time that share enough keys, with the number of shared keys.
    fn candidates(
        &self,
        counter: &mut QueryCounter,
        query: &PreparedQuery,
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, usize)> {
        let key_counts = &self.postings.key_counts;
        let (start, keys) = (query.time(), query.sorted_keys());
        if counter.renumberings != self.renumberings {
            counter.overlaps.clear();
            counter.renumberings = self.renumberings;
        }
        let new = key_counts[counter.overlaps.len()..].iter();
        counter.overlaps.extend(new.map(|&keys| keys.try_into().unwrap_or(MAX_COUNT)));
        counter.is_sampled = false;
        let has_articles = |class: u32| self.classes[class as usize].size() > 0;
        let postings = (&self.postings, LiveQuery { keys, time: start, has_articles: &has_articles });
        let mut classes = LiveClasses { index: self, start, wanted };
        let Ok(found) = query.candidates(&self.plan, postings, counter, &mut classes);
        found
    }
}
