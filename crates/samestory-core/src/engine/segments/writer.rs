//! Writes a segment: section after section, each record once.

use std::path::Path;

use super::blocks::BlockWriter;
use super::format::{
    check_mark, filter_bits, pair_bytes, ArticleRecord, ClassRecord, DirectoryRecord, Header, Section, KEYS_PER_PAGE,
    SECTIONS,
};
use super::{SegmentError, SegmentKind, SegmentResult};
use crate::base::time::NO_TIME;

/// The classes, then the articles, ids, signatures and posting lists are given in this order; `finish` writes the rest.
pub struct SegmentWriter {
    blocks: BlockWriter,
    path: std::path::PathBuf,
    sections: [(u64, u64); SECTIONS],
    current: Option<Section>,
    header: Header,
    /// Words of the signatures, and bytes of the ids, of the records so far.
    words: u64,
    id_bytes: u64,
    key_counts: Vec<u8>,
    signature_lengths: Vec<u32>,
    summaries: Vec<u64>,
    starts: Vec<(i64, u32)>,
    page: Page,
    fences: Vec<(u64, u64)>,
}

/// A page of posting lists that is being filled: entries of a key, a value and a length. The value is the only class of the
/// list, or the place of the list among the lists behind the entries.
#[derive(Default)]
struct Page {
    first_key: u64,
    entries: Vec<u8>,
    lists: Vec<u8>,
}

/// A class to write. `articles` is the number of its articles, `words` that of its signature.
pub struct NewClass {
    pub start: i64,
    pub hash: u64,
    pub words: usize,
    pub articles: usize,
    pub keys: u32,
    /// The summary of its signature, for detectors with a summary filter.
    pub summary: Option<u64>,
    pub is_alone: bool,
}

impl SegmentWriter {
    /// `stamp` distinguishes the blocks of this segment from those of others.
    pub fn create(path: &Path, kind: &SegmentKind, stamp: u64) -> SegmentResult<Self> {
        check_mark(path, &kind.mark)?;
        let mut blocks = BlockWriter::create(path, stamp)?;
        blocks.align()?;
        Ok(SegmentWriter {
            sections: [(blocks.position(), 0); SECTIONS],
            blocks,
            path: path.into(),
            current: None,
            header: Header {
                kind: kind.clone(),
                blocks: 0,
                classes: 0,
                undated_classes: 0,
                articles: 0,
                keys: 0,
                starts: (NO_TIME, NO_TIME),
                last_sequence: 0,
                sections: [(0, 0); SECTIONS],
            },
            words: 0,
            id_bytes: 0,
            key_counts: vec![],
            signature_lengths: vec![],
            summaries: vec![],
            starts: vec![],
            page: Page::default(),
            fences: vec![],
        })
    }

    /// Appends to a section, after the end of the one before.
    fn put(&mut self, section: Section, bytes: &[u8]) -> SegmentResult<()> {
        if self.current != Some(section) {
            self.blocks.align()?;
            self.sections[section as usize].0 = self.blocks.position();
            self.current = Some(section);
        }
        self.sections[section as usize].1 += bytes.len() as u64;
        self.blocks.put(bytes)
    }

    /// Appends a class, in the order of the format; its articles follow those of the class before.
    pub fn class(&mut self, new: NewClass) -> SegmentResult<()> {
        let NewClass { start, hash, words, articles, keys, summary, is_alone } = new;
        let number = self.header.classes;
        if self.starts.last().is_none_or(|last| last.0 != start) {
            self.starts.push((start, number));
        }
        if start == NO_TIME {
            self.header.undated_classes += 1;
        } else {
            let first = if self.header.starts.0 == NO_TIME { start } else { self.header.starts.0 };
            self.header.starts = (first, start);
        }
        let record = ClassRecord { start, hash, signature: self.words, first: self.header.articles, keys, is_alone };
        self.put(Section::Classes, &record.to_bytes())?;
        self.key_counts.push(keys.try_into().unwrap_or(u8::MAX));
        self.summaries.extend(summary);
        self.words += words as u64;
        let too_long = |_| SegmentError::new(&self.path, "a signature is too long");
        self.signature_lengths.push(words.try_into().map_err(too_long)?);
        self.header.classes += 1;
        let articles = u32::try_from(articles).ok().and_then(|more| self.header.articles.checked_add(more));
        self.header.articles = articles.ok_or_else(|| SegmentError::new(&self.path, "too many articles"))?;
        Ok(())
    }

    pub fn end_classes(&mut self) -> SegmentResult<()> {
        let (signature, first) = (self.words, self.header.articles);
        let end = ClassRecord { start: NO_TIME, hash: 0, signature, first, keys: 0, is_alone: false };
        self.put(Section::Classes, &end.to_bytes())
    }

    pub fn article(&mut self, published: i64, source: u64, sequence: u64, id_bytes: usize) -> SegmentResult<()> {
        self.header.last_sequence = self.header.last_sequence.max(sequence);
        let record = ArticleRecord { published, source, sequence, id: self.id_bytes };
        self.id_bytes += id_bytes as u64;
        self.put(Section::Articles, &record.to_bytes())
    }

    pub fn end_articles(&mut self) -> SegmentResult<()> {
        let end = ArticleRecord { published: NO_TIME, source: 0, sequence: 0, id: self.id_bytes };
        self.put(Section::Articles, &end.to_bytes())
    }

    pub fn id(&mut self, id: &[u8]) -> SegmentResult<()> {
        self.put(Section::Ids, id)
    }

    pub fn signature(&mut self, words: &[u32]) -> SegmentResult<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(Section::Signatures, &bytes)
    }

    /// Appends the posting list of a key, classes ascending; keys are ascending too.
    pub fn list(&mut self, key: u64, classes: &[u32]) -> SegmentResult<()> {
        let Page { first_key, entries, lists } = &mut self.page;
        if entries.is_empty() {
            *first_key = key;
        }
        let value = match classes {
            [only] => *only,
            _ => (lists.len() / 4) as u32,
        };
        if classes.len() > 1 {
            lists.extend(classes.iter().flat_map(|class| class.to_le_bytes()));
        }
        entries.extend(key.to_le_bytes());
        entries.extend(value.to_le_bytes());
        entries.extend((classes.len() as u32).to_le_bytes());
        self.header.keys += 1;
        match self.header.keys % KEYS_PER_PAGE as u64 {
            0 => self.end_page(),
            _ => Ok(()),
        }
    }

    fn end_page(&mut self) -> SegmentResult<()> {
        if self.page.entries.is_empty() {
            return Ok(());
        }
        let mut page = std::mem::take(&mut self.page);
        page.lists.resize(page.lists.len().next_multiple_of(16), 0);
        self.fences.push((page.first_key, self.sections[Section::Postings as usize].1));
        self.put(Section::Postings, &page.entries)?;
        self.put(Section::Postings, &page.lists)
    }

    /// Writes the directory and the header, and gives the file its name.
    pub fn finish(mut self, directory: impl Iterator<Item = SegmentResult<DirectoryRecord>>) -> SegmentResult<()> {
        self.end_page()?;
        for (key, position) in std::mem::take(&mut self.fences) {
            self.put(Section::Fences, &pair_bytes(key, position))?;
        }
        let key_counts = std::mem::take(&mut self.key_counts);
        self.put(Section::KeyCounts, &key_counts)?;
        for length in std::mem::take(&mut self.signature_lengths) {
            self.put(Section::SignatureLengths, &length.to_le_bytes())?;
        }
        for summary in std::mem::take(&mut self.summaries) {
            self.put(Section::Summaries, &summary.to_le_bytes())?;
        }
        for (start, class) in std::mem::take(&mut self.starts) {
            self.put(Section::Starts, &pair_bytes(start as u64, class.into()))?;
        }
        let mut filter = vec![0; self.header.articles as usize];
        for record in directory {
            let record = record?;
            filter_bits(record.hash, filter.len()).for_each(|(byte, bit)| filter[byte] |= bit);
            self.put(Section::Directory, &record.to_bytes())?;
        }
        self.put(Section::Filter, &filter)?;
        let SegmentWriter { blocks, header, sections, .. } = self;
        blocks.finish(|count| Header { blocks: count, sections, ..header }.to_bytes())
    }
}
