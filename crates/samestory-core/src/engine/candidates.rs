//! Candidate generation: the articles that share enough keys with another one.

use std::mem;
use std::ops::AddAssign;

use crate::detectors::plan_parts::{PrefixFilter, RequiredOverlap};
use crate::detectors::Comparer;
use crate::engine::population::Corpus;
use crate::engine::postings::batch::{BatchPostings, BatchQuery, MIN_SORTED_LENGTH};
use crate::engine::postings::fair;
use crate::engine::postings::hubs::Hubs;
use crate::engine::postings::overlap_counter::{OverlapCounter, MAX_COUNT};
use crate::engine::postings::prefix::IN_PREFIX;
use crate::engine::postings::Postings;

/// How much a run has compared, and what it left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComparisonCounts {
    pub compared: u64,
    /// Compared pairs with one template and other facts.
    pub template_pairs: u64,
    /// Candidates that were not compared, since their article has as many stronger ones as it may have.
    pub dropped_candidates: u64,
}

impl AddAssign for ComparisonCounts {
    fn add_assign(&mut self, other: ComparisonCounts) {
        self.compared += other.compared;
        self.template_pairs += other.template_pairs;
        self.dropped_candidates += other.dropped_candidates;
    }
}

/// Per-thread comparer, buffers and counters.
pub struct Worker<'a> {
    corpus: &'a Corpus,
    postings: &'a BatchPostings,
    hubs: &'a Hubs<'a>,
    pub(super) comparer: Box<dyn Comparer + 'a>,
    /// The signature of every article, with one indirection.
    pub(super) signatures: &'a [&'a [u32]],
    /// Its tags are lower bounds of the quorums of the articles.
    counter: OverlapCounter,
    list_ids: Vec<u32>,
    lists: Vec<&'a [u32]>,
    /// With the prefix filter: the articles of all posting lists of this query, once each.
    occurrences: Vec<u32>,
    pub(super) candidates: Vec<(u32, u8)>,
    /// With the prefix filter: the required overlap of this article, and the overlap of every other article with it.
    overlap: RequiredOverlap,
    sums: Vec<u32>,
    pub counts: ComparisonCounts,
    /// Sum of the lengths of the compared signatures, plus `WORK_PER_PAIR` for every pair.
    pub(super) work: u64,
}

impl<'a> Worker<'a> {
    pub fn new(
        corpus: &'a Corpus,
        postings: &'a BatchPostings,
        hubs: &'a Hubs<'a>,
        signatures: &'a [&'a [u32]],
    ) -> Self {
        let mut counter = OverlapCounter::default();
        counter.extend(postings.key_counts.iter().map(|&keys| postings.least_quorum[keys as usize]));
        Worker {
            corpus,
            postings,
            hubs,
            comparer: corpus.detector.comparer(),
            signatures,
            counter,
            list_ids: vec![],
            lists: vec![],
            occurrences: vec![],
            candidates: vec![],
            overlap: RequiredOverlap::default(),
            sums: vec![],
            counts: ComparisonCounts::default(),
            work: 0,
        }
    }

    /// Fills `candidates` with the originals below `end` that are accepted and share enough keys with this one, and the
    /// key counts.
    pub(super) fn find_candidates(&mut self, original: u32, end: u32, is_accepted: impl Fn(u32) -> bool) {
        let is_accepted = |other: u32| other < end && is_accepted(other);
        if let Some(filter) = self.postings.plan.prefix_filter.as_deref() {
            return self.find_candidates_by_prefix(filter, original, is_accepted);
        }
        let Worker { corpus, postings, hubs, signatures, counter, list_ids, lists, candidates, counts, .. } = self;
        let BatchPostings { plan, quorum, least_quorum, key_counts, summaries, .. } = *postings;
        let filter = plan.summary_filter.as_deref();
        let Ok(_) = postings.lists(BatchQuery { corpus, article: original, list_ids, hubs }, lists);
        let keys = key_counts[original as usize];
        candidates.clear();
        let required = plan.required(keys as usize);
        if lists.len() < required {
            return;
        }
        let required = drop_longest_lists(lists, required);
        if postings.is_sorted_by_number && end != u32::MAX {
            cut_long_lists(lists, end);
        }
        let least = least_quorum[keys as usize];
        let is_enough = |other: u32, shared: u8, other_least: u8| {
            let is_enough = match required {
                0 => {
                    shared >= other_least.min(least) && shared >= quorum[keys.min(key_counts[other as usize]) as usize]
                }
                required => shared >= required,
            };
            is_enough
                && other != original
                && (shared == MAX_COUNT
                    || filter.is_none_or(|filter| {
                        filter.may_match(summaries[original as usize], summaries[other as usize], shared.into())
                    }))
        };
        counter.count(lists, is_accepted, is_enough, candidates);
        if let Some(max) = plan.max_candidates {
            counts.dropped_candidates += candidates.len().saturating_sub(max) as u64;
            let source = |&(other, _): &(u32, u8)| corpus.source(other as usize);
            fair::keep(candidates, max, source, |&(other, shared)| {
                u64::from(MAX_COUNT - shared) << 32 | u64::from(other)
            });
        }
        candidates.sort_unstable();
        // the signatures are far apart in memory: independent loads overlap their waiting times
        std::hint::black_box(
            candidates.iter().filter_map(|&(other, _)| signatures[other as usize].first()).fold(0, |x, y| x ^ y),
        );
    }

    /// `find_candidates` with the prefix filter. The overlap is the sum of the maximum contributions of the shared keys
    /// to this article; each is also the maximum for the other article.
    fn find_candidates_by_prefix(
        &mut self,
        filter: &dyn PrefixFilter,
        original: u32,
        is_accepted: impl Fn(u32) -> bool,
    ) {
        let Worker { corpus, postings, signatures, overlap, sums, occurrences, candidates, .. } = self;
        let required_overlap = &postings.required_overlap;
        filter.required_overlap(signatures[original as usize], overlap);
        sums.resize(corpus.len(), 0);
        occurrences.clear();
        postings.lists_by_prefix(corpus, original as usize, |place, list| {
            let max_gain = overlap.max_gains[place];
            for other in list.iter().map(|other| other & !IN_PREFIX) {
                let sum = &mut sums[other as usize];
                if *sum == 0 {
                    occurrences.push(other);
                }
                *sum = sum.saturating_add(max_gain);
            }
        });
        candidates.clear();
        let needed = required_overlap[original as usize];
        for &other in occurrences.iter() {
            let sum = mem::take(&mut sums[other as usize]);
            if sum >= needed.min(required_overlap[other as usize]) && other != original && is_accepted(other) {
                candidates.push((other, sum.min(u8::MAX.into()) as u8));
            }
        }
        candidates.sort_unstable();
    }

    /// Whether two originals that share so many keys are worth comparing. A saturated count is counted again.
    pub(super) fn is_worth_comparing(&self, original: u32, other: u32, shared: u8) -> bool {
        let BatchPostings { plan, key_counts, .. } = self.postings;
        let fewer = key_counts[original as usize].min(key_counts[other as usize]) as usize;
        let (left, right) = (self.signatures[original as usize], self.signatures[other as usize]);
        if plan.prefix_filter.is_some() || plan.required(key_counts[original as usize] as usize) > 1 {
            return true; // already counted as exactly as possible
        }
        let mut count = usize::from(shared);
        if shared == MAX_COUNT {
            count = self.lists.iter().filter(|list| self.postings.is_in(other, list)).count();
        }
        count >= plan.quorum.of(fewer)
            && plan.pair_filter.as_ref().is_none_or(|filter| filter.admits(left, right, count, fewer))
    }
}

/// Cuts lists sorted by article number before `end`: half of all postings need not be counted. Short lists are left.
fn cut_long_lists(lists: &mut [&[u32]], end: u32) {
    for list in lists.iter_mut().filter(|list| list.len() >= MIN_SORTED_LENGTH) {
        *list = &list[..list.partition_point(|&other| other < end)];
    }
}

/// Drops the longest posting lists of an article that must share `required` keys with every related article; returns the
/// number of keys that it must share among the remaining lists (0: no list was dropped).
///
/// Common keys have long lists and distinguish little. Dropping more than `required - 1` lists could miss a candidate; a
/// quarter of them is kept, so that the remaining lists still distinguish well.
fn drop_longest_lists(lists: &mut Vec<&[u32]>, required: usize) -> u8 {
    let remaining = required.div_ceil(4);
    let dropped = required - remaining;
    if dropped == 0 {
        return 0;
    }
    lists.select_nth_unstable_by_key(dropped - 1, |list| std::cmp::Reverse(list.len()));
    lists.drain(..dropped);
    u8::try_from(remaining).unwrap_or(MAX_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_end_before_the_last_wanted_article() {
        let (long, short): (Vec<u32>, Vec<u32>) = ((0..200).step_by(2).collect(), vec![3, 70, 90]);
        for (end, kept) in [(0, 0), (1, 1), (71, 36), (72, 36), (500, 100)] {
            let mut lists = vec![&long[..], &short[..]];
            cut_long_lists(&mut lists, end);
            assert_eq!((lists[0], lists[1]), (&long[..kept], &short[..]));
        }
    }
}
