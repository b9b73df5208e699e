//! Reads a segment: records by number, through the cache of blocks.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::block_cache::{BlockId, BLOCKS};
use super::blocks::{Block, BlockFile, PAYLOAD};
use super::format::{filter_bits, ArticleRecord, ClassRecord, DirectoryRecord, Header, RecordFields, Section};
use super::{SegmentError, SegmentKind, SegmentResult};
use crate::base::hash;
use crate::base::time::NO_TIME;

/// How much of the mark of another segment an error shows.
const MAX_SHOWN: usize = 80;

/// Numbers opened files for the cache.
static OPENED: AtomicU64 = AtomicU64::new(0);

/// A key and a range of classes.
type SampledList = (u64, (u32, u32));

pub struct Segment {
    file: BlockFile,
    number: u64,
    pub header: Header,
    resident: OnceLock<Resident>,
    /// Samples of long posting lists that were drawn, by key and range of classes.
    pub samples: Mutex<HashMap<SampledList, Arc<[u32]>>>,
}

/// What is kept in memory of a segment from the first query on: about twenty bytes per article.
pub struct Resident {
    /// The first key and the position of every page of posting lists.
    pub fences: Vec<(u64, u64)>,
    /// The number of keys of every class, capped at 255.
    pub key_counts: Vec<u8>,
    /// The summary of the signature of every class; empty for detectors without a summary filter.
    pub summaries: Vec<u64>,
    /// The distinct starts of classes, and the first class of each.
    pub starts: Vec<(i64, u32)>,
    filter: Vec<u8>,
    signatures: SignaturePlaces,
}

/// The first word of the signature of every class: for every `CLASSES_PER_BASE` classes, and relative to that.
struct SignaturePlaces {
    bases: Vec<u64>,
    relative: Vec<u32>,
}

const CLASSES_PER_BASE: usize = 64;

impl SignaturePlaces {
    /// From the lengths of all signatures; None if these are too long.
    fn new(lengths: impl Iterator<Item = u32>) -> Option<Self> {
        let (mut places, mut next) = (SignaturePlaces { bases: vec![], relative: vec![] }, 0);
        for length in lengths.chain([0]) {
            if places.relative.len() % CLASSES_PER_BASE == 0 {
                places.bases.push(next);
            }
            places.relative.push(u32::try_from(next - places.bases.last()?).ok()?);
            next += u64::from(length);
        }
        Some(places)
    }

    fn start(&self, class: usize) -> u64 {
        self.bases[class / CLASSES_PER_BASE] + u64::from(self.relative[class])
    }
}

impl Resident {
    /// The first word of the signature of a class, and that of the next one.
    pub fn signature(&self, class: u32) -> (u64, u64) {
        (self.signatures.start(class as usize), self.signatures.start(class as usize + 1))
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        BLOCKS.remove_file(self.number);
    }
}

impl Segment {
    /// Opens a segment; reads its header only.
    pub fn open(path: &Path) -> SegmentResult<Self> {
        let (file, first) = BlockFile::open(path)?;
        let header = Header::parse(path, &first, file.blocks)?;
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Ok(Segment { file, number, header, resident: OnceLock::new(), samples: Mutex::default() })
    }

    /// An error unless the segment is of this kind.
    pub fn check_kind(&self, kind: &SegmentKind) -> SegmentResult<()> {
        let found = &self.header.kind;
        let detail = match (found.mark == kind.mark, found.interval == kind.interval) {
            (true, true) => return Ok(()),
            (false, _) => {
                let shown: String = found.mark.chars().take(MAX_SHOWN).collect();
                format!("the segment is of {shown:?}, not of {:?}", kind.mark)
            }
            _ => "the segment was written for another window".into(),
        };
        Err(SegmentError::new(self.path(), detail))
    }

    pub fn path(&self) -> &Path {
        &self.file.path
    }

    pub fn stamp(&self) -> u64 {
        self.file.stamp
    }

    /// Reads all blocks; an error for the first one that is damaged.
    pub fn check_blocks(&self) -> SegmentResult<()> {
        (0..self.file.blocks).try_for_each(|number| self.file.read(number).map(drop))
    }

    pub fn damaged(&self, what: &str) -> SegmentError {
        SegmentError::structure(self.path(), what)
    }

    /// A reader of records, through the cache.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor { segment: self, is_cached: true, held: None, joined: vec![] }
    }

    /// A reader for all records one after another, which does not fill the cache.
    pub fn scan(&self) -> Cursor<'_> {
        Cursor { is_cached: false, ..self.cursor() }
    }

    /// The arrays that stay in memory.
    pub fn resident(&self) -> SegmentResult<&Resident> {
        if let Some(resident) = self.resident.get() {
            return Ok(resident);
        }
        let mut cursor = self.scan();
        let mut bytes = |section: Section| cursor.section(section);
        let pairs = |bytes: Vec<u8>| -> Vec<(u64, u64)> {
            bytes.chunks_exact(16).map(|pair| (RecordFields(pair).u64(), RecordFields(&pair[8..]).u64())).collect()
        };
        let starts = pairs(bytes(Section::Starts)?);
        let starts: Vec<(i64, u32)> = starts.into_iter().map(|(start, class)| (start as i64, class as u32)).collect();
        if starts.iter().any(|&(_, class)| class >= self.header.classes) {
            return Err(self.damaged("a time has no class"));
        }
        let lengths = bytes(Section::SignatureLengths)?;
        let lengths = lengths.chunks_exact(4).map(|length| RecordFields(length).u32());
        let resident = Resident {
            signatures: SignaturePlaces::new(lengths).ok_or_else(|| self.damaged("its signatures are too long"))?,
            fences: pairs(bytes(Section::Fences)?),
            key_counts: bytes(Section::KeyCounts)?,
            summaries: bytes(Section::Summaries)?.chunks_exact(8).map(|summary| RecordFields(summary).u64()).collect(),
            starts,
            filter: bytes(Section::Filter)?,
        };
        Ok(self.resident.get_or_init(|| resident))
    }

    /// The classes that start within a gap of a time: the undated ones, and a range. All classes for an unknown time.
    pub fn ranges(&self, time: i64, gap: i64) -> SegmentResult<[(u32, u32); 2]> {
        let Header { classes, undated_classes: undated, .. } = self.header;
        if time == NO_TIME {
            return Ok([(0, undated), (undated, classes)]);
        }
        let starts = &self.resident()?.starts;
        let first = |before: &dyn Fn(i64) -> bool| {
            let at = starts.partition_point(|&(start, _)| start == NO_TIME || before(start));
            starts.get(at).map_or(classes, |start| start.1)
        };
        let (low, high) = (time.saturating_sub(gap), time.saturating_add(gap));
        let first_class = first(&|start| start < low);
        Ok([(0, undated), (first_class, first(&|start| start <= high).max(first_class))])
    }

    /// Whether a query at this time can have related classes; without reading anything.
    pub fn is_near(&self, time: i64, gap: i64) -> bool {
        let Header { starts: (first, last), undated_classes, .. } = self.header;
        let is_dated_near = first != NO_TIME && time.saturating_add(gap) >= first && time.saturating_sub(gap) <= last;
        time == NO_TIME || undated_classes > 0 || is_dated_near
    }

    /// The row and the class of an article with this id and accepted by `is_wanted`.
    pub fn find(&self, id: &str, is_wanted: impl Fn(u32) -> bool) -> SegmentResult<Option<(u32, u32)>> {
        let hash = hash::token(id.as_bytes());
        let filter = &self.resident()?.filter;
        if !filter_bits(hash, filter.len()).all(|(byte, bit)| filter.get(byte).is_some_and(|held| held & bit != 0)) {
            return Ok(None);
        }
        let mut cursor = self.cursor();
        let (mut low, mut high) = (0, self.header.articles);
        while low < high {
            let middle = low + (high - low) / 2;
            match cursor.directory(middle)?.hash < hash {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        for at in low..self.header.articles {
            let record = cursor.directory(at)?;
            if record.hash != hash {
                break;
            }
            if is_wanted(record.row) && cursor.id(record.row)? == id {
                return Ok(Some((record.row, record.class)));
            }
        }
        Ok(None)
    }
}

/// Reads records; holds the block that was read last.
pub struct Cursor<'a> {
    pub segment: &'a Segment,
    is_cached: bool,
    held: Option<(u32, Block)>,
    /// A record that lies in two blocks.
    joined: Vec<u8>,
}

impl Cursor<'_> {
    fn block(&mut self, number: u32) -> SegmentResult<&[u8]> {
        if self.held.as_ref().is_none_or(|held| held.0 != number) {
            let Segment { file, number: opened, .. } = self.segment;
            let block = match self.is_cached {
                true => BLOCKS.get(BlockId { file: *opened, block: number }, || file.read(number))?,
                false => file.read(number)?,
            };
            self.held = Some((number, block));
        }
        Ok(self.held.as_ref().map_or(&[], |held| &held.1[..]))
    }

    /// Bytes of a section, from a place in it.
    pub fn bytes(&mut self, section: Section, at: u64, count: usize) -> SegmentResult<&[u8]> {
        let (position, length) = self.segment.header.sections[section as usize];
        if at.checked_add(count as u64).is_none_or(|end| end > length) {
            return Err(self.segment.damaged("a record lies outside its section"));
        }
        let position = position + at;
        let (mut block, start) = ((position / PAYLOAD as u64) as u32, (position % PAYLOAD as u64) as usize);
        if start + count <= PAYLOAD {
            return Ok(&self.block(block)?[start..start + count]);
        }
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        let mut start = start;
        while joined.len() < count {
            let end = PAYLOAD.min(start + count - joined.len());
            joined.extend_from_slice(&self.block(block)?[start..end]);
            (block, start) = (block + 1, 0);
        }
        self.joined = joined;
        Ok(&self.joined)
    }

    /// Appends words of a section, from a place in it.
    pub fn words(&mut self, section: Section, at: u64, count: usize, out: &mut Vec<u32>) -> SegmentResult<()> {
        let bytes = self.bytes(section, at, count.saturating_mul(4))?;
        out.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        Ok(())
    }

    /// All bytes of a section.
    pub fn section(&mut self, section: Section) -> SegmentResult<Vec<u8>> {
        let length = self.segment.header.sections[section as usize].1;
        Ok(self.bytes(section, 0, length as usize)?.to_vec())
    }

    /// The record of a class; that behind the last one ends it.
    pub fn class(&mut self, number: u32) -> SegmentResult<ClassRecord> {
        let at = u64::from(number) * ClassRecord::SIZE as u64;
        self.bytes(Section::Classes, at, ClassRecord::SIZE).map(ClassRecord::parse)
    }

    /// The rows of the articles of a class.
    pub fn rows(&mut self, class: u32) -> SegmentResult<std::ops::Range<u32>> {
        let rows = self.class(class)?.first..self.class(class + 1)?.first;
        match rows.start < rows.end && rows.end <= self.segment.header.articles {
            true => Ok(rows),
            false => Err(self.segment.damaged("a class has no articles")),
        }
    }

    /// Appends the signature of a class.
    pub fn signature(&mut self, class: u32, out: &mut Vec<u32>) -> SegmentResult<()> {
        let (start, end) = (self.class(class)?.signature, self.class(class + 1)?.signature);
        self.signature_between(start, end, out)
    }

    /// Appends the words of the signatures between two places.
    pub fn signature_between(&mut self, start: u64, end: u64, out: &mut Vec<u32>) -> SegmentResult<()> {
        let words = end.checked_sub(start).ok_or_else(|| self.segment.damaged("a signature has no end"))?;
        self.words(Section::Signatures, start.saturating_mul(4), words as usize, out)
    }

    pub fn article(&mut self, row: u32) -> SegmentResult<ArticleRecord> {
        let at = u64::from(row) * ArticleRecord::SIZE as u64;
        self.bytes(Section::Articles, at, ArticleRecord::SIZE).map(ArticleRecord::parse)
    }

    pub fn id(&mut self, row: u32) -> SegmentResult<&str> {
        let (start, end) = (self.article(row)?.id, self.article(row + 1)?.id);
        self.id_between(start, end)
    }

    /// The id between two places of the ids.
    pub fn id_between(&mut self, start: u64, end: u64) -> SegmentResult<&str> {
        let segment = self.segment;
        let length = end.checked_sub(start).ok_or_else(|| segment.damaged("an id has no end"))?;
        let id = self.bytes(Section::Ids, start, length as usize)?;
        std::str::from_utf8(id).map_err(|_| segment.damaged("an id is not UTF-8"))
    }

    pub fn directory(&mut self, at: u32) -> SegmentResult<DirectoryRecord> {
        let at = u64::from(at) * DirectoryRecord::SIZE as u64;
        let record = self.bytes(Section::Directory, at, DirectoryRecord::SIZE).map(DirectoryRecord::parse)?;
        let Header { articles, classes, .. } = self.segment.header;
        match record.row < articles && record.class < classes {
            true => Ok(record),
            false => Err(self.segment.damaged("an id has no article")),
        }
    }
}
