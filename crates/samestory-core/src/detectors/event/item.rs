//! An article as a news item: its words by their first letters, each with its weight, and its numbers with what they
//! count.
//!
//! Layout of a signature:
//!
//! ```text
//! head     words << 16 | pairs of words of the rest << 12 | numbers << 8 | HAS_COUNTS | family of the language
//! day      the day of publication; NO_DAY if unknown
//! ways     two masks: the two directions of opposites, such as rise and fall (text/opposites.rs)
//! level    of its terms, as a float, once calibrated on the collection (calibration.rs); NaN before
//! terms    number of terms << 16 | number of words of the article
//! language the hash of its code
//! heaviest number of stems of the heaviest terms
//! length   Euclidean length of the vector of terms, as a float
//! calendar the days and months named in title and beginning of the text (text/calendar.rs), and NO_SINGLE_EVENT
//! letters  bitmap of LETTERS 32-bit numbers: the runs of three letters in the headline and the lead
//! stems    the hash of the first four letters of every different word, in the order of the text
//! notes    for every stem: weight << 24 | flags << 16 | capital << 15 | case << 13 | the hash of the first six
//!          letters, or of what a number counts
//! values   for every number: its value, and the hash of what it counts
//! rest     the text after the first WORDS words: the hashes of its rarest words, sorted, two per number
//! terms    of the whole article (terms.rs)
//! heaviest the stems of its heaviest terms
//! counted  in a language without a table of word frequencies, for every term: the first 24 bits of the hash of its
//!          stem, and its weighted count (terms.rs), so that it can be weighed by a collection (frequencies.rs)
//! rarities of the words in the language, four per number; those in the notes may be lowered for the collection
//! ```

use std::ops::Range;

use super::terms::TermTable;
use crate::text::background::RAREST;
use crate::text::calendar::Mask;
use crate::text::{cases, forms};

/// Marks an ordinal in place of what a number counts: a twelfth thing is never a thirteenth.
pub const ORDINAL: u64 = u64::MAX;
pub const LETTERS: usize = 16;
const HEAD: usize = 10 + LETTERS;
/// Index of the level, and of the length of the terms, in a signature.
const LEVEL: usize = 4;
const LENGTH: usize = 8;
/// Words at which trees and terms count equally. Fewer in other languages than English, Turkish and Russian: their
/// number words and opposites are unknown to the trees.
pub const TRANSITION_WORDS: f64 = 60.0;
/// From this length on, the key words are the heaviest terms of the whole text.
pub const ARTICLE_WORDS: u32 = 40;
pub const NO_DAY: u32 = u32::MAX;
/// The most distinct words and numbers that are kept.
pub const MAX_DISTINCT_WORDS: usize = 128;
/// A bit beside the days and months: a column, a letter, a live blog or a digest (text/genres.rs).
pub const NO_SINGLE_EVENT: Mask = 1 << 31;

pub const NAME: u32 = 1;
pub const NUMBER: u32 = 2;
pub const IN_LEAD: u32 = 4;
pub const DATE: u32 = 8;
pub const IN_TITLE: u32 = 16;
/// What the form of a word implies (text/forms.rs): the act is in the future, is done, or the word names the doer.
pub const AHEAD: u32 = forms::AHEAD * FORMS;
pub const DONE: u32 = forms::DONE * FORMS;
pub const DOER: u32 = forms::DOER * FORMS;
pub(super) const FORMS: u32 = 32;
/// In a note: written with a capital, and not because it begins a sentence. A NAME also is, but not in a headline where
/// most words have capitals.
pub const CAPITAL: u32 = 1 << 15;
pub(super) const CASE: u32 = 13;
pub(super) const CLOSE: u32 = (1 << CASE) - 1;

/// The languages with trees of their own; all others share one set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Other = 0,
    English = 1,
    Turkish = 2,
    Russian = 3,
}

impl Family {
    pub const ALL: [(&'static str, Family); 4] =
        [("other", Family::Other), ("en", Family::English), ("tr", Family::Turkish), ("ru", Family::Russian)];

    pub(super) fn from_language(language: &str) -> Self {
        Self::ALL.iter().find(|(name, _)| *name == language).map_or(Family::Other, |&(_, family)| family)
    }

    fn from_number(number: u32) -> Self {
        Self::ALL.iter().find(|(_, family)| *family as u32 == number).map_or(Family::Other, |&(_, family)| family)
    }
}

const RARITIES_PER_NUMBER: u32 = 4;
/// In the head: the signature has the section `counted`.
pub const HAS_COUNTS: u32 = 1 << 7;

/// A parsed signature.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    pub family: Family,
    pub day: Option<u32>,
    pub ways: [u32; 2],
    pub letters: &'a [u32],
    pub stems: &'a [u32],
    pub notes: &'a [u32],
    values: &'a [u32],
    pub rest: &'a [u32],
    pub terms: &'a [u32],
    pub heaviest: &'a [u32],
    /// The Euclidean length of the vector of terms.
    pub length: f32,
    /// The days and months named in the title and the beginning of the text.
    pub calendar: Mask,
    /// Number of words of the article.
    pub words: u32,
    /// None if not calibrated.
    pub level: Option<f32>,
    /// The hash of the code of its language.
    pub language: u32,
    /// Whether its language has no table of word frequencies: the collection weighs its words.
    pub has_counts: bool,
}

impl<'a> Item<'a> {
    /// Parses a signature that is not empty.
    pub fn read(signature: &'a [u32]) -> Self {
        let (head, rest) = signature.split_at(HEAD);
        let (stems, rest) = rest.split_at((head[0] >> 16) as usize);
        let (notes, rest) = rest.split_at(stems.len());
        let (values, rest) = rest.split_at(2 * (head[0] >> 8 & 15) as usize);
        let (rest, terms) = rest.split_at((head[0] >> 12 & 15) as usize);
        let (terms, heaviest) = terms.split_at((head[5] >> 16) as usize);
        let heaviest = &heaviest[..head[7] as usize];
        Item {
            family: Family::from_number(head[0] & (HAS_COUNTS - 1)),
            day: day_of(signature),
            ways: [head[2], head[3]],
            letters: &head[10..],
            stems,
            notes,
            values,
            rest,
            terms,
            heaviest,
            length: f32::from_bits(head[LENGTH]),
            calendar: head[9],
            words: head[5] & 0xffff,
            level: Some(f32::from_bits(head[LEVEL])).filter(|level| !level.is_nan()),
            language: language_of(signature),
            has_counts: has_counts(signature),
        }
    }

    /// Parses a signature; None if it is empty.
    pub fn parse(signature: &'a [u32]) -> Option<Self> {
        (!signature.is_empty()).then(|| Self::read(signature))
    }

    /// The cosine of the terms of two articles.
    pub fn cosine(&self, other: &Item) -> f64 {
        let mut table = TermTable::default();
        table.load(self.terms);
        self.cosine_by(&table, other)
    }

    /// The cosine of the terms of two articles; the table has those of this one.
    pub fn cosine_by(&self, table: &TermTable, other: &Item) -> f64 {
        table.product(other.terms) / f64::from(self.length * other.length).max(1.0)
    }

    /// Whether it is a column, a letter, a live blog or a digest.
    pub fn has_no_single_event(&self) -> bool {
        self.calendar & NO_SINGLE_EVENT != 0
    }

    /// Whether the trees count at least as much as the terms.
    pub fn is_short(&self) -> bool {
        f64::from(self.words) < TRANSITION_WORDS
    }

    /// Every number: its value, and the hash of what it counts.
    pub fn values(&self) -> impl Iterator<Item = (f32, u32)> + 'a {
        self.values.chunks_exact(2).map(|two| (f32::from_bits(two[0]), two[1]))
    }
}

/// Whether a row has the layout of a signature: as many numbers as its head counts, and sets where sets are read.
pub fn is_item(row: &[u32]) -> bool {
    let Some(&[head, _, _, _, _, counts, _, heaviest, ..]) = row.get(..HEAD) else { return false };
    let (stems, values, rest) = (head >> 16, head >> 8 & 15, head >> 12 & 15);
    let terms = counts >> 16;
    let counted = if head & HAS_COUNTS != 0 { terms } else { 0 };
    let length = [stems, stems, 2 * values, rest, terms, heaviest, counted, stems.div_ceil(RARITIES_PER_NUMBER)]
        .iter()
        .fold(HEAD as u64, |sum, &n| sum + u64::from(n));
    length == row.len() as u64 && Item::read(row).terms.is_sorted()
}

/// The day of a signature, if it is known.
pub fn day_of(signature: &[u32]) -> Option<u32> {
    signature.get(1).copied().filter(|&day| day != NO_DAY)
}

/// The hash of the language of a signature that is not empty.
pub fn language_of(signature: &[u32]) -> u32 {
    signature[6]
}

/// Whether a signature that is not empty has the counts of its terms.
pub fn has_counts(signature: &[u32]) -> bool {
    signature[0] & HAS_COUNTS != 0
}

/// Where the parts of a signature are that depend on the weights of words.
pub struct WeighedSections {
    pub stems: Range<usize>,
    pub notes: Range<usize>,
    pub terms: Range<usize>,
    pub heaviest: Range<usize>,
    pub counted: Range<usize>,
    pub rarities: Range<usize>,
}

/// The sections of a signature that is not empty.
pub fn sections(signature: &[u32]) -> WeighedSections {
    let item = Item::read(signature);
    let after = |start: usize, length: usize| start..start + length;
    let stems = after(HEAD, item.stems.len());
    let notes = after(stems.end, item.notes.len());
    let terms = after(notes.end + item.values.len() + item.rest.len(), item.terms.len());
    let heaviest = after(terms.end, item.heaviest.len());
    let counted = after(heaviest.end, if item.has_counts { item.terms.len() } else { 0 });
    WeighedSections { rarities: counted.end..signature.len(), counted, stems, notes, terms, heaviest }
}

/// The rarities of words, as they are stored behind the other sections.
pub fn rarities(notes: &[u32]) -> impl Iterator<Item = u32> + use<'_> {
    let packed = |notes: &[u32]| notes.iter().enumerate().map(|(at, note)| note >> 24 << (8 * at)).sum();
    notes.chunks(RARITIES_PER_NUMBER as usize).map(packed)
}

/// How rare a word of a signature is in its language, in the steps of a note.
pub fn rarity_in_language(signature: &[u32], sections: &WeighedSections, at: usize) -> u32 {
    let width = RARITIES_PER_NUMBER as usize;
    signature[sections.rarities.start + at / width] >> (8 * (at % width)) & 255
}

/// Writes the Euclidean length of the terms of an article into its signature, which is not empty.
pub fn set_length(signature: &mut [u32], length: f32) {
    signature[LENGTH] = length.to_bits();
}

/// Writes the level of an article into its signature, which is not empty.
pub fn set_level(signature: &mut [u32], level: f32) {
    signature[LEVEL] = level.to_bits();
}

/// Days between two items, if both dates are known.
pub fn days_apart(left: &[u32], right: &[u32]) -> Option<u32> {
    Some(day_of(left)?.abs_diff(day_of(right)?))
}

/// The family whose trees score two items.
pub fn family(left: &Item, right: &Item) -> Family {
    if left.family == right.family {
        left.family
    } else {
        Family::Other
    }
}

/// A rarity in the steps of a note.
pub fn rarity_steps(rarity: f64) -> u32 {
    (rarity.clamp(0.0, RAREST) * 255.0 / RAREST).round() as u32
}

/// The note of a word as rare as this, in its steps.
pub fn with_rarity(note: u32, steps: u32) -> u32 {
    steps << 24 | note & 0x00ff_ffff
}

/// How rare a word is.
pub fn rarity(note: u32) -> f64 {
    f64::from(note >> 24) * RAREST / 255.0
}

pub fn flags(note: u32) -> u32 {
    note >> 16 & 255
}

/// The first six letters of a word; of a number, what it counts.
pub fn close(note: u32) -> u32 {
    note & CLOSE
}

/// The grammatical case of a name, by its ending (text/cases.rs).
pub fn case(note: u32) -> u32 {
    note >> CASE & ((1 << cases::BITS) - 1)
}
