//! Verifies candidate pairs: each pair that shares enough keys is compared exactly once.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::base::parallel::{self, Deal, Tick};
use crate::detectors::{DayRule, Kind, Overlap, Why};
use crate::engine::candidates::{ComparisonCounts, Worker};
use crate::engine::compare::{dated, depends_on_dates, is_reversed};
use crate::engine::compared_pairs::{ComparedPairs, ComparedWith};
use crate::engine::duplicates::Copies;
use crate::engine::population::Corpus;
use crate::engine::postings::batch::BatchPostings;
use crate::engine::postings::hubs::Hubs;
use crate::engine::strongest::strongest_of;
use crate::model::group::joins;
use crate::model::relation::{Link, Relation};

/// Cost of a pair in addition to reading its signatures, in signature words: for candidate generation and grouping.
const WORK_PER_PAIR: u64 = 64;

/// A corpus with its posting lists.
pub struct IndexedCorpus {
    pub corpus: Corpus,
    pub copies: Copies,
    pub postings: BatchPostings,
    pub(crate) day_rule: Option<Arc<dyn DayRule>>,
    /// The comparisons of a detector that works in batches.
    compared: Option<ComparedPairs>,
}

/// The relations of a corpus.
pub struct FoundRelations {
    pub relations: Vec<Relation>,
    /// Number of relations that are weaker than those that were kept of their article.
    pub weaker: u64,
    pub counts: ComparisonCounts,
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

impl IndexedCorpus {
    /// Calibrates the corpus and builds its posting lists. With `for_components`, only connected components are
    /// computed from it, for which a spanning forest of the relations is enough. Returns None if the run was stopped.
    pub fn new(mut corpus: Corpus, for_components: bool, tick: Tick) -> Option<Self> {
        corpus.calibrate();
        let copies = Copies::find(&corpus);
        let postings = BatchPostings::new(&mut corpus, &copies, tick)?;
        let mut related =
            IndexedCorpus { day_rule: corpus.detector.day_rule(), corpus, copies, postings, compared: None };
        if let Some(detector) = related.corpus.detector.batch() {
            let signatures = related.signatures();
            let pairs = related.candidate_pairs(&signatures, for_components);
            let compared = ComparedPairs::new(detector, &signatures, &pairs, &related.corpus.watch, tick)?;
            related.compared = Some(compared);
        }
        Some(related)
    }

    /// From pairs that were compared elsewhere.
    pub(crate) fn from_compared(corpus: Corpus, copies: Copies, compared: ComparedPairs) -> Self {
        let postings = BatchPostings::without_lists(corpus.detector.candidate_plan());
        IndexedCorpus { day_rule: corpus.detector.day_rule(), corpus, copies, postings, compared: Some(compared) }
    }

    /// The candidate pairs of originals, of which not both are old; the later one is first.
    fn candidate_pairs(&self, signatures: &[&[u32]], for_components: bool) -> Vec<(u32, u32)> {
        let originals: Vec<u32> =
            (0..self.corpus.len() as u32).filter(|&article| self.copies.is_original(article)).collect();
        let is_new = |&(left, right): &(u32, u32)| {
            let is_any_new = |article: u32| self.copies.class(&article).iter().any(|&copy| !self.is_old(copy));
            is_any_new(left) || is_any_new(right)
        };
        // an original with copies is compared with itself
        let with_copies = originals.iter().filter(|&&article| self.copies.has_copies(article)).map(|&own| (own, own));
        let rows: Vec<&[u32]> = originals.iter().map(|&article| signatures[article as usize]).collect();
        if let Some(source) = &self.postings.plan.pair_source {
            let pairs = source.candidate_pairs(&rows, for_components);
            let named = |(left, right): (u32, u32)| (originals[left as usize], originals[right as usize]);
            return pairs.into_iter().map(named).filter(is_new).chain(with_copies).collect();
        }
        let hubs = self.hubs(None);
        let mut worker = self.worker(&hubs, signatures);
        let mut pairs = vec![];
        for &original in &originals {
            worker.find_candidates(original, original, |_| true);
            let worth =
                worker.candidates.iter().filter(|&&(other, shared)| worker.is_worth_comparing(original, other, shared));
            pairs.extend(worth.map(|&(other, _)| (original, other)).filter(is_new));
        }
        pairs.extend(with_copies);
        pairs
    }

    /// Number of pairs compared in advance, and of those with one template and other facts.
    pub fn compared_in_advance(&self) -> ComparisonCounts {
        self.compared.as_ref().map_or(ComparisonCounts::default(), |compared| compared.counts)
    }

    /// The signature of every article, for the workers.
    pub fn signatures(&self) -> Vec<&[u32]> {
        (0..self.corpus.len()).map(|article| self.corpus.signature(article)).collect()
    }

    /// The hubs of long posting lists; `order`: all articles, best representative first.
    pub fn hubs(&self, order: Option<&[u32]>) -> Hubs<'_> {
        self.postings.hubs(&self.corpus, order)
    }

    pub fn worker<'a>(&'a self, hubs: &'a Hubs<'a>, signatures: &'a [&'a [u32]]) -> Worker<'a> {
        Worker::new(&self.corpus, &self.postings, hubs, signatures)
    }

    fn is_old(&self, article: u32) -> bool {
        (article as usize) < self.corpus.old
    }

    /// Compares an article with each of its open candidates below `end`; `out` receives every result, related or not.
    pub fn links<'a>(
        &'a self,
        worker: &mut Worker<'a>,
        article: u32,
        end: u32,
        is_open: impl Fn(u32) -> bool,
        out: &mut Vec<Link>,
    ) {
        out.clear();
        let original = self.copies.original[article as usize];
        let is_wanted = |other: u32| {
            other != article && other < end && is_open(other) && !(self.is_old(article) && self.is_old(other))
        };
        if let Some(compared) = &self.compared {
            for other in compared.of(original) {
                let copies = self.copies.class(&other.to).iter().filter(|&&copy| is_wanted(copy));
                out.extend(copies.map(|&to| Link { to, overlap: self.dated(article, to, other.overlap) }));
            }
            return;
        }
        // the original of a class is its first article, so a copy below `end` has its original below it
        worker.find_candidates(original, end, |other| is_open(other) | self.copies.has_copies(other));
        let mut candidates = mem::take(&mut worker.candidates);
        if self.copies.has_copies(original) {
            // the copies of this article are candidates too
            candidates.insert(candidates.partition_point(|&(other, _)| other < original), (original, u8::MAX));
        }
        let mut loaded = false;
        for &(other, shared) in &candidates {
            let copies = self.copies.class(&other);
            if !copies.iter().any(|&copy| is_wanted(copy))
                || (other != original && !worker.is_worth_comparing(original, other, shared))
            {
                continue;
            }
            if !loaded {
                worker.comparer.load(worker.signatures[original as usize]);
                loaded = true;
            }
            worker.counts.compared += 1;
            let (left, right) = (worker.signatures[original as usize], worker.signatures[other as usize]);
            worker.work += WORK_PER_PAIR + (left.len() + right.len()) as u64;
            let overlap = worker.comparer.compare(worker.signatures[other as usize]);
            worker.counts.template_pairs += u64::from(overlap.is_template());
            out.extend(
                copies
                    .iter()
                    .filter(|&&copy| is_wanted(copy))
                    .map(|&to| Link { to, overlap: self.dated(article, to, overlap) }),
            );
        }
        worker.candidates = candidates;
    }

    /// How near another original is that was compared in advance: the share where all pairs are compared in advance, and
    /// otherwise the number of shared keys.
    fn worth(&self, with: &ComparedWith) -> f64 {
        match self.corpus.detector.batch() {
            Some(_) => with.overlap.share(),
            None => with.shared.into(),
        }
    }

    /// Among the candidates of an article that are not open and have no open copy, the one with the most shared keys.
    pub fn nearest<'a>(&'a self, worker: &mut Worker<'a>, article: u32, is_open: impl Fn(u32) -> bool) -> Option<Link> {
        let (_, to, overlap) = self.nearest_worth(worker, article, is_open)?;
        Some(Link { to, overlap: self.dated(article, to, overlap) })
    }

    /// The same with its worth and the overlap of the texts alone.
    pub(crate) fn nearest_worth<'a>(
        &'a self,
        worker: &mut Worker<'a>,
        article: u32,
        is_open: impl Fn(u32) -> bool,
    ) -> Option<(f64, u32, Overlap)> {
        let original = self.copies.original[article as usize];
        let is_wanted =
            |other: u32| other != article && is_open(other) && !(self.is_old(article) && self.is_old(other));
        let is_outside = |other: u32| {
            let are_old = self.is_old(article) && self.is_old(other);
            !are_old && !self.copies.class(&other).iter().any(|&copy| is_wanted(copy))
        };
        if let Some(compared) = &self.compared {
            let outside = compared.of(original).iter().filter(|with| with.to != original && is_outside(with.to));
            let nearest = outside.rev().max_by(|one, other| self.worth(one).total_cmp(&self.worth(other)));
            return nearest.map(|with| (self.worth(with), with.to, with.overlap));
        }
        worker.find_candidates(original, u32::MAX, |_| true);
        let mut nearest: Option<(u8, u32)> = None;
        for &(other, shared) in &worker.candidates {
            if nearest.is_none_or(|(max_shared, _)| shared > max_shared)
                && is_outside(other)
                && worker.is_worth_comparing(original, other, shared)
            {
                nearest = Some((shared, other));
            }
        }
        let (shared, to) = nearest?;
        worker.comparer.load(worker.signatures[article as usize]);
        Some((shared.into(), to, worker.comparer.compare(worker.signatures[to as usize])))
    }

    /// Returns the link to the first of some articles that this one is a copy or a version of.
    pub fn first_copied<'a>(&'a self, worker: &mut Worker<'a>, article: u32, among: &[u32]) -> Option<Link> {
        let original = self.copies.original[article as usize];
        if let Some(compared) = &self.compared {
            let is_new = |to: u32| !(self.is_old(article) && self.is_old(to));
            let links = among.iter().filter(|&&to| is_new(to)).filter_map(|&to| {
                let overlap = compared.between(original, self.copies.original[to as usize])?;
                Some(Link { to, overlap: self.dated(article, to, overlap) })
            });
            return links.into_iter().find(|link| joins(link.overlap.kind, false));
        }
        worker.find_candidates(original, u32::MAX, |_| true);
        worker.comparer.load(worker.signatures[original as usize]);
        // copies of one text are compared once
        let mut known: HashMap<u32, Overlap> = HashMap::new();
        for &to in among.iter().filter(|&&to| !(self.is_old(article) && self.is_old(to))) {
            let other = self.copies.original[to as usize];
            if other != original {
                let Ok(at) = worker.candidates.binary_search_by_key(&other, |&(other, _)| other) else { continue };
                if !worker.is_worth_comparing(original, other, worker.candidates[at].1) {
                    continue;
                }
            }
            let overlap = *known.entry(other).or_insert_with(|| {
                worker.counts.compared += 1;
                worker.comparer.compare(worker.signatures[other as usize])
            });
            let link = Link { to, overlap: self.dated(article, to, overlap) };
            if joins(link.overlap.kind, false) {
                return Some(link);
            }
        }
        None
    }

    /// The overlap of an original with itself, or with a copy of it: that of two articles with equal signatures.
    pub(crate) fn class_overlap(&self, original: u32) -> Overlap {
        if let Some(compared) = &self.compared {
            return compared.between(original, original).unwrap_or(Overlap::apart(0.0, 0.0, Why::Apart));
        }
        let mut comparer = self.corpus.detector.comparer();
        comparer.load(self.corpus.signature(original as usize));
        comparer.compare(self.corpus.signature(original as usize))
    }

    pub(crate) fn dated(&self, left: u32, right: u32, overlap: Overlap) -> Overlap {
        // most compared pairs are unrelated, and their sources and times are far apart in memory
        if !depends_on_dates(self.day_rule.as_deref(), &overlap) {
            return overlap;
        }
        let about = |article: u32| (self.corpus.source(article as usize), self.corpus.published(article as usize));
        dated(self.day_rule.as_deref(), overlap, about(left), about(right))
    }

    /// The relations of the corpus, in input order: of each article, the `max_relations` strongest to earlier ones.
    /// Returns None if the run was stopped.
    pub fn relations(&self, max_relations: usize, tick: Tick) -> Option<FoundRelations> {
        self.relations_of(|_| true, |_, _| true, max_relations, u64::MAX, tick)
    }

    /// All relations among the accepted articles.
    pub fn relations_among(&self, is_accepted: impl Fn(u32) -> bool + Sync, tick: Tick) -> Option<FoundRelations> {
        self.relations_of(&is_accepted, |_, other| is_accepted(other), usize::MAX, u64::MAX, tick)
    }

    /// All relations except those of known pairs. Returns None if the run was stopped or needed more than `max_work`,
    /// which bounds the run however many articles are related.
    pub fn relations_beside(&self, known: &KnownPairs, max_work: u64, tick: Tick) -> Option<FoundRelations> {
        self.relations_of(|_| true, |left, other| !known.has(left, other), usize::MAX, max_work, tick)
    }

    /// Greedy grouping in input order: each free article claims the free articles that form one group with it. Returns
    /// a relation from every claimed article to the claiming one. Stops after `max_work`.
    pub fn taken(&self, max_work: u64) -> Vec<Relation> {
        let signatures = self.signatures();
        let hubs = self.hubs(None);
        let mut worker = self.worker(&hubs, &signatures);
        let (mut out, mut links, mut free) = (vec![], vec![], vec![true; self.corpus.len()]);
        for article in 0..self.corpus.len() as u32 {
            if worker.work > max_work {
                break;
            }
            if mem::take(&mut free[article as usize]) {
                self.links(&mut worker, article, u32::MAX, |other| free[other as usize], &mut links);
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
        max_relations: usize,
        max_work: u64,
        tick: Tick,
    ) -> Option<FoundRelations> {
        let work = AtomicU64::new(0);
        let deal = Deal::new(self.corpus.len(), 64, &self.corpus.watch);
        let watch = &self.corpus.watch;
        let signatures = self.signatures();
        let hubs = self.hubs(None);
        let parts = parallel::run(self.corpus.settings.threads, watch, tick, |_| {
            let mut worker = self.worker(&hubs, &signatures);
            let (mut out, mut links, mut weaker) = (vec![], vec![], 0);
            while let Some(range) = deal.take() {
                if watch.is_stopped() {
                    break;
                }
                for left in range.map(|left| left as u32).filter(|&left| is_accepted(left)) {
                    if work.fetch_add(mem::take(&mut worker.work), Ordering::Relaxed) > max_work {
                        break;
                    }
                    self.links(&mut worker, left, left, |other| is_open(left, other), &mut links);
                    let related = links.iter().filter(|link| link.overlap.kind != Kind::None);
                    let found =
                        related.map(|link| self.oriented(Relation { left, right: link.to, overlap: link.overlap }));
                    let before = out.len();
                    out.extend(found);
                    let count = out.len() - before;
                    if count > max_relations {
                        let found = out.split_off(before);
                        out.extend(strongest_of(&self.corpus, &found, max_relations));
                        weaker += (count - max_relations) as u64;
                    }
                }
            }
            work.fetch_add(worker.work, Ordering::Relaxed);
            (out, weaker, worker.counts)
        });
        if watch.is_stopped() || work.into_inner() > max_work {
            return None;
        }
        let mut found = FoundRelations { relations: vec![], weaker: 0, counts: self.compared_in_advance() };
        for (relations, weaker, counts) in parts {
            found.weaker += weaker;
            found.relations.extend(relations);
            found.counts += counts;
        }
        found.relations.sort_unstable_by_key(|r| (r.left.max(r.right), r.left.min(r.right)));
        Some(found)
    }

    /// Orients a relation for readers: the contained article before its container, a new version before the old one,
    /// and otherwise the later article of the input before the earlier one.
    pub fn oriented(&self, relation: Relation) -> Relation {
        let relation = if relation.left < relation.right { relation.flipped() } else { relation };
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
