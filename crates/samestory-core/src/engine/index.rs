//! Relations in a changing collection: a live index of signatures, and the articles of each duplicate class.
//!
//! A duplicate class is compared once. With `every`, all its related articles are returned; otherwise only the first,
//! whatever its source, so that a thousand copies give a thousand hits, not a million. The first article of the query's
//! own source of which the query is another version (an update) is returned in addition.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::base::free_list;
use crate::base::parallel::{self, Deal, Watch};
use crate::base::small_list::SmallList;
use crate::base::time::NO_TIME;
use crate::detectors::{Detector, Kind, Overlap};
use crate::engine::compare::dated;
use crate::engine::live_index::{LiveIndex, Query, QueryCounter};
use crate::engine::updates::SourceAndTime;

/// Batches with fewer rows run on one thread.
const MIN_PARALLEL_ROWS: usize = 16;

/// An article to index or to query.
#[derive(Clone, Copy)]
pub struct SignedArticle<'a> {
    pub id: &'a str,
    pub published: i64,
    /// 0 if unknown.
    pub source: u64,
    pub signature: &'a [u32],
}

pub struct IndexedArticle {
    pub id: Arc<str>,
    pub published: i64,
    pub source: u64,
    class: u32,
    /// Position in the order of insertion, counted over all articles ever inserted.
    sequence: u64,
}

/// The relations of a batch.
#[derive(Default)]
pub struct RelatedRows {
    pub found: Vec<RelatedRow>,
    /// Rows whose query read samples of posting lists, so that they may have more related articles.
    pub sampled: Vec<u32>,
}

/// A row of the batch, the number of a related article, and their overlap.
#[derive(Clone, Copy, Debug)]
pub struct RelatedRow {
    pub row: u32,
    pub article: u32,
    pub overlap: Overlap,
}

pub struct Index {
    detector: Arc<dyn Detector>,
    live_index: LiveIndex,
    articles: Vec<IndexedArticle>,
    free: Vec<u32>,
    by_id: HashMap<Arc<str>, u32>,
    /// The articles of every duplicate class, in order of insertion.
    members: Vec<SmallList<u32>>,
    /// The same, by source and then in order of insertion.
    members_by_source: Vec<SmallList<u32>>,
    last_sequence: u64,
    /// Ids of articles that join no duplicate class of others: each is reported on its own.
    singletons: HashSet<Arc<str>>,
    counters: Vec<Mutex<QueryCounter>>,
}

impl Index {
    /// `window`: how far apart in time related articles may be, in microseconds.
    pub fn new(detector: Arc<dyn Detector>, window: Option<i64>) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Index {
            live_index: LiveIndex::new(Some(detector.clone()), window),
            detector,
            articles: vec![],
            free: vec![],
            by_id: HashMap::new(),
            members: vec![],
            members_by_source: vec![],
            last_sequence: 0,
            singletons: HashSet::new(),
            counters: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub fn article(&self, number: u32) -> &IndexedArticle {
        &self.articles[number as usize]
    }

    /// Number of posting keys in use, which removal must release.
    pub fn posting_count(&self) -> usize {
        self.live_index.posting_count()
    }

    /// How many related articles of one group a query that reads samples can find.
    pub fn sample_size(&self) -> usize {
        self.detector.candidate_plan().long_list_sample
    }

    /// Number of key lookups skipped because the posting list was too long.
    pub fn skipped(&self) -> u64 {
        self.counters.iter().map(|counter| counter.lock().map_or(0, |counter| counter.skipped)).sum()
    }

    /// Indexes articles; of articles with the same id, indexed before or in the batch, the last replaces the others.
    ///
    /// Rows that are no signatures of the detector, as a damaged store has them, are not indexed; returns their
    /// positions.
    pub fn file(&mut self, batch: &[SignedArticle]) -> Vec<usize> {
        let mut malformed = vec![];
        for (at, &new) in batch.iter().enumerate() {
            self.remove([new.id]);
            match self.detector.is_well_formed(new.signature) {
                true => self.insert(new),
                false => malformed.push(at),
            }
        }
        malformed
    }

    /// Indexes articles, and returns the relations of each to the articles indexed before it, in the batch or earlier.
    /// The ids of a batch must be distinct.
    pub fn add(&mut self, batch: &[SignedArticle], every: bool) -> RelatedRows {
        // queries read the samples of long lists as they are after the whole part: few of it must be in them
        let rows = match self.sample_size() {
            0 => batch.len(),
            size => size.div_ceil(2),
        };
        let mut out = RelatedRows::default();
        for (part, first) in batch.chunks(rows.max(1)).zip((0..).step_by(rows.max(1))) {
            self.file(part);
            let numbers: Vec<Option<u32>> = part.iter().map(|new| self.by_id.get(new.id).copied()).collect();
            let found = self.search_rows(part.len(), |row, counter| {
                let Some(number) = numbers[row] else { return vec![] };
                let own = self.article(number);
                let before = |other: &IndexedArticle| other.sequence < own.sequence;
                let query = self.live_index.query_of(own.class);
                self.related(counter, row, query, (own.source, own.published), before, every)
            });
            out.found.extend(found.found.into_iter().map(|each| RelatedRow { row: each.row + first, ..each }));
            out.sampled.extend(found.sampled.into_iter().map(|row| row + first));
        }
        out
    }

    /// The relations of articles that are not indexed; indexed articles with the id of the query are left out.
    pub fn query(&self, batch: &[SignedArticle], every: bool) -> RelatedRows {
        self.search_rows(batch.len(), |row, counter| {
            let SignedArticle { id, published, source, signature } = batch[row];
            if !self.detector.is_well_formed(signature) {
                return vec![];
            }
            let another = |other: &IndexedArticle| *other.id != *id;
            self.related(counter, row, self.live_index.query(signature, published), (source, published), another, every)
        })
    }

    /// Whether two indexed articles are reports from one template, with other facts.
    pub fn is_template(&self, left: &str, right: &str) -> bool {
        self.compare(left, right).is_some_and(|overlap| overlap.is_template())
    }

    /// The overlap of two articles, if both are indexed.
    pub fn compare(&self, left: &str, right: &str) -> Option<Overlap> {
        let class = |id: &str| self.by_id.get(id).map(|&number| self.article(number).class);
        class(left).zip(class(right)).map(|(left, right)| self.live_index.compare(left, right))
    }

    /// Removes articles; returns how many of the ids were indexed.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> usize {
        let mut removed = 0;
        for id in ids {
            let Some(number) = self.by_id.remove(id) else {
                continue;
            };
            let IndexedArticle { class, published, source, sequence, .. } = self.articles[number as usize];
            self.live_index.remove(class, published, source);
            let members = self.members[class as usize].as_slice();
            let at = members.partition_point(|&member| self.article(member).sequence < sequence);
            self.members[class as usize].remove(at);
            let at = self.position_by_source(class, source, sequence);
            self.members_by_source[class as usize].remove(at);
            self.articles[number as usize].id = "".into();
            self.articles[number as usize].class = u32::MAX;
            self.free.push(number);
            removed += 1;
        }
        self.compact();
        removed
    }

    /// Removes the articles published before a time; articles without a time stay.
    pub fn expire(&mut self, before: i64) -> usize {
        let expired = self.by_id.iter().filter(|&(_, &number)| {
            let published = self.article(number).published;
            published != NO_TIME && published < before
        });
        let ids: Vec<Arc<str>> = expired.map(|(id, _)| id.clone()).collect();
        self.remove(ids.iter().map(|id| &**id))
    }

    /// Gives an article a duplicate class of its own from now on, also where it is a copy of others.
    pub fn set_alone(&mut self, id: &str) {
        if !self.singletons.insert(id.into()) {
            return;
        }
        if let Some(&number) = self.by_id.get(id) {
            let IndexedArticle { published, source, class, .. } = self.articles[number as usize];
            let signature = self.live_index.classes[class as usize].signature.clone();
            self.remove([id]);
            self.insert(SignedArticle { id, published, source, signature: &signature });
        }
    }

    fn insert(&mut self, new: SignedArticle) {
        let SignedArticle { signature, source, published, .. } = new;
        let is_singleton = self.singletons.contains(new.id);
        let class = match self.live_index.copied(signature, published).filter(|_| !is_singleton) {
            Some(class) => {
                self.live_index.insert(class, published, source);
                class
            }
            None => self.live_index.open(signature, source, published, is_singleton),
        };
        let id: Arc<str> = new.id.into();
        self.last_sequence += 1;
        let article = IndexedArticle { id: id.clone(), published, source, class, sequence: self.last_sequence };
        let number = free_list::store(&mut self.articles, &mut self.free, article);
        if class as usize == self.members.len() {
            self.members.push(SmallList::One(number));
            self.members_by_source.push(SmallList::One(number));
        } else {
            let members = &mut self.members[class as usize];
            members.insert(members.as_slice().len(), number);
            let at = self.position_by_source(class, source, self.last_sequence);
            self.members_by_source[class as usize].insert(at, number);
        }
        self.by_id.insert(id, number);
    }

    /// The position of an article with this source and sequence number in `members_by_source`, present or not.
    fn position_by_source(&self, class: u32, source: u64, sequence: u64) -> usize {
        self.members_by_source[class as usize].as_slice().partition_point(|&number| {
            let other = self.article(number);
            (other.source, other.sequence) < (source, sequence)
        })
    }

    /// Renumbers duplicate classes after the live index has dropped empty ones.
    fn compact(&mut self) {
        let Some(numbers) = self.live_index.compact() else {
            return;
        };
        for lists in [&mut self.members, &mut self.members_by_source] {
            let mut classes = 0..;
            lists.retain(|_| classes.next().is_some_and(|class: usize| numbers[class] != u32::MAX));
            lists.shrink_to_fit();
        }
        let indexed = self.articles.iter_mut().filter(|article| article.class != u32::MAX);
        indexed.for_each(|article| article.class = numbers[article.class as usize]);
    }

    /// Runs `find` for every row and returns the hits in row order; on several threads if there are many rows.
    fn search_rows(
        &self,
        rows: usize,
        find: impl Fn(usize, &mut QueryCounter) -> Vec<RelatedRow> + Sync,
    ) -> RelatedRows {
        let threads = if rows < MIN_PARALLEL_ROWS { 1 } else { self.counters.len() };
        let watch = Watch::default();
        let deal = Deal::new(rows, MIN_PARALLEL_ROWS / 2, &watch);
        let search = |thread: usize| {
            let mut counter = self.counters[thread].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let mut out = RelatedRows::default();
            while let Some(rows) = deal.take() {
                for row in rows {
                    counter.is_sampled = false;
                    out.found.extend(find(row, &mut counter));
                    out.sampled.extend(counter.is_sampled.then_some(row as u32));
                }
            }
            out
        };
        if threads == 1 {
            return search(0);
        }
        let mut out = RelatedRows::default();
        for part in parallel::run(threads, &watch, &mut |_| true, search) {
            out.found.extend(part.found);
            out.sampled.extend(part.sampled);
        }
        out.found.sort_by_key(|hit| hit.row);
        out.sampled.sort_unstable();
        out
    }

    fn related(
        &self,
        counter: &mut QueryCounter,
        row: usize,
        query: Query,
        about: SourceAndTime,
        wanted: impl Fn(&IndexedArticle) -> bool,
        every: bool,
    ) -> Vec<RelatedRow> {
        let mut out: Vec<RelatedRow> = vec![];
        let rule = self.live_index.day_rule();
        let (max_hits, (source, published)) = (if every { usize::MAX } else { 1 }, about);
        for (class, overlap) in self.live_index.overlaps(counter, query, |_, _| true) {
            if overlap.kind == Kind::None && overlap.score == 0.0 {
                continue; // unrelated whatever the dates and sources
            }
            let related = |article: u32| {
                let other = self.article(article);
                let is_candidate = wanted(other) && self.live_index.is_near(published, other.published);
                let overlap = match is_candidate {
                    true => dated(rule, overlap, about, (other.source, other.published)),
                    false => return None,
                };
                (overlap.kind != Kind::None).then_some(RelatedRow { row: row as u32, article, overlap })
            };
            let first = out.len();
            let members = self.members[class as usize].as_slice().iter().copied();
            out.extend(members.filter_map(related).take(max_hits));
            // where one copy represents its class, an update of the source's own article is reported in addition
            if !every && !out[first..].iter().any(|hit| hit.overlap.kind == Kind::Update) {
                let from = self.position_by_source(class, source, 0);
                let by_source = &self.members_by_source[class as usize].as_slice()[from..];
                let own = by_source.iter().copied().take_while(|&number| self.article(number).source == source);
                out.extend(own.filter_map(related).filter(|hit| hit.overlap.kind == Kind::Update).take(1));
            }
        }
        out
    }
}
