//! Candidates to relations: who meets is compared, exactly and once.

use crate::article::NO_TIME;
use crate::corpus::Corpus;
use crate::detectors::{Comparer, Kind, Overlap, Why};
use crate::meetings::Meetings;
use crate::parallel::{self, Deal, Tick};

/// From this share on, a later article of the same source is a new version of the earlier one.
pub const UPDATE_SHARE: f64 = 0.5;

/// What one article has to do with another.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub to: u32,
    pub overlap: Overlap,
}

#[derive(Clone, Copy, Debug)]
pub struct Relation {
    pub left: u32,
    pub right: u32,
    pub overlap: Overlap,
}

impl Relation {
    pub fn flipped(&self) -> Self {
        Relation { left: self.right, right: self.left, overlap: self.overlap.flipped() }
    }
}

/// A corpus whose articles have met.
pub struct Related {
    pub corpus: Corpus,
    pub meetings: Meetings,
}

/// One thread's tools.
pub struct Worker<'a> {
    comparer: Box<dyn Comparer + 'a>,
    /// How many keys every article shares with the one whose turn it is; a byte each, to stay in the cache.
    shared: Vec<u8>,
    /// Those whose count is not zero.
    touched: Vec<u32>,
    met: Vec<u32>,
    pub compared: u64,
    pub forms: u64,
}

impl Related {
    pub fn new(mut corpus: Corpus, tick: Tick) -> Result<Self, Corpus> {
        match Meetings::new(&mut corpus, tick) {
            Some(meetings) => Ok(Related { corpus, meetings }),
            None => Err(corpus),
        }
    }

    pub fn worker(&self) -> Worker<'_> {
        Worker {
            comparer: self.corpus.detector.comparer(),
            shared: vec![0; self.corpus.len()],
            touched: vec![],
            met: vec![],
            compared: 0,
            forms: 0,
        }
    }

    /// Compares an article with every open one it meets, and gives each result, related or not. Returns, of those that
    /// are not open, the one that shares most keys.
    pub fn links(&self, worker: &mut Worker, article: u32, open: impl Fn(u32) -> bool, out: &mut Vec<Link>) -> Option<u32> {
        out.clear();
        let corpus = &self.corpus;
        let old = |a: u32| (a as usize) < corpus.old;
        let mine = self.meetings.original[article as usize];
        let wanted = |other: u32| other != article && open(other) && !(old(article) && old(other));
        let Worker { comparer, shared, touched, met, compared, forms } = worker;
        met.clear();
        let Meetings { quorum, least_quorum, key_counts, .. } = &self.meetings;
        let keys = key_counts[mine as usize];
        self.meetings.of(corpus, mine as usize, |members| {
            for &other in members {
                let count = &mut shared[other as usize];
                if *count == 0 {
                    touched.push(other);
                }
                *count = count.saturating_add(1);
                if *count == *least_quorum {
                    met.push(other);
                }
            }
        });
        met.retain(|&other| other != mine && shared[other as usize] >= quorum[keys.min(key_counts[other as usize]) as usize]);
        let mut loaded = false;
        let mut compare = |original: u32| {
            if !loaded {
                comparer.load(corpus.signature(mine as usize));
                loaded = true;
            }
            *compared += 1;
            comparer.compare(corpus.signature(original as usize))
        };
        let mut nearest: Option<(u8, u32)> = None;
        if self.meetings.copies.contains_key(&mine) {
            met.push(mine); // copies of this article itself are among its candidates
        }
        met.sort_unstable();
        for &other in met.iter() {
            let own = other == mine;
            let count = shared[other as usize];
            let fewer = keys.min(key_counts[other as usize]) as usize;
            let worth = |count: u8| {
                let (left, right) = (corpus.signature(mine as usize), corpus.signature(other as usize));
                count == u8::MAX || corpus.detector.admits(left, right, count as usize, fewer)
            };
            if !own && !worth(count) {
                continue;
            }
            let copies = self.meetings.copies.get(&other);
            let copies: &[u32] = copies.map_or(std::slice::from_ref(&other), Vec::as_slice);
            if !copies.iter().any(|&copy| wanted(copy)) {
                let visible = !own && !(old(article) && old(other));
                if visible && nearest.is_none_or(|(most, _)| count > most) {
                    nearest = Some((count, other));
                }
                continue;
            }
            let overlap = compare(other);
            *forms += u64::from(overlap.why == Why::Form);
            out.extend(copies.iter().filter(|&&copy| wanted(copy)).map(|&to| Link { to, overlap: self.dated(article, to, overlap) }));
        }
        for other in touched.drain(..) {
            shared[other as usize] = 0;
        }
        nearest.map(|(_, other)| other)
    }

    /// Compares two articles, whatever keys they share.
    pub fn link(&self, worker: &mut Worker, article: u32, to: u32) -> Link {
        worker.comparer.load(self.corpus.signature(article as usize));
        let overlap = worker.comparer.compare(self.corpus.signature(to as usize));
        Link { to, overlap: self.dated(article, to, overlap) }
    }

    /// A later version of a source's own article is an update.
    fn dated(&self, left: u32, right: u32, overlap: Overlap) -> Overlap {
        let corpus = &self.corpus;
        let (left, right) = (left as usize, right as usize);
        if matches!(overlap.kind, Kind::Near | Kind::PartOf | Kind::HasPart)
            && is_update(
                (corpus.source(left), corpus.published(left)),
                (corpus.source(right), corpus.published(right)),
                overlap.share(),
            )
        {
            return Overlap { kind: Kind::Update, ..overlap };
        }
        overlap
    }

    /// All relations of the corpus, in the order of the input. None: stopped on the way.
    pub fn relations(&self, tick: Tick) -> Option<(Vec<Relation>, u64, u64)> {
        let deal = Deal::new(self.corpus.len(), 64);
        let watch = &self.corpus.watch;
        let parts = parallel::run(self.corpus.settings.threads, watch, tick, |_| {
            let mut worker = self.worker();
            let (mut out, mut links) = (vec![], vec![]);
            while let Some(range) = deal.take() {
                if watch.is_stopped() {
                    break;
                }
                for left in range {
                    let left = left as u32;
                    self.links(&mut worker, left, |other| other < left, &mut links);
                    let related = links.iter().filter(|link| link.overlap.kind != Kind::None);
                    out.extend(related.map(|link| self.turned(Relation { left, right: link.to, overlap: link.overlap })));
                }
            }
            (out, worker.compared, worker.forms)
        });
        if watch.is_stopped() {
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
    fn turned(&self, relation: Relation) -> Relation {
        let Relation { left, right, overlap } = relation;
        let turn = match overlap.kind {
            Kind::HasPart => true,
            Kind::Update => self.corpus.published(left as usize) < self.corpus.published(right as usize),
            _ => false,
        };
        if turn {
            relation.flipped()
        } else {
            relation
        }
    }
}

/// Same known source, different known times, mostly the same text.
pub fn is_update(left: (u64, i64), right: (u64, i64), share: f64) -> bool {
    left.0 != 0 && left.0 == right.0 && left.1 != NO_TIME && right.1 != NO_TIME && left.1 != right.1 && share >= UPDATE_SHARE
}
