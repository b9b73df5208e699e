//! Relations in a changing collection: a live index of signatures, and the articles of each duplicate class.
//!
//! A duplicate class is compared once. With `every`, all its related articles are returned; otherwise only the first,
//! whatever its source, so that a thousand copies give a thousand hits, not a million. The first article of the query's
//! own source of which the query is another version (an update) is returned in addition.
//!
//! An index has articles in memory and segments, files with older articles (segments/mod.rs). Each part is searched by
//! itself: the ceiling of posting lists, samples and the most candidates hold for each. Otherwise the relations are those
//! of one index in memory.

mod fresh;
mod related;
mod rows;
mod stored;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::base::parallel::{self, Deal, Watch};
use crate::base::time::NO_TIME;
use crate::detectors::{Detector, Overlap};
use crate::engine::segments::attached::Attached;
use crate::engine::segments::SegmentResult;
use fresh::{FreshPart, IndexedArticle};
pub use rows::{RelatedRow, RelatedRows, SignedArticle};
use rows::{RowQuery, SearchBuffers, Wanted};

/// Batches with fewer rows run on one thread.
const MIN_PARALLEL_ROWS: usize = 16;

pub struct Index {
    detector: Arc<dyn Detector>,
    window: Option<i64>,
    fresh: FreshPart,
    segments: Vec<Attached>,
    last_sequence: u64,
    /// Ids of articles that join no duplicate class of others: each is reported on its own.
    singletons: HashSet<Arc<str>>,
    buffers: Vec<Mutex<SearchBuffers>>,
}

impl Index {
    /// `window`: how far apart in time related articles may be, in microseconds.
    pub fn new(detector: Arc<dyn Detector>, window: Option<i64>) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Index {
            fresh: FreshPart::new(detector.clone(), window),
            detector,
            window,
            segments: vec![],
            last_sequence: 0,
            singletons: HashSet::new(),
            buffers: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.fresh.by_id.len() + self.segments.iter().map(Attached::live_count).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of posting keys in use, which removal must release: in memory at once, in segments when they are merged.
    pub fn posting_count(&self) -> usize {
        let stored: usize = self.segments.iter().map(Attached::posting_count).sum();
        self.fresh.live_index.posting_count() + stored
    }

    /// How many related articles of one group a query that reads samples can find in each part.
    pub fn sample_size(&self) -> usize {
        self.detector.candidate_plan().long_list_sample
    }

    /// Number of key lookups skipped because the posting list was too long.
    pub fn skipped(&self) -> u64 {
        let skipped = |buffers: &SearchBuffers| buffers.live.skipped + buffers.segments.counter.skipped;
        self.buffers.iter().map(|buffers| buffers.lock().map_or(0, |buffers| skipped(&buffers))).sum()
    }

    /// Indexes articles; of articles with the same id, indexed before or in the batch, the last replaces the others.
    ///
    /// Rows that are no signatures of the detector, as a damaged store has them, are not indexed; returns their
    /// positions. If a segment cannot be read, the articles before are indexed.
    pub fn file(&mut self, batch: &[SignedArticle]) -> SegmentResult<Vec<usize>> {
        let mut malformed = vec![];
        for (at, &new) in batch.iter().enumerate() {
            self.remove([new.id])?;
            if !self.detector.is_well_formed(new.signature) {
                malformed.push(at);
                continue;
            }
            self.last_sequence += 1;
            self.fresh.insert(new, self.last_sequence, self.singletons.contains(new.id));
        }
        Ok(malformed)
    }

    /// Indexes articles, and returns the relations of each to the articles indexed before it, in the batch or earlier.
    /// The ids of a batch must be distinct. If a segment cannot be read, some articles may be indexed.
    pub fn add(&mut self, batch: &[SignedArticle], every: bool) -> SegmentResult<RelatedRows> {
        // queries read the samples of long lists as they are after the whole part: few of it must be in them
        let rows = match self.sample_size() {
            0 => batch.len(),
            size => size.div_ceil(2),
        };
        let mut out = RelatedRows::default();
        for (part, first) in batch.chunks(rows.max(1)).zip((0..).step_by(rows.max(1))) {
            self.file(part)?;
            let numbers: Vec<Option<u32>> = part.iter().map(|new| self.fresh.by_id.get(new.id).copied()).collect();
            let found = self.search_rows(part.len(), |row, buffers| {
                let Some(number) = numbers[row] else { return Ok(vec![]) };
                let own = self.fresh.article(number);
                let query = self.fresh.live_index.query_of(own.class);
                let (about, wanted) = ((own.source, own.published), Wanted::Before(own.sequence));
                self.related(buffers, RowQuery { row: row as u32, query, about, wanted, every })
            })?;
            out.found.extend(found.found.into_iter().map(|each| RelatedRow { row: each.row + first, ..each }));
            out.sampled.extend(found.sampled.into_iter().map(|row| row + first));
        }
        Ok(out)
    }

    /// The relations of articles that are not indexed; indexed articles with the id of the query are left out.
    pub fn query(&self, batch: &[SignedArticle], every: bool) -> SegmentResult<RelatedRows> {
        self.search_rows(batch.len(), |row, buffers| {
            let SignedArticle { id, published, source, signature } = batch[row];
            if !self.detector.is_well_formed(signature) {
                return Ok(vec![]);
            }
            let query = self.fresh.live_index.query(signature, published);
            let (about, wanted) = ((source, published), Wanted::Another(id));
            self.related(buffers, RowQuery { row: row as u32, query, about, wanted, every })
        })
    }

    /// The overlap of two articles, if both are indexed.
    pub fn compare(&self, left: &str, right: &str) -> SegmentResult<Option<Overlap>> {
        let signatures = self.signature(left)?.zip(self.signature(right)?);
        Ok(signatures.map(|(left, right)| self.fresh.live_index.compare(&left, &right)))
    }

    fn signature(&self, id: &str) -> SegmentResult<Option<Cow<'_, [u32]>>> {
        match self.fresh.by_id.get(id) {
            Some(&number) => {
                let query = self.fresh.live_index.query_of(self.fresh.article(number).class);
                Ok(Some(Cow::Borrowed(query.signature)))
            }
            None => Ok(self.stored_signature(id)?.map(Cow::Owned)),
        }
    }

    /// Removes articles; returns how many of the ids were indexed. If a segment cannot be read, those before are removed.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> SegmentResult<usize> {
        let mut removed = 0;
        let mut ids = ids.into_iter();
        let result = ids.try_for_each(|id| {
            removed += usize::from(self.fresh.remove(id) || self.remove_stored(id)?);
            Ok(())
        });
        self.fresh.compact();
        result.map(|()| removed)
    }

    /// Removes the articles published before a time; articles without a time stay.
    pub fn expire(&mut self, before: i64) -> SegmentResult<usize> {
        let expired = self.fresh.by_id.iter().filter(|&(_, &number)| {
            let published = self.fresh.article(number).published;
            published != NO_TIME && published < before
        });
        let ids: Vec<Arc<str>> = expired.map(|(id, _)| id.clone()).collect();
        let removed = ids.iter().filter(|id| self.fresh.remove(id)).count();
        self.fresh.compact();
        self.segments.iter_mut().try_fold(removed, |removed, attached| Ok(removed + attached.expire(before)?))
    }

    /// Gives an article a duplicate class of its own from now on, also where it is a copy of others.
    pub fn set_alone(&mut self, id: &str) -> SegmentResult<()> {
        if self.singletons.contains(id) {
            return Ok(());
        }
        match self.fresh.by_id.get(id) {
            Some(&number) => {
                let &IndexedArticle { published, source, class, sequence, .. } = self.fresh.article(number);
                let signature = self.fresh.live_index.classes[class as usize].signature.clone();
                self.fresh.remove(id);
                self.fresh.compact();
                self.fresh.insert(SignedArticle { id, published, source, signature: &signature }, sequence, true);
            }
            None => self.set_stored_alone(id)?,
        }
        self.singletons.insert(id.into());
        Ok(())
    }

    /// Runs `find` for every row and returns the hits in row order; on several threads if there are many rows.
    fn search_rows(
        &self,
        rows: usize,
        find: impl Fn(usize, &mut SearchBuffers) -> SegmentResult<Vec<RelatedRow>> + Sync,
    ) -> SegmentResult<RelatedRows> {
        let threads = if rows < MIN_PARALLEL_ROWS { 1 } else { self.buffers.len() };
        let watch = Watch::default();
        let deal = Deal::new(rows, MIN_PARALLEL_ROWS / 2, &watch);
        let search = |thread: usize| {
            let mut buffers = self.buffers[thread].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let mut out = RelatedRows::default();
            while let Some(rows) = deal.take() {
                for row in rows {
                    buffers.live.is_sampled = false;
                    out.found.extend(find(row, &mut buffers)?);
                    out.sampled.extend(buffers.live.is_sampled.then_some(row as u32));
                }
            }
            Ok(out)
        };
        if threads == 1 {
            return search(0);
        }
        let mut out = RelatedRows::default();
        for part in parallel::run(threads, &watch, &mut |_| true, search) {
            let part = part?;
            out.found.extend(part.found);
            out.sampled.extend(part.sampled);
        }
        out.found.sort_by_key(|hit| hit.row);
        out.sampled.sort_unstable();
        Ok(out)
    }
}
