//! Candidates and overlaps of a query in one segment, by the rules of the live index.

use std::sync::Arc;

use super::attached::Attached;
use super::format::ArticleRecord;
use super::postings::StoredList;
use super::reader::{Cursor, Resident};
use super::{SegmentError, SegmentResult};
use crate::detectors::plan::CandidatePlan;
use crate::detectors::{Detector, Overlap};
use crate::engine::compare::is_unrelated;
use crate::engine::postings::fair;
use crate::engine::postings::overlap_counter::MAX_COUNT;
use crate::engine::postings::Postings;
use crate::engine::prepared_query::{CandidateClasses, PreparedQuery, QueryCounter, Verified, SIGNATURES_PER_FETCH};

/// The most samples of long lists that a segment keeps.
const MAX_SAMPLES: usize = 1024;

/// What a thread needs to search segments: buffers that fit all of them.
#[derive(Default)]
pub struct SegmentScratch {
    pub counter: QueryCounter,
    lists: Vec<u32>,
    words: Vec<u32>,
}

/// A query for the classes near a time; its lists are read into the buffer.
pub struct SegmentQuery<'q, 'a> {
    plan: &'q CandidatePlan,
    keys: &'q [u64],
    time: i64,
    gap: i64,
    buffer: &'a mut Vec<u32>,
}

impl Postings for Attached {
    type Query<'q, 'a> = SegmentQuery<'q, 'a>;
    type Error = SegmentError;

    fn lists<'a>(&'a self, query: SegmentQuery<'_, 'a>, lists: &mut Vec<&'a [u32]>) -> SegmentResult<usize> {
        let SegmentQuery { plan, keys, time, gap, buffer: classes } = query;
        let (resident, mut cursor) = (self.segment.resident()?, self.segment.cursor());
        let ranges = self.segment.ranges(time, gap)?;
        classes.clear();
        let (mut ends, mut long) = (vec![], vec![]);
        for &key in keys {
            let Some(list) = cursor.list(resident, key)? else { continue };
            for (kind, &range) in ranges.iter().enumerate() {
                let places = cursor.places(list, range)?;
                if self.is_long(plan, &mut cursor, list, places)? {
                    long.push((kind, key, list));
                } else if places.0 < places.1 {
                    cursor.classes(list, places, classes)?;
                    ends.push(classes.len());
                }
            }
        }
        let mut long_keys: Vec<u64> = long.iter().map(|&(_, key, _)| key).collect();
        long_keys.dedup();
        if plan.long_list_sample > 0 && fair::is_crowded(long_keys.len(), keys.len()) {
            for (kind, key, list) in long {
                classes.extend(self.sample(plan, &mut cursor, (key, ranges[kind]), list)?.iter());
                ends.push(classes.len());
            }
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let classes: &[u32] = classes;
        lists.extend(starts.zip(&ends).map(|(start, &end)| &classes[start..end]));
        Ok(long_keys.len())
    }
}

/// A class of a segment that shares enough keys with the query.
pub struct FoundClass {
    pub class: u32,
    /// `class_hash` of its signature and start; None if it is alone.
    pub hash: Option<(u64, i64)>,
    pub overlap: Overlap,
}

/// The classes of a segment for a query.
struct SegmentClasses<'a> {
    attached: &'a Attached,
    resident: &'a Resident,
    cursor: Cursor<'a>,
}

impl CandidateClasses for SegmentClasses<'_> {
    type Error = SegmentError;

    /// The tags of the counter stay empty: the numbers of keys are those of this segment.
    fn capped_keys(&self, class: u32, _: u8) -> u8 {
        self.resident.key_counts[class as usize]
    }

    fn keys(&mut self, class: u32) -> SegmentResult<usize> {
        key_count(self.resident, &mut self.cursor, class)
    }

    fn summary(&self, class: u32) -> Option<&u64> {
        self.resident.summaries.get(class as usize)
    }

    fn is_wanted(&mut self, class: u32) -> SegmentResult<bool> {
        self.attached.has_articles(&mut self.cursor, class)
    }

    fn source(&mut self, class: u32) -> SegmentResult<u64> {
        self.attached.first_source(&mut self.cursor, class)
    }
}

/// The number of keys of a class; large numbers are not in memory.
fn key_count(resident: &Resident, cursor: &mut Cursor, class: u32) -> SegmentResult<usize> {
    Ok(match resident.key_counts[class as usize] {
        MAX_COUNT => cursor.class(class)?.keys as usize,
        keys => keys.into(),
    })
}

impl Attached {
    /// Whether a query at this time can have related articles here.
    pub fn is_near(&self, time: i64, gap: i64) -> bool {
        self.live_count() > 0 && self.segment.is_near(time, gap)
    }

    /// Calls `each` with the row and the record of every live article of a class, by sequence, while it returns true.
    pub fn for_each_member(
        &self,
        class: u32,
        mut each: impl FnMut(u32, ArticleRecord, &mut Cursor) -> SegmentResult<bool>,
    ) -> SegmentResult<()> {
        let mut cursor = self.segment.cursor();
        for row in cursor.rows(class)?.filter(|&row| !self.dead.contains(row)) {
            let record = cursor.article(row)?;
            if !each(row, record, &mut cursor)? {
                break;
            }
        }
        Ok(())
    }

    /// Compares a query with the candidate classes that the detector admits; returns those that may be related.
    pub fn overlaps(
        &self,
        scratch: &mut SegmentScratch,
        detector: &dyn Detector,
        plan: &CandidatePlan,
        query: &mut PreparedQuery,
        gap: i64,
    ) -> SegmentResult<Vec<FoundClass>> {
        let candidates = self.candidates(scratch, plan, query, gap)?;
        let (resident, mut cursor, mut classes) =
            (self.segment.resident()?, self.segment.cursor(), self.segment.cursor());
        let mut out = vec![];
        for chunk in candidates.chunks(SIGNATURES_PER_FETCH) {
            scratch.words.clear();
            let mut places = vec![];
            for &(class, shared) in chunk {
                let start = scratch.words.len();
                let (first, end) = resident.signature(class);
                cursor.signature_between(first, end, &mut scratch.words)?;
                if !detector.is_well_formed(&scratch.words[start..]) {
                    return Err(self.segment.damaged("a signature is malformed"));
                }
                places.push((shared, key_count(resident, &mut classes, class)?, start..scratch.words.len()));
            }
            let verified = places.into_iter().map(|(shared, keys, words)| {
                let signature = &scratch.words[words];
                Verified { shared, keys, signature }
            });
            let found = query.verify(plan, &verified.collect::<Vec<_>>());
            for (at, overlap) in found.into_iter().filter(|(_, overlap)| !is_unrelated(overlap)) {
                let record = classes.class(chunk[at].0)?;
                let hash = (!record.is_alone).then_some((record.hash, record.start));
                out.push(FoundClass { class: chunk[at].0, hash, overlap });
            }
        }
        Ok(out)
    }

    /// The classes near the time of the query that share enough keys, with the number of shared keys.
    fn candidates(
        &self,
        scratch: &mut SegmentScratch,
        plan: &CandidatePlan,
        query: &PreparedQuery,
        gap: i64,
    ) -> SegmentResult<Vec<(u32, usize)>> {
        let (resident, cursor) = (self.segment.resident()?, self.segment.cursor());
        let SegmentScratch { counter, lists: buffer, .. } = scratch;
        let new = counter.overlaps.len()..self.segment.header.classes as usize;
        counter.overlaps.extend(new.map(|_| 0));
        let postings = (self, SegmentQuery { plan, keys: query.sorted_keys(), time: query.time(), gap, buffer });
        query.candidates(plan, postings, counter, &mut SegmentClasses { attached: self, resident, cursor })
    }

    /// Whether a part of a posting list exceeds the ceiling; classes without articles do not count.
    fn is_long(
        &self,
        plan: &CandidatePlan,
        cursor: &mut Cursor,
        list: StoredList,
        places: (u32, u32),
    ) -> SegmentResult<bool> {
        let Some(ceiling) = plan.ceiling.filter(|&ceiling| (places.1 - places.0) as usize > ceiling) else {
            return Ok(false);
        };
        if self.dead.count == 0 {
            return Ok(true);
        }
        let mut classes = vec![];
        cursor.classes(list, places, &mut classes)?;
        let mut live = 0;
        for class in classes {
            live += usize::from(self.has_articles(cursor, class)?);
        }
        Ok(live > ceiling)
    }

    /// A fair sample of the part of a posting list in a range of classes, sorted. It is kept for later queries: lists that
    /// are sampled once are sampled again.
    fn sample(
        &self,
        plan: &CandidatePlan,
        cursor: &mut Cursor,
        (key, range): (u64, (u32, u32)),
        list: StoredList,
    ) -> SegmentResult<Arc<[u32]>> {
        let samples = || self.segment.samples.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = samples().get(&(key, range)) {
            return Ok(known.clone());
        }
        let (mut classes, mut entries) = (vec![], vec![]);
        let places = cursor.places(list, range)?;
        cursor.classes(list, places, &mut classes)?;
        for class in classes {
            if self.has_articles(cursor, class)? {
                entries.push((self.first_source(cursor, class)?, cursor.class(class)?.hash, class));
            }
        }
        fair::keep(&mut entries, plan.long_list_sample, |entry| entry.0, |entry| entry.1);
        let mut sample: Vec<u32> = entries.into_iter().map(|entry| entry.2).collect();
        sample.sort_unstable();
        let sample: Arc<[u32]> = sample.into();
        let mut samples = samples();
        if samples.len() == MAX_SAMPLES {
            samples.clear();
        }
        samples.insert((key, range), sample.clone());
        Ok(sample)
    }

    /// The source of the first live article of a class; 0 if it has none.
    fn first_source(&self, cursor: &mut Cursor, class: u32) -> SegmentResult<u64> {
        match cursor.rows(class)?.find(|&row| !self.dead.contains(row)) {
            Some(row) => Ok(cursor.article(row)?.source),
            None => Ok(0),
        }
    }
}
