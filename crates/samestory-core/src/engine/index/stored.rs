//! Segments of an index: written from the articles in memory, attached, and replaced by merged ones.

use std::path::Path;

use super::fresh::FreshPart;
use super::rows::SignedArticle;
use super::Index;
use crate::base::hash;
use crate::engine::duplicate_class::class_hash;
use crate::engine::segments::attached::Attached;
use crate::engine::segments::format::DirectoryRecord;
use crate::engine::segments::writer::{NewClass, SegmentWriter};
use crate::engine::segments::{SegmentError, SegmentKind, SegmentResult};

impl Index {
    /// The kind of the segments of this index, with the caller's mark.
    pub fn segment_kind(&self, mark: &str) -> SegmentKind {
        SegmentKind { mark: mark.into(), interval: self.fresh.live_index.interval() }
    }

    /// Writes all articles in memory to a segment, which is attached in their place. Returns their number; without any,
    /// nothing is written. If it fails, nothing changes.
    pub fn freeze(&mut self, path: &Path, mark: &str) -> SegmentResult<usize> {
        self.check_new(path)?;
        let kind = self.segment_kind(mark);
        let count = self.fresh.by_id.len();
        if count == 0 {
            return Ok(0);
        }
        write(&self.fresh, path, &kind)?;
        self.segments.push(Attached::open(path, &kind, &[])?);
        self.fresh = FreshPart::new(self.detector.clone(), self.window);
        for buffers in &mut self.buffers {
            buffers.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).live.reset();
        }
        Ok(count)
    }

    /// Attaches a segment without the articles with the given ids. The caller knows that no other article in the index has
    /// an id of the segment.
    pub fn attach(&mut self, path: &Path, mark: &str, dead: &[String]) -> SegmentResult<()> {
        self.check_new(path)?;
        self.segments.push(Attached::open(path, &self.segment_kind(mark), dead)?);
        self.last_sequence = self.segments.iter().map(Attached::last_sequence).fold(self.last_sequence, u64::max);
        Ok(())
    }

    /// Replaces segments by one with their articles, or by none. Articles that were removed from them since the new one was
    /// written are removed from it. If it fails, nothing changes.
    pub fn replace(&mut self, old: &[&Path], new: Option<&Path>, mark: &str) -> SegmentResult<()> {
        if let Some(path) = old.iter().find(|path| !self.segments.iter().any(|attached| attached.path() == **path)) {
            return Err(SegmentError::new(path, "the segment is not attached"));
        }
        let is_old = |attached: &Attached| old.contains(&attached.path());
        let mut merged = None;
        if let Some(path) = new {
            self.check_new(path)?;
            let mut attached = Attached::open(path, &self.segment_kind(mark), &[])?;
            self.segments.iter().filter(|own| is_old(own)).try_for_each(|own| attached.inherit(own))?;
            merged = Some(attached);
        }
        self.segments.retain(|attached| !is_old(attached));
        self.segments.extend(merged);
        Ok(())
    }

    /// The attached segments, with the ids of the articles removed from each.
    pub fn segments(&self) -> SegmentResult<Vec<(&Path, Vec<String>)>> {
        self.segments.iter().map(|attached| Ok((attached.path(), attached.dead_ids()?))).collect()
    }

    fn check_new(&self, path: &Path) -> SegmentResult<()> {
        match self.segments.iter().any(|attached| attached.path() == path) {
            true => Err(SegmentError::new(path, "the segment is attached already")),
            false => Ok(()),
        }
    }

    /// Removes an article from the segments; returns whether one has it.
    pub(super) fn remove_stored(&mut self, id: &str) -> SegmentResult<bool> {
        for attached in self.segments.iter_mut().rev() {
            if attached.remove(id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves an article of a segment that is a copy of others to the articles in memory, in a class of its own.
    pub(super) fn set_stored_alone(&mut self, id: &str) -> SegmentResult<()> {
        for attached in self.segments.iter_mut().rev() {
            let Some((row, class)) = attached.find(id)? else { continue };
            if attached.is_alone(class)? {
                return Ok(());
            }
            let (record, signature) = (attached.article(row)?, attached.signature(class, &*self.detector)?);
            attached.remove(id)?;
            let article =
                SignedArticle { id, published: record.published, source: record.source, signature: &signature };
            // the removed article keeps its sequence, by which `replace` finds it in a merged segment: this is another one
            self.last_sequence += 1;
            self.fresh.insert(article, self.last_sequence, true);
            return Ok(());
        }
        Ok(())
    }

    /// The signature of an article of a segment.
    pub(super) fn stored_signature(&self, id: &str) -> SegmentResult<Option<Vec<u32>>> {
        for attached in self.segments.iter().rev() {
            if let Some((_, class)) = attached.find(id)? {
                return attached.signature(class, &*self.detector).map(Some);
            }
        }
        Ok(None)
    }
}

/// A class to write, in the order of the format.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ordered {
    start: i64,
    hash: u64,
    is_alone: bool,
    class: u32,
}

fn write(fresh: &FreshPart, path: &Path, kind: &SegmentKind) -> SegmentResult<()> {
    let FreshPart { live_index, .. } = fresh;
    let used = (0..live_index.classes.len() as u32).filter(|&class| live_index.classes[class as usize].size() > 0);
    let ordered = used.map(|class| {
        let own = live_index.query_of(class);
        let is_alone = !live_index.is_joined(class);
        Ordered { start: own.start, hash: class_hash(own.signature, own.start), is_alone, class }
    });
    let mut ordered: Vec<Ordered> = ordered.collect();
    ordered.sort_unstable();
    let members = || ordered.iter().flat_map(|each| fresh.members(each.class)).map(|&number| fresh.article(number));
    let stamp = members().fold(0, |stamp, article| hash::numbered(stamp, hash::token(article.id.as_bytes())));
    let mut writer = SegmentWriter::create(path, kind, stamp)?;
    let mut numbers = vec![u32::MAX; live_index.classes.len()];
    for (number, &Ordered { start, hash, is_alone, class }) in ordered.iter().enumerate() {
        let (words, articles) = (live_index.query_of(class).signature.len(), fresh.members(class).len());
        let keys = live_index.postings().key_counts[class as usize];
        let summary = live_index.postings().summaries.get(class as usize).copied();
        writer.class(NewClass { start, hash, words, articles, keys, summary, is_alone })?;
        numbers[class as usize] = number as u32;
    }
    writer.end_classes()?;
    members().try_for_each(|own| writer.article(own.published, own.source, own.sequence, own.id.len()))?;
    writer.end_articles()?;
    members().try_for_each(|article| writer.id(article.id.as_bytes()))?;
    ordered.iter().try_for_each(|each| writer.signature(live_index.query_of(each.class).signature))?;
    let mut lists: Vec<(u64, &[u32])> = live_index.postings().all_lists().collect();
    lists.sort_unstable_by_key(|list| list.0);
    let mut classes: Vec<u32> = vec![];
    // dated and undated classes of one key are one list
    for same in lists.chunk_by(|one, other| one.0 == other.0) {
        classes.clear();
        let new = same.iter().flat_map(|list| list.1).map(|&class| numbers[class as usize]);
        classes.extend(new.filter(|&class| class != u32::MAX));
        classes.sort_unstable();
        if !classes.is_empty() {
            writer.list(same[0].0, &classes)?;
        }
    }
    let rows = (0..).zip(members()).map(|(row, article)| {
        let hash = hash::token(article.id.as_bytes());
        DirectoryRecord { hash, row, class: numbers[article.class as usize] }
    });
    let mut directory: Vec<DirectoryRecord> = rows.collect();
    directory.sort_unstable();
    writer.finish(directory.into_iter().map(Ok))
}
