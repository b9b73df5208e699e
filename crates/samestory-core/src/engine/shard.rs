//! The articles of one block of input, in columns: metadata, signatures, and keys partitioned for parallel indexing.

use std::sync::atomic::AtomicU32;

use crate::input::problem::Problem;
use crate::input::record::Fault;
use crate::text::repair::Repairs;

/// A counter for every fault.
pub(crate) type Faults = [u64; Fault::ALL.len()];

/// A column of strings in one buffer.
#[derive(Default)]
pub struct Strings {
    bytes: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn push(&mut self, value: &str) {
        self.bytes.push_str(value);
        self.ends.push(self.bytes.len() as u32);
    }

    pub fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.bytes[start..self.ends[at] as usize]
    }

    fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// The articles of one block, in columns.
#[derive(Default)]
pub(crate) struct Shard {
    pub file: u32,
    pub block: u32,
    /// The line of every article: counted from the start of the file or, where the block is made of lines and not yet
    /// added to the corpus, from the start of the block.
    pub lines: Vec<u64>,
    /// Where the block is made of files, their names, in the order of the lines.
    pub names: Vec<String>,
    /// How many lines the block has; 0 where its records have line numbers of their own.
    pub height: u64,
    pub ids: Strings,
    pub titles: Strings,
    /// Where there are titles, the language code of each; empty where the detector does not use the language.
    pub languages: Strings,
    pub published: Vec<i64>,
    pub sources: Vec<u64>,
    pub words: Vec<u32>,
    pub signatures: Vec<u32>,
    pub signature_ends: Vec<u32>,
    /// Keys, partition by partition.
    pub keys: Vec<Key>,
    pub part_starts: Vec<u32>,
    /// For each key, in row order, the number of its posting list; 0 for none.
    pub postings: Vec<AtomicU32>,
    pub key_ends: Vec<u32>,
    /// Hash of each signature: equal for copies.
    pub prints: Vec<u64>,
    /// The problems kept with details, and the number of all problems of each fault.
    pub problems: Vec<(u64, Fault, String)>,
    pub faults: Faults,
    /// How many articles were repaired, by the kind of repair.
    pub repairs: Repairs,
    pub records: u64,
}

/// A key, with its row and its position among the keys in row order.
#[derive(Clone, Copy, Default)]
pub(crate) struct Key {
    pub key: u64,
    pub row: u32,
    pub place: u32,
}

pub(crate) fn span(ends: &[u32], at: usize) -> std::ops::Range<usize> {
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    start..ends[at] as usize
}

/// Number of partitions of the keys, by their lowest bits (the highest are uneven where keys are a sample).
pub(crate) const PARTS: usize = 1 << PART_BITS;
pub(crate) const PART_BITS: u32 = 8;

impl Shard {
    /// Partitions the keys of all rows by a counting sort, in O(keys).
    pub(crate) fn deal(&mut self, keys: &[u64]) {
        let part = |key: u64| key as usize % PARTS;
        let mut next = [0u32; PARTS + 1];
        for &key in keys {
            next[part(key) + 1] += 1;
        }
        for i in 0..PARTS {
            next[i + 1] += next[i];
        }
        self.part_starts = next.to_vec();
        self.keys = vec![Key::default(); keys.len()];
        for row in 0..self.key_ends.len() {
            for place in span(&self.key_ends, row) {
                let at = &mut next[part(keys[place])];
                self.keys[*at as usize] = Key { key: keys[place], row: row as u32, place: place as u32 };
                *at += 1;
            }
        }
        self.postings = keys.iter().map(|_| AtomicU32::new(0)).collect();
    }

    /// A problem at a line of this shard, whose block starts after `base` lines.
    pub(crate) fn problem(&self, base: u64, line: u64, fault: Fault, detail: String) -> Problem {
        let own = (line as usize).checked_sub(1).and_then(|at| self.names.get(at)).cloned();
        let line = if own.is_some() { 0 } else { base + line };
        Problem { file: self.file, line, own, fault, detail }
    }

    pub(crate) fn part(&self, part: usize) -> std::ops::Range<usize> {
        self.part_starts[part] as usize..self.part_starts[part + 1] as usize
    }

    pub(crate) fn shrink(&mut self) {
        self.signatures.shrink_to_fit();
        self.ids.shrink();
        self.titles.shrink();
        self.languages.shrink();
    }
}

/// Marks a key with a single posting.
pub(crate) const SINGLE_POSTING: u32 = 0;
