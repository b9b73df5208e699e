//! Verifies candidate pairs: each pair that shares enough keys is compared exactly once.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::parallel::{self, Deal, Tick};
use crate::detectors::api::Demand;
use crate::detectors::{Comparer, Kind, Overlap};
use crate::engine::compare::{dated, is_reversed};
use crate::engine::population::Corpus;
use crate::engine::postings::batch::PostingLists;
use crate::engine::postings::prefix::SEEKS;
use crate::model::group::joins;
use crate::model::relation::{Link, Relation};

/// Cost of a pair in addition to reading its signatures, in signature words: for candidate generation and grouping.
const WORK_PER_PAIR: u64 = 64;

/// A corpus with its posting lists.
pub struct Related {
    pub corpus: Corpus,
    pub postings: PostingLists,
}

/// Per-thread comparer, buffers and counters.
pub struct Worker<'a> {
    comparer: Box<dyn Comparer + 'a>,
    /// The signature of every article, with one indirection.
    signatures: &'a [&'a [u32]],
    /// One counter slot per article, small enough to stay in the cache.
    slots: Vec<Slot>,
    list_ids: Vec<u32>,
    lists: Vec<&'a [u32]>,
    /// Article numbers from all posting lists of this query, with repetition (with the prefix filter: once each).
    occurrences: Vec<u32>,
    candidates: Vec<(u32, u8)>,
    /// With the prefix filter: the required overlap of this article, and the overlap of every other article with it.
    demand: Demand,
    sums: Vec<u32>,
    pub compared: u64,
    /// Sum of the lengths of the compared signatures, plus `WORK_PER_PAIR` for every pair.
    work: u64,
    pub forms: u64,
}

/// Bit matrix of the article pairs whose relation is already known.
pub struct KnownPairs {
    bits: Vec<u64>,
    width: usize,
}

impl KnownPairs {
    pub fn new(articles: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let width = articles.div_ceil(64);
        let mut known = KnownPairs { bits: vec![0; width * articles], width };
        for (left, right) in pairs {
            for (left, right) in [(left as usize, right as usize), (right as usize, left as usize)] {
                known.bits[left * width + right / 64] |= 1 << (right % 64);
            }
        }
        known
    }

    fn has(&self, left: u32, right: u32) -> bool {
        self.bits[left as usize * self.width + right as usize / 64] >> (right % 64) & 1 == 1
    }
}

/// Counter slot of an article for the current query.
#[derive(Clone, Copy)]
struct Slot {
    /// Number of keys shared with the query, saturating at 255.
    shared: u8,
    /// Lower bound of the quorum of the article.
    needed: u8,
}

impl Related {
    /// Calibrates the corpus and builds its posting lists. Returns None if the run was stopped.
    pub fn new(mut corpus: Corpus, tick: Tick) -> Option<Self> {
        corpus.calibrate();
        let postings = PostingLists::new(&mut corpus, tick)?;
        Some(Related { corpus, postings })
    }

    /// The signature of every article, for the workers.
    pub fn signatures(&self) -> Vec<&[u32]> {
        (0..self.corpus.len()).map(|article| self.corpus.signature(article)).collect()
    }

    pub fn worker<'a>(&'a self, signatures: &'a [&'a [u32]]) -> Worker<'a> {
        let needed = |&keys: &u32| Slot { shared: 0, needed: self.postings.least_quorum[keys as usize] };
        Worker {
            comparer: self.corpus.detector.comparer(),
            signatures,
            slots: self.postings.key_counts.iter().map(needed).collect(),
            list_ids: vec![],
            lists: vec![],
            occurrences: vec![],
            candidates: vec![],
            demand: Demand::default(),
            sums: vec![],
            compared: 0,
            work: 0,
            forms: 0,
        }
    }

    fn is_old(&self, article: u32) -> bool {
        (article as usize) < self.corpus.old
    }

    /// Fills `worker.candidates` with the accepted originals that share enough keys with this one, and the key counts.
    ///
    /// The loops avoid branches that the processor could mispredict: article numbers are copied and counted without
    /// conditions, and the count is read at every occurrence. The first read of an article resets its count.
    fn find_candidates<'a>(&'a self, worker: &mut Worker<'a>, original: u32, is_accepted: impl Fn(u32) -> bool) {
        if self.corpus.detector.seeks() {
            return self.find_candidates_by_prefix(worker, original, is_accepted);
        }
        let Worker { signatures, slots, list_ids, lists, occurrences, candidates, .. } = worker;
        let PostingLists { quorum, least_quorum, key_counts, hints, .. } = &self.postings;
        let detector = &self.corpus.detector;
        self.postings.of(&self.corpus, original as usize, list_ids, lists);
        let keys = key_counts[original as usize];
        candidates.clear();
        let demand = detector.demand(keys as usize);
        if lists.len() < demand {
            return;
        }
        let required = drop_longest_lists(lists, demand);
        let postings_count = lists.iter().map(|list| list.len()).sum();
        if occurrences.len() < postings_count {
            occurrences.resize(postings_count, 0);
        }
        let mut end = 0;
        for list in lists.iter() {
            for &other in *list {
                occurrences[end] = other;
                end += usize::from(is_accepted(other));
            }
        }
        let occurrences = &occurrences[..end];
        for &other in occurrences {
            let shared = &mut slots[other as usize].shared;
            *shared = shared.saturating_add(1);
        }
        let needed = least_quorum[keys as usize];
        for &other in occurrences {
            let slot = &mut slots[other as usize];
            let shared = mem::take(&mut slot.shared);
            let is_enough = match required {
                0 => {
                    shared >= slot.needed.min(needed) && shared >= quorum[keys.min(key_counts[other as usize]) as usize]
                }
                required => shared >= required,
            };
            if is_enough
                && other != original
                && (hints.is_empty()
                    || shared == u8::MAX
                    || detector.meets(hints[original as usize], hints[other as usize], shared.into()))
            {
                candidates.push((other, shared));
            }
        }
        candidates.sort_unstable();
        // the signatures are far apart in memory: independent loads overlap their waiting times
        std::hint::black_box(
            candidates.iter().filter_map(|&(other, _)| signatures[other as usize].first()).fold(0, |x, y| x ^ y),
        );
    }

    /// `find_candidates` with the prefix filter. The overlap is the sum of the maximum contributions of the shared keys
    /// to this article; each is also the maximum for the other article.
    fn find_candidates_by_prefix<'a>(
        &'a self,
        worker: &mut Worker<'a>,
        original: u32,
        is_accepted: impl Fn(u32) -> bool,
    ) {
        let Worker { signatures, demand, sums, occurrences, candidates, .. } = worker;
        let sought = &self.postings.sought;
        self.corpus.detector.demands(signatures[original as usize], demand);
        sums.resize(self.corpus.len(), 0);
        occurrences.clear();
        self.postings.sought_of(&self.corpus, original as usize, |place, list| {
            let max_gain = demand.most[place];
            for other in list.iter().map(|other| other & !SEEKS) {
                let sum = &mut sums[other as usize];
                if *sum == 0 {
                    occurrences.push(other);
                }
                *sum = sum.saturating_add(max_gain);
            }
        });
        candidates.clear();
        let needed = sought[original as usize];
        for &other in occurrences.iter() {
            let sum = mem::take(&mut sums[other as usize]);
            if sum >= needed.min(sought[other as usize]) && other != original && is_accepted(other) {
                candidates.push((other, sum.min(u8::MAX.into()) as u8));
            }
        }
        candidates.sort_unstable();
    }

    /// Whether two originals that share so many keys are worth comparing. A saturated count is counted again.
    fn is_worth_comparing(&self, worker: &Worker, original: u32, other: u32, shared: u8) -> bool {
        let (key_counts, detector) = (&self.postings.key_counts, &self.corpus.detector);
        let fewer = key_counts[original as usize].min(key_counts[other as usize]) as usize;
        let (left, right) = (worker.signatures[original as usize], worker.signatures[other as usize]);
        if detector.seeks() || detector.demand(key_counts[original as usize] as usize) > 1 {
            return true; // already counted as exactly as possible
        }
        let mut count = usize::from(shared);
        if shared == u8::MAX {
            count = worker.lists.iter().filter(|list| self.postings.is_in(other, list)).count();
        }
        count >= detector.quorum(fewer) && detector.admits(left, right, count, fewer)
    }

    /// Compares an article with each of its open candidates; `out` receives every result, related or not.
    pub fn links<'a>(
        &'a self,
        worker: &mut Worker<'a>,
        article: u32,
        is_open: impl Fn(u32) -> bool,
        out: &mut Vec<Link>,
    ) {
        out.clear();
        let original = self.postings.original[article as usize];
        let is_wanted =
            |other: u32| other != article && is_open(other) && !(self.is_old(article) && self.is_old(other));
        self.find_candidates(worker, original, |other| is_open(other) | self.postings.has_copies(other));
        let mut candidates = mem::take(&mut worker.candidates);
        if self.postings.has_copies(original) {
            // the copies of this article are candidates too
            candidates.insert(candidates.partition_point(|&(other, _)| other < original), (original, u8::MAX));
        }
        let mut loaded = false;
        for &(other, shared) in &candidates {
            let copies = self.postings.copies(&other);
            if !copies.iter().any(|&copy| is_wanted(copy))
                || (other != original && !self.is_worth_comparing(worker, original, other, shared))
            {
                continue;
            }
            if !loaded {
                worker.comparer.load(worker.signatures[original as usize]);
                loaded = true;
            }
            worker.compared += 1;
            let (left, right) = (worker.signatures[original as usize], worker.signatures[other as usize]);
            worker.work += WORK_PER_PAIR + (left.len() + right.len()) as u64;
            let overlap = worker.comparer.compare(worker.signatures[other as usize]);
            worker.forms += u64::from(overlap.is_template());
            out.extend(
                copies
                    .iter()
                    .filter(|&&copy| is_wanted(copy))
                    .map(|&to| Link { to, overlap: self.dated(article, to, overlap) }),
            );
        }
        worker.candidates = candidates;
    }

    /// Among the candidates of an article that are not open and have no open copy, compares the one with the most
    /// shared keys.
    pub fn nearest<'a>(&'a self, worker: &mut Worker<'a>, article: u32, is_open: impl Fn(u32) -> bool) -> Option<Link> {
        let original = self.postings.original[article as usize];
        let is_wanted =
            |other: u32| other != article && is_open(other) && !(self.is_old(article) && self.is_old(other));
        self.find_candidates(worker, original, |_| true);
        let mut nearest: Option<(u8, u32)> = None;
        for &(other, shared) in &worker.candidates {
            if !(self.is_old(article) && self.is_old(other))
                && nearest.is_none_or(|(max_shared, _)| shared > max_shared)
                && !self.postings.copies(&other).iter().any(|&copy| is_wanted(copy))
                && self.is_worth_comparing(worker, original, other, shared)
            {
                nearest = Some((shared, other));
            }
        }
        let (_, to) = nearest?;
        worker.comparer.load(worker.signatures[article as usize]);
        let overlap = worker.comparer.compare(worker.signatures[to as usize]);
        Some(Link { to, overlap: self.dated(article, to, overlap) })
    }

    /// Returns the link to the first of some articles that this one is a copy or a version of.
    pub fn first_copied<'a>(&'a self, worker: &mut Worker<'a>, article: u32, among: &[u32]) -> Option<Link> {
        let original = self.postings.original[article as usize];
        self.find_candidates(worker, original, |_| true);
        worker.comparer.load(worker.signatures[original as usize]);
        // copies of one text are compared once
        let mut known: HashMap<u32, Overlap> = HashMap::new();
        for &to in among.iter().filter(|&&to| !(self.is_old(article) && self.is_old(to))) {
            let other = self.postings.original[to as usize];
            if other != original {
                let Ok(at) = worker.candidates.binary_search_by_key(&other, |&(other, _)| other) else { continue };
                if !self.is_worth_comparing(worker, original, other, worker.candidates[at].1) {
                    continue;
                }
            }
            let overlap = *known.entry(other).or_insert_with(|| {
                worker.compared += 1;
                worker.comparer.compare(worker.signatures[other as usize])
            });
            let link = Link { to, overlap: self.dated(article, to, overlap) };
            if joins(link.overlap.kind, false) {
                return Some(link);
            }
        }
        None
    }

    pub(crate) fn dated(&self, left: u32, right: u32, overlap: Overlap) -> Overlap {
        let about = |article: u32| (self.corpus.source(article as usize), self.corpus.published(article as usize));
        dated(Some(&*self.corpus.detector), overlap, about(left), about(right))
    }

    /// All relations of the corpus, in input order. Returns None if the run was stopped.
    pub fn relations(&self, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_among(|_| true, tick)
    }

    /// All relations among the accepted articles.
    pub fn relations_among(
        &self,
        is_accepted: impl Fn(u32) -> bool + Sync,
        tick: Tick,
    ) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_of(&is_accepted, |left, other| other < left && is_accepted(other), u64::MAX, tick)
    }

    /// All relations except those of known pairs. Returns None if the run was stopped or needed more than `max_work`,
    /// which bounds the run however many articles are related.
    pub fn relations_beside(&self, known: &KnownPairs, max_work: u64, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_of(|_| true, |left, other| other < left && !known.has(left, other), max_work, tick)
    }

    /// Greedy grouping in input order: each free article claims the free articles that form one group with it. Returns
    /// a relation from every claimed article to the claiming one. Stops after `max_work`.
    pub fn taken(&self, max_work: u64) -> Vec<Relation> {
        let signatures = self.signatures();
        let mut worker = self.worker(&signatures);
        let (mut out, mut links, mut free) = (vec![], vec![], vec![true; self.corpus.len()]);
        for article in 0..self.corpus.len() as u32 {
            if worker.work > max_work {
                break;
            }
            if mem::take(&mut free[article as usize]) {
                self.links(&mut worker, article, |other| free[other as usize], &mut links);
                for link in links.iter().filter(|link| joins(link.overlap.kind, true)) {
                    free[link.to as usize] = false;
                    out.push(Relation { left: link.to, right: article, overlap: link.overlap.flipped() });
                }
            }
        }
        out
    }

    fn relations_of(
        &self,
        is_accepted: impl Fn(u32) -> bool + Sync,
        is_open: impl Fn(u32, u32) -> bool + Sync,
        max_work: u64,
        tick: Tick,
    ) -> Option<(Vec<Relation>, u64, u64)> {
        let work = AtomicU64::new(0);
        let deal = Deal::new(self.corpus.len(), 64, &self.corpus.watch);
        let watch = &self.corpus.watch;
        let signatures = self.signatures();
        let parts = parallel::run(self.corpus.settings.threads, watch, tick, |_| {
            let mut worker = self.worker(&signatures);
            let (mut out, mut links) = (vec![], vec![]);
            while let Some(range) = deal.take() {
                if watch.is_stopped() {
                    break;
                }
                for left in range.map(|left| left as u32).filter(|&left| is_accepted(left)) {
                    if work.fetch_add(mem::take(&mut worker.work), Ordering::Relaxed) > max_work {
                        break;
                    }
                    self.links(&mut worker, left, |other| is_open(left, other), &mut links);
                    let related = links.iter().filter(|link| link.overlap.kind != Kind::None);
                    out.extend(
                        related.map(|link| self.turned(Relation { left, right: link.to, overlap: link.overlap })),
                    );
                }
            }
            work.fetch_add(worker.work, Ordering::Relaxed);
            (out, worker.compared, worker.forms)
        });
        if watch.is_stopped() || work.into_inner() > max_work {
            return None;
        }
        let (mut all, mut compared, mut forms) = (vec![], 0, 0);
        for (relations, c, f) in parts {
            all.extend(relations);
            compared += c;
            forms += f;
        }
        all.sort_unstable_by_key(|r| (r.left.max(r.right), r.left.min(r.right)));
        Some((all, compared, forms))
    }

    /// Orients a relation for readers: the contained article before its container, a new version before the old one,
    /// and otherwise the later article before the one it repeats.
    pub fn turned(&self, relation: Relation) -> Relation {
        if is_reversed(
            &relation.overlap,
            self.corpus.published(relation.left as usize),
            self.corpus.published(relation.right as usize),
        ) {
            relation.flipped()
        } else {
            relation
        }
    }
}

/// Drops the longest posting lists of an article that must share `demand` keys with every related article; returns the
/// number of keys that it must share among the remaining lists (0: no list was dropped).
///
/// Common keys have long lists and distinguish little. Dropping more than `demand - 1` lists could miss a candidate; a
/// quarter of the demand is kept, so that the remaining lists still distinguish well.
fn drop_longest_lists(lists: &mut Vec<&[u32]>, demand: usize) -> u8 {
    let required = demand.div_ceil(4);
    let dropped = demand - required;
    if dropped == 0 {
        return 0;
    }
    lists.select_nth_unstable_by_key(dropped - 1, |list| std::cmp::Reverse(list.len()));
    lists.drain(..dropped);
    u8::try_from(required).unwrap_or(u8::MAX)
}
