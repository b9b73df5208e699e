//! Prefix filter for containment, where only the smaller of two articles must share most of its keys with the larger.
//!
//! A contained article shares most of its keys with its container, but the container may have any number of other keys.
//! So every article may drop its most common keys, as long as the rest must still overlap; the rest are its *prefix
//! keys*. In the posting list of a key, the articles that have it in their prefix are first: candidate generation reads
//! the complete list of a prefix key, to find possible containers, and the first part of all other lists, to find
//! contained articles. Common words are in few prefixes, and rare ones have short lists.

use std::sync::atomic::Ordering;

use crate::base::parallel::{self, Deal, Tick};
use crate::detectors::plan_parts::{PrefixFilter, RequiredOverlap};
use crate::engine::population::Corpus;
use crate::engine::shard::span;
use crate::engine::shard::SINGLE_POSTING;

/// Flag bit: in a posting list, the articles that have its key in their prefix; in an article, its prefix keys.
pub const IN_PREFIX: u32 = 1 << 31;

/// The fraction of the required overlap that must remain among the prefix keys. A larger value reads longer lists; a
/// smaller one compares more unrelated articles. This value is about the fastest on news.
const MIN_PREFIX_FRACTION: f64 = 0.45;

/// The required overlap of an article that no other article can contain.
const NO_CONTAINER: u32 = u32::MAX;

/// Reorders every list so that articles with the key in their prefix are first; returns, for every article, the overlap
/// of prefix keys that it requires with any article that contains it. Returns None if the run was stopped.
pub fn arrange(
    filter: &dyn PrefixFilter,
    corpus: &Corpus,
    original: &[u32],
    members: &mut [u32],
    tick: Tick,
) -> Option<Vec<u32>> {
    assert!(members.len() < IN_PREFIX as usize, "too many keys for one corpus");
    let deal = Deal::new(corpus.len(), 256, &corpus.watch);
    let lists = &*members;
    let parts = parallel::run(corpus.settings.threads, &corpus.watch, tick, |_| {
        let (mut chooser, mut overlaps) = (PrefixChooser::new(filter), vec![]);
        while let Some(range) = deal.take().filter(|_| !corpus.watch.is_stopped()) {
            for article in range {
                if original[article] as usize == article {
                    overlaps.push((article, chooser.mark_prefix_keys(corpus, lists, article)));
                }
            }
        }
        overlaps
    });
    if corpus.watch.is_stopped() {
        return None;
    }
    let mut required = vec![NO_CONTAINER; corpus.len()];
    parts.into_iter().flatten().for_each(|(article, needed)| required[article] = needed);
    let originals = || (0..corpus.len()).filter(|&article| original[article] as usize == article);
    let row = |article| {
        let (shard, row) = corpus.place(article);
        let postings = shard.postings[span(&shard.key_ends, row)].iter();
        postings
            .map(|posting_list| posting_list.load(Ordering::Relaxed))
            .filter(|&posting_list| posting_list != SINGLE_POSTING)
    };
    for posting_list in originals().flat_map(row) {
        members[(posting_list & !IN_PREFIX) as usize] = 0;
    }
    for prefix_flag in [IN_PREFIX, 0] {
        for article in originals() {
            for posting_list in row(article).filter(|posting_list| posting_list & IN_PREFIX == prefix_flag) {
                let head = (posting_list & !IN_PREFIX) as usize;
                members[head] += 1;
                members[head + members[head] as usize] = article as u32 | prefix_flag;
            }
        }
    }
    Some(required)
}

/// Chooses the prefix keys of an article, with buffers.
struct PrefixChooser<'a> {
    filter: &'a dyn PrefixFilter,
    overlap: RequiredOverlap,
    /// Its shared keys: length of the posting list, maximum contribution to the overlap, position.
    keys: Vec<(u32, u32, usize)>,
}

impl<'a> PrefixChooser<'a> {
    fn new(filter: &'a dyn PrefixFilter) -> Self {
        PrefixChooser { filter, overlap: RequiredOverlap::default(), keys: vec![] }
    }

    /// Marks the prefix keys of an article; returns the overlap of them that it requires with any container.
    fn mark_prefix_keys(&mut self, corpus: &Corpus, members: &[u32], article: usize) -> u32 {
        let (shard, row) = corpus.place(article);
        let postings = &shard.postings[span(&shard.key_ends, row)];
        self.filter.required_overlap(corpus.signature(article), &mut self.overlap);
        let RequiredOverlap { max_gains, needed } = &self.overlap;
        self.keys.clear();
        let shared = postings.iter().zip(max_gains).enumerate().filter_map(|(place, (posting_list, &max_gain))| {
            let head = posting_list.load(Ordering::Relaxed);
            (head != SINGLE_POSTING).then(|| (members[head as usize], max_gain, place))
        });
        self.keys.extend(shared);
        let needed = needed * (1.0 - 1e-9); // rounding must not lose an article
        if self.keys.iter().map(|key| f64::from(key.1)).sum::<f64>() < needed {
            return NO_CONTAINER;
        }
        // the longest lists first, relative to the overlap lost by dropping them
        let weight = |length: u32, max_gain: u32| u64::from(length) * u64::from(max_gain);
        self.keys.sort_unstable_by(|x, y| weight(y.0, x.1).cmp(&weight(x.0, y.1)).then(x.2.cmp(&y.2)));
        let mut remaining = needed;
        for &(_, max_gain, place) in &self.keys {
            if remaining - f64::from(max_gain) >= MIN_PREFIX_FRACTION * needed {
                remaining -= f64::from(max_gain);
            } else {
                postings[place].fetch_or(IN_PREFIX, Ordering::Relaxed);
            }
        }
        (remaining.ceil() as u32).clamp(1, NO_CONTAINER - 1)
    }
}
