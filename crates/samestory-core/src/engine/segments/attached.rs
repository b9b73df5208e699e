//! A segment that an index searches, with the articles that were removed from it since it was written.

use std::path::Path;
use std::sync::Arc;

use super::format::ArticleRecord;
use super::reader::{Cursor, Segment};
use super::{SegmentKind, SegmentResult};
use crate::base::time::NO_TIME;
use crate::detectors::Detector;

pub struct Attached {
    pub(super) segment: Arc<Segment>,
    /// The rows of removed articles.
    pub(super) dead: RowSet,
}

/// A set of rows of articles: a bit for each, from the first row on.
#[derive(Default)]
pub(super) struct RowSet {
    bits: Vec<u64>,
    pub count: usize,
}

impl RowSet {
    pub fn contains(&self, row: u32) -> bool {
        self.bits.get(row as usize / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    /// Adds a row; returns whether it is new.
    pub fn insert(&mut self, row: u32) -> bool {
        let is_new = !self.contains(row);
        if is_new {
            self.bits.resize(self.bits.len().max(row as usize / 64 + 1), 0);
            self.bits[row as usize / 64] |= 1 << (row % 64);
            self.count += 1;
        }
        is_new
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let rows = |(at, bits): (usize, &u64)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        };
        self.bits.iter().enumerate().flat_map(rows)
    }
}

impl Attached {
    /// Attaches a segment of this kind without the articles with these ids.
    pub fn open(path: &Path, kind: &SegmentKind, dead: &[String]) -> SegmentResult<Self> {
        let segment = Arc::new(Segment::open(path)?);
        segment.check_kind(kind)?;
        let mut attached = Attached { segment, dead: RowSet::default() };
        for id in dead {
            attached.remove(id)?;
        }
        Ok(attached)
    }

    pub fn path(&self) -> &Path {
        self.segment.path()
    }

    /// Number of articles that were not removed.
    pub fn live_count(&self) -> usize {
        self.segment.header.articles as usize - self.dead.count
    }

    pub fn last_sequence(&self) -> u64 {
        self.segment.header.last_sequence
    }

    pub fn posting_count(&self) -> usize {
        self.segment.header.keys as usize
    }

    /// The row and the class of an article.
    pub fn find(&self, id: &str) -> SegmentResult<Option<(u32, u32)>> {
        self.segment.find(id, |row| !self.dead.contains(row))
    }

    /// Removes an article; returns whether it was there.
    pub fn remove(&mut self, id: &str) -> SegmentResult<bool> {
        let Some((row, _)) = self.find(id)? else {
            return Ok(false);
        };
        self.remove_rows([row]);
        Ok(true)
    }

    /// Removes the articles published before a time; articles without a time stay. Returns how many there were.
    pub fn expire(&mut self, before: i64) -> SegmentResult<usize> {
        if self.segment.header.starts.0 == NO_TIME || self.segment.header.starts.0 >= before {
            return Ok(0);
        }
        let segment = self.segment.clone();
        let mut cursor = segment.scan();
        let end = segment.resident()?.starts.partition_point(|&(start, _)| start < before);
        let end = segment.resident()?.starts.get(end).map_or(segment.header.classes, |start| start.1);
        let rows = cursor.class(segment.header.undated_classes)?.first..cursor.class(end)?.first;
        let mut expired = vec![];
        for row in rows.start..rows.end.min(segment.header.articles) {
            if cursor.article(row)?.published < before && !self.dead.contains(row) {
                expired.push(row);
            }
        }
        let count = expired.len();
        self.remove_rows(expired);
        Ok(count)
    }

    fn remove_rows(&mut self, rows: impl IntoIterator<Item = u32>) {
        rows.into_iter().for_each(|row| {
            self.dead.insert(row);
        });
        // the samples of long lists may have lost a class
        self.segment.samples.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }

    /// Removes from this segment, a merged one, the articles that were removed from one of its sources: those of the same
    /// id and sequence.
    pub fn inherit(&mut self, source: &Attached) -> SegmentResult<()> {
        let (segment, from) = (self.segment.clone(), source.segment.clone());
        let (mut own, mut other) = (segment.cursor(), from.cursor());
        for row in source.dead.iter() {
            let sequence = other.article(row)?.sequence;
            if let Some((row, _)) = self.find(other.id(row)?)? {
                if own.article(row)?.sequence == sequence {
                    self.remove_rows([row]);
                }
            }
        }
        Ok(())
    }

    /// The ids of the removed articles.
    pub fn dead_ids(&self) -> SegmentResult<Vec<String>> {
        let mut cursor = self.segment.cursor();
        self.dead.iter().map(|row| cursor.id(row).map(String::from)).collect()
    }

    /// The signature of a class, which must be of this detector.
    pub fn signature(&self, class: u32, detector: &dyn Detector) -> SegmentResult<Vec<u32>> {
        let mut out = vec![];
        self.segment.cursor().signature(class, &mut out)?;
        match detector.is_well_formed(&out) {
            true => Ok(out),
            false => Err(self.segment.damaged("a signature is malformed")),
        }
    }

    pub(in crate::engine) fn article(&self, row: u32) -> SegmentResult<ArticleRecord> {
        self.segment.cursor().article(row)
    }

    /// Whether articles with the same signature and start are in other classes than this one.
    pub fn is_alone(&self, class: u32) -> SegmentResult<bool> {
        Ok(self.segment.cursor().class(class)?.is_alone)
    }

    /// Whether a class has articles that were not removed.
    pub(super) fn has_articles(&self, cursor: &mut Cursor, class: u32) -> SegmentResult<bool> {
        Ok(self.dead.count == 0 || cursor.rows(class)?.any(|row| !self.dead.contains(row)))
    }
}
