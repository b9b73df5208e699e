//! The records of a segment as bytes: little endian, at fixed places.

use std::path::Path;

use super::blocks::PAYLOAD;
use super::{SegmentError, SegmentKind, SegmentResult};
use crate::base::time::NO_TIME;

const MAGIC: &[u8; 8] = b"samesegm";
/// Changes with every change of the format: segments of other versions are written again from the database.
const VERSION: u32 = 2;
/// The most bytes of a mark.
const MAX_MARK: usize = 2 << 10;

/// No index inserts so many articles.
const MAX_SEQUENCE: u64 = 1 << 62;

/// The sections, in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// `ClassRecord`s, and one more at which the last class ends.
    Classes,
    /// `ArticleRecord`s by class and sequence, and one more at which the last id ends.
    Articles,
    Ids,
    /// Words of 32 bits.
    Signatures,
    /// Pages of posting lists (postings.rs).
    Postings,
    /// The first key and the position of every page.
    Fences,
    /// The number of keys of every class in a byte, capped at 255.
    KeyCounts,
    /// The number of words of the signature of every class in four bytes.
    SignatureLengths,
    /// The summary of the signature of every class in eight bytes, for detectors with a summary filter.
    Summaries,
    /// The distinct starts of classes, and the first class of each.
    Starts,
    /// `DirectoryRecord`s by hash of the id.
    Directory,
    /// A Bloom filter of the hashes of the ids.
    Filter,
}

pub const SECTIONS: usize = 12;

/// How many keys a page of posting lists has.
pub const KEYS_PER_PAGE: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: SegmentKind,
    pub blocks: u32,
    pub classes: u32,
    pub undated_classes: u32,
    pub articles: u32,
    pub keys: u64,
    /// The first and the last start of a dated class; NO_TIME if there is none.
    pub starts: (i64, i64),
    pub last_sequence: u64,
    /// Position and length of every section.
    pub sections: [(u64, u64); SECTIONS],
}

impl Header {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for number in [VERSION, self.blocks, self.classes, self.undated_classes, self.articles] {
            out.extend(number.to_le_bytes());
        }
        out.extend((self.kind.mark.len() as u32).to_le_bytes());
        for number in [self.keys, self.last_sequence, self.starts.0 as u64, self.starts.1 as u64] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.kind.interval.to_le_bytes());
        for (position, length) in self.sections {
            out.extend(position.to_le_bytes());
            out.extend(length.to_le_bytes());
        }
        out.extend(self.kind.mark.as_bytes());
        out
    }

    pub fn parse(path: &Path, bytes: &[u8], blocks: u32) -> SegmentResult<Self> {
        let mut fields = RecordFields(bytes);
        if fields.bytes(8) != MAGIC {
            return Err(SegmentError::new(path, "the file is not a segment"));
        }
        let version = fields.u32();
        if version != VERSION {
            return Err(SegmentError::new(path, format!("the segment has format {version}, not {VERSION}")));
        }
        let [own_blocks, classes, undated_classes, articles, mark_length] = [(); 5].map(|()| fields.u32());
        let [keys, last_sequence, first, last, interval] = [(); 5].map(|()| fields.u64());
        let sections = [(); SECTIONS].map(|()| (fields.u64(), fields.u64()));
        let mark = String::from_utf8_lossy(fields.bytes(mark_length.min(MAX_MARK as u32) as usize)).into_owned();
        let kind = SegmentKind { mark, interval: interval as i64 };
        let starts = (first as i64, last as i64);
        let blocks_of_file = blocks;
        let header = Header {
            kind,
            blocks: own_blocks,
            classes,
            undated_classes,
            articles,
            keys,
            starts,
            last_sequence,
            sections,
        };
        if own_blocks != blocks_of_file {
            let detail = format!("the file is truncated: it has {blocks_of_file} blocks, not {own_blocks}");
            return Err(SegmentError::new(path, detail));
        }
        match header.is_consistent() {
            true => Ok(header),
            false => Err(SegmentError::structure(path, "its header contradicts itself")),
        }
    }

    /// Whether the sections lie in the file and have the lengths that the counts imply.
    fn is_consistent(&self) -> bool {
        let end = u64::from(self.blocks) * PAYLOAD as u64;
        let is_inside = |&(position, length): &(u64, u64)| {
            position >= PAYLOAD as u64 && position.checked_add(length).is_some_and(|last| last <= end)
        };
        let length = |section: Section| self.sections[section as usize].1;
        let (classes, articles) = (u64::from(self.classes), u64::from(self.articles));
        self.sections.iter().all(is_inside)
            && self.undated_classes <= self.classes
            && self.classes <= self.articles
            && self.classes < ALONE_FLAG
            && self.last_sequence <= MAX_SEQUENCE
            && length(Section::Classes) == (classes + 1) * ClassRecord::SIZE as u64
            && length(Section::Articles) == (articles + 1) * ArticleRecord::SIZE as u64
            && length(Section::Directory) == articles * DirectoryRecord::SIZE as u64
            && length(Section::KeyCounts) == classes
            && length(Section::SignatureLengths) == classes * 4
            && [0, classes * 8].contains(&length(Section::Summaries))
            && length(Section::Starts) % 16 == 0
            && length(Section::Fences) == self.keys.div_ceil(KEYS_PER_PAGE as u64) * 16
            && (self.starts.0 == NO_TIME) == (self.undated_classes == self.classes)
    }
}

/// An error if a mark is too long for the header.
pub fn check_mark(path: &Path, mark: &str) -> SegmentResult<()> {
    match mark.len() <= MAX_MARK {
        true => Ok(()),
        false => Err(SegmentError::new(path, format!("a mark has at most {MAX_MARK} bytes"))),
    }
}

/// Reads fields one after another; zeros behind the last.
pub struct RecordFields<'a>(pub &'a [u8]);

impl<'a> RecordFields<'a> {
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (now, later) = self.0.split_at(count.min(self.0.len()));
        self.0 = later;
        now
    }

    pub fn u32(&mut self) -> u32 {
        self.bytes(4).try_into().map_or(0, u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> u64 {
        self.bytes(8).try_into().map_or(0, u64::from_le_bytes)
    }
}

/// A duplicate class. The records of a segment are sorted by start, hash, and whether it is alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRecord {
    pub start: i64,
    /// `class_hash` of its signature and start.
    pub hash: u64,
    /// Its first word in the signatures.
    pub signature: u64,
    /// The row of its first article.
    pub first: u32,
    pub keys: u32,
    /// Whether articles with the same signature and start are in other classes.
    pub is_alone: bool,
}

/// The bit of `is_alone` in the number of keys.
const ALONE_FLAG: u32 = 1 << 31;

impl ClassRecord {
    pub const SIZE: usize = 32;

    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        out[..8].copy_from_slice(&self.start.to_le_bytes());
        out[8..16].copy_from_slice(&self.hash.to_le_bytes());
        out[16..24].copy_from_slice(&self.signature.to_le_bytes());
        out[24..28].copy_from_slice(&self.first.to_le_bytes());
        let keys = self.keys | if self.is_alone { ALONE_FLAG } else { 0 };
        out[28..].copy_from_slice(&keys.to_le_bytes());
        out
    }

    pub fn parse(bytes: &[u8]) -> Self {
        let mut fields = RecordFields(bytes);
        let [start, hash, signature] = [(); 3].map(|()| fields.u64());
        let [first, keys] = [(); 2].map(|()| fields.u32());
        let is_alone = keys & ALONE_FLAG != 0;
        ClassRecord { start: start as i64, hash, signature, first, keys: keys & !ALONE_FLAG, is_alone }
    }
}

/// An article; its id lies between this position in the ids and that of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArticleRecord {
    pub published: i64,
    pub source: u64,
    pub sequence: u64,
    pub id: u64,
}

impl ArticleRecord {
    pub const SIZE: usize = 32;

    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        let numbers = [self.published as u64, self.source, self.sequence, self.id];
        out.chunks_exact_mut(8).zip(numbers).for_each(|(field, number)| field.copy_from_slice(&number.to_le_bytes()));
        out
    }

    pub fn parse(bytes: &[u8]) -> Self {
        let mut fields = RecordFields(bytes);
        let [published, source, sequence, id] = [(); 4].map(|()| fields.u64());
        ArticleRecord { published: published as i64, source, sequence, id }
    }
}

/// The hash of an id with the row and the class of its article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryRecord {
    pub hash: u64,
    pub row: u32,
    pub class: u32,
}

impl DirectoryRecord {
    pub const SIZE: usize = 16;

    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        pair_bytes(self.hash, u64::from(self.row) | u64::from(self.class) << 32)
    }

    pub fn parse(bytes: &[u8]) -> Self {
        let mut fields = RecordFields(bytes);
        DirectoryRecord { hash: fields.u64(), row: fields.u32(), class: fields.u32() }
    }
}

/// Two numbers as a record: a fence, or a start.
pub fn pair_bytes(first: u64, second: u64) -> [u8; 16] {
    let mut out = [0; 16];
    out[..8].copy_from_slice(&first.to_le_bytes());
    out[8..].copy_from_slice(&second.to_le_bytes());
    out
}

/// The bytes of a Bloom filter that the hash of an id sets, by the length of the filter: a bit in each.
pub fn filter_bits(hash: u64, length: usize) -> impl Iterator<Item = (usize, u8)> {
    (0..4).map(move |number| {
        let bit = crate::base::hash::numbered(number, hash);
        ((bit >> 3) as usize % length.max(1), 1 << (bit & 7))
    })
}
