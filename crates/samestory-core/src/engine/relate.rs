//! Candidates to relations: who meets is compared, exactly and once.

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

/// What a pair costs beside reading its signatures, in numbers of these: to be met, and to be grouped by.
const PAIR: u64 = 64;

/// A corpus whose articles have met.
pub struct Related {
    pub corpus: Corpus,
    pub postings: PostingLists,
}

/// One thread's tools.
pub struct Worker<'a> {
    comparer: Box<dyn Comparer + 'a>,
    /// The signature of every article, one step away.
    signatures: &'a [&'a [u32]],
    /// A seat for every article, small, to stay in the cache.
    slots: Vec<Slot>,
    numbers: Vec<u32>,
    lists: Vec<&'a [u32]>,
    /// Whoever sits in one of the lists, as often as that.
    present: Vec<u32>,
    candidates: Vec<(u32, u8)>,
    /// Where articles seek their keys: what this one asks, and what every other shares with it.
    demand: Demand,
    sums: Vec<u32>,
    pub compared: u64,
    /// The lengths of the signatures that were compared, added up, and something for every pair.
    work: u64,
    pub forms: u64,
}

/// Pairs of articles of which it is known what they have to do with each other: a bit each.
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

/// What an article has to do with the one whose turn it is.
#[derive(Clone, Copy)]
struct Slot {
    /// How many keys they share, as far as a byte goes.
    shared: u8,
    /// How many the article asks for, at least.
    needed: u8,
}

impl Related {
    /// None: stopped on the way.
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
            numbers: vec![],
            lists: vec![],
            present: vec![],
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

    /// Puts into `met` the originals among `asked` that share enough keys with this one, each with the number of keys.
    ///
    /// Nothing here depends on a guess of the processor: whoever is asked is written down without a question, counted
    /// without a question, and asked for his count as often as he was written down. The first to ask takes the count away.
    fn meet<'a>(&'a self, worker: &mut Worker<'a>, mine: u32, asked: impl Fn(u32) -> bool) {
        if self.corpus.detector.seeks() {
            return self.seek(worker, mine, asked);
        }
        let Worker { signatures, slots, numbers, lists, present, candidates, .. } = worker;
        let PostingLists { quorum, least_quorum, key_counts, hints, .. } = &self.postings;
        let detector = &self.corpus.detector;
        self.postings.of(&self.corpus, mine as usize, numbers, lists);
        let keys = key_counts[mine as usize];
        candidates.clear();
        let demand = detector.demand(keys as usize);
        if lists.len() < demand {
            return;
        }
        let fewest = pass_over(lists, demand);
        let most = lists.iter().map(|list| list.len()).sum();
        if present.len() < most {
            present.resize(most, 0);
        }
        let mut end = 0;
        for list in lists.iter() {
            for &other in *list {
                present[end] = other;
                end += usize::from(asked(other));
            }
        }
        let present = &present[..end];
        for &other in present {
            let shared = &mut slots[other as usize].shared;
            *shared = shared.saturating_add(1);
        }
        let needed = least_quorum[keys as usize];
        for &other in present {
            let slot = &mut slots[other as usize];
            let shared = mem::take(&mut slot.shared);
            let enough = match fewest {
                0 => {
                    shared >= slot.needed.min(needed) && shared >= quorum[keys.min(key_counts[other as usize]) as usize]
                }
                fewest => shared >= fewest,
            };
            if enough
                && other != mine
                && (hints.is_empty()
                    || shared == u8::MAX
                    || detector.meets(hints[mine as usize], hints[other as usize], shared.into()))
            {
                candidates.push((other, shared));
            }
        }
        candidates.sort_unstable();
        // the signatures lie far apart: fetched one after the other they would be waited for, fetched together they come
        // at once
        std::hint::black_box(
            candidates.iter().filter_map(|&(other, _)| signatures[other as usize].first()).fold(0, |x, y| x ^ y),
        );
    }

    /// The same where articles seek some of their keys only. What is shared is added up by what sharing the key can bring
    /// this article; that is also the most it can bring the other.
    fn seek<'a>(&'a self, worker: &mut Worker<'a>, mine: u32, asked: impl Fn(u32) -> bool) {
        let Worker { signatures, demand, sums, present, candidates, .. } = worker;
        let sought = &self.postings.sought;
        self.corpus.detector.demands(signatures[mine as usize], demand);
        sums.resize(self.corpus.len(), 0);
        present.clear();
        self.postings.sought_of(&self.corpus, mine as usize, |place, list| {
            let most = demand.most[place];
            for other in list.iter().map(|other| other & !SEEKS) {
                let sum = &mut sums[other as usize];
                if *sum == 0 {
                    present.push(other);
                }
                *sum = sum.saturating_add(most);
            }
        });
        candidates.clear();
        let needed = sought[mine as usize];
        for &other in present.iter() {
            let sum = mem::take(&mut sums[other as usize]);
            if sum >= needed.min(sought[other as usize]) && other != mine && asked(other) {
                candidates.push((other, sum.min(u8::MAX.into()) as u8));
            }
        }
        candidates.sort_unstable();
    }

    /// Are two originals that share so many keys worth comparing? A count that fills its byte is counted again.
    fn is_worth(&self, worker: &Worker, mine: u32, other: u32, shared: u8) -> bool {
        let (key_counts, detector) = (&self.postings.key_counts, &self.corpus.detector);
        let fewer = key_counts[mine as usize].min(key_counts[other as usize]) as usize;
        let (left, right) = (worker.signatures[mine as usize], worker.signatures[other as usize]);
        if detector.seeks() || detector.demand(key_counts[mine as usize] as usize) > 1 {
            return true; // counted already, as far as it can be
        }
        let mut count = usize::from(shared);
        if shared == u8::MAX {
            count = worker.lists.iter().filter(|list| self.postings.is_in(other, list)).count();
        }
        count >= detector.quorum(fewer) && detector.admits(left, right, count, fewer)
    }

    /// Compares an article with every open one it meets, and gives each result, related or not.
    pub fn links<'a>(&'a self, worker: &mut Worker<'a>, article: u32, open: impl Fn(u32) -> bool, out: &mut Vec<Link>) {
        out.clear();
        let mine = self.postings.original[article as usize];
        let wanted = |other: u32| other != article && open(other) && !(self.is_old(article) && self.is_old(other));
        self.meet(worker, mine, |other| open(other) | self.postings.has_copies(other));
        let mut candidates = mem::take(&mut worker.candidates);
        if self.postings.has_copies(mine) {
            // copies of this article itself are among its candidates
            candidates.insert(candidates.partition_point(|&(other, _)| other < mine), (mine, u8::MAX));
        }
        let mut loaded = false;
        for &(other, shared) in &candidates {
            let copies = self.postings.copies(&other);
            if !copies.iter().any(|&copy| wanted(copy))
                || (other != mine && !self.is_worth(worker, mine, other, shared))
            {
                continue;
            }
            if !loaded {
                worker.comparer.load(worker.signatures[mine as usize]);
                loaded = true;
            }
            worker.compared += 1;
            let (left, right) = (worker.signatures[mine as usize], worker.signatures[other as usize]);
            worker.work += PAIR + (left.len() + right.len()) as u64;
            let overlap = worker.comparer.compare(worker.signatures[other as usize]);
            worker.forms += u64::from(overlap.is_template());
            out.extend(
                copies
                    .iter()
                    .filter(|&&copy| wanted(copy))
                    .map(|&to| Link { to, overlap: self.dated(article, to, overlap) }),
            );
        }
        worker.candidates = candidates;
    }

    /// Of those that an article meets and that are not open, nor any copy of theirs, compares the one that shares most
    /// keys.
    pub fn nearest<'a>(&'a self, worker: &mut Worker<'a>, article: u32, open: impl Fn(u32) -> bool) -> Option<Link> {
        let mine = self.postings.original[article as usize];
        let wanted = |other: u32| other != article && open(other) && !(self.is_old(article) && self.is_old(other));
        self.meet(worker, mine, |_| true);
        let mut nearest: Option<(u8, u32)> = None;
        for &(other, shared) in &worker.candidates {
            if !(self.is_old(article) && self.is_old(other))
                && nearest.is_none_or(|(most, _)| shared > most)
                && !self.postings.copies(&other).iter().any(|&copy| wanted(copy))
                && self.is_worth(worker, mine, other, shared)
            {
                nearest = Some((shared, other));
            }
        }
        let (_, to) = nearest?;
        worker.comparer.load(worker.signatures[article as usize]);
        let overlap = worker.comparer.compare(worker.signatures[to as usize]);
        Some(Link { to, overlap: self.dated(article, to, overlap) })
    }

    /// The first of some articles that this one is a copy or a version of.
    pub fn first_copied<'a>(&'a self, worker: &mut Worker<'a>, article: u32, among: &[u32]) -> Option<Link> {
        let mine = self.postings.original[article as usize];
        self.meet(worker, mine, |_| true);
        worker.comparer.load(worker.signatures[mine as usize]);
        // copies of one text are compared once
        let mut known: HashMap<u32, Overlap> = HashMap::new();
        for &to in among.iter().filter(|&&to| !(self.is_old(article) && self.is_old(to))) {
            let other = self.postings.original[to as usize];
            if other != mine {
                let Ok(at) = worker.candidates.binary_search_by_key(&other, |&(other, _)| other) else { continue };
                if !self.is_worth(worker, mine, other, worker.candidates[at].1) {
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

    /// All relations of the corpus, in the order of the input. None: stopped on the way.
    pub fn relations(&self, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_among(|_| true, tick)
    }

    /// All relations among those articles.
    pub fn relations_among(&self, asked: impl Fn(u32) -> bool + Sync, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_of(&asked, |left, other| other < left && asked(other), u64::MAX, tick)
    }

    /// All relations but those of pairs that are known already. None: stopped on the way, or more than `most` work,
    /// so that it has an end however many are related.
    pub fn relations_beside(&self, known: &KnownPairs, most: u64, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        self.relations_of(|_| true, |left, other| other < left && !known.has(left, other), most, tick)
    }

    /// The articles in their order: each that is free takes the free ones that make one group with it. Gives who was
    /// taken, by whom, as relations. After `most` work nobody is taken any more.
    pub fn taken(&self, most: u64) -> Vec<Relation> {
        let signatures = self.signatures();
        let mut worker = self.worker(&signatures);
        let (mut out, mut links, mut free) = (vec![], vec![], vec![true; self.corpus.len()]);
        for article in 0..self.corpus.len() as u32 {
            if worker.work > most {
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
        asked: impl Fn(u32) -> bool + Sync,
        open: impl Fn(u32, u32) -> bool + Sync,
        most: u64,
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
                for left in range.map(|left| left as u32).filter(|&left| asked(left)) {
                    if work.fetch_add(mem::take(&mut worker.work), Ordering::Relaxed) > most {
                        break;
                    }
                    self.links(&mut worker, left, |other| open(left, other), &mut links);
                    let related = links.iter().filter(|link| link.overlap.kind != Kind::None);
                    out.extend(
                        related.map(|link| self.turned(Relation { left, right: link.to, overlap: link.overlap })),
                    );
                }
            }
            work.fetch_add(worker.work, Ordering::Relaxed);
            (out, worker.compared, worker.forms)
        });
        if watch.is_stopped() || work.into_inner() > most {
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

    /// The way round in which people read it: a part before its whole, a new version before the old one, and otherwise
    /// the article that came later before the one it repeats.
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

/// Sets aside the longest of the lists of an article's keys, of which it must share so many with whoever it is related to;
/// gives how many it must share among those that are left (0: nothing was set aside).
///
/// Common keys have long lists and tell little. If one more list were set aside than are demanded less one, somebody
/// could be missed; a quarter of the demand is kept, so that what is left still tells much.
fn pass_over(lists: &mut Vec<&[u32]>, demand: usize) -> u8 {
    let fewest = demand.div_ceil(4);
    let aside = demand - fewest;
    if aside == 0 {
        return 0;
    }
    lists.select_nth_unstable_by_key(aside - 1, |list| std::cmp::Reverse(list.len()));
    lists.drain(..aside);
    u8::try_from(fewest).unwrap_or(u8::MAX)
}
