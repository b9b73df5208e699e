//! The words of a whole article, weighed: what two articles of some length are compared by.
//!
//! ```text
//! term      the first five letters of a word
//! count     its places in title and text, those in the head three times, those in the lead twice
//! weight    (1 + ln count) · its rarity in the language at large (text/word_frequencies.rs)
//! ```
//!
//! A term is packed: 23 bits of its hash, whether it is a figure, and its weight in sixths. Two articles have at most some
//! hundred terms each, so that two different ones of them meet in 23 bits once in hundreds of pairs, and then weigh little.

use super::super::api::Article;
use crate::base::hash;
use crate::text::background::STEM;
use crate::text::tokens::{fold, Token};
use crate::text::word_frequencies::{self, frequency_by_length, rarity, WordFrequencies, BEGINNING};

/// The head of an article without a title, and the lead.
const HEAD: usize = 14;
const LEAD: usize = 60;
/// The most terms that are kept, the heaviest. Few articles have more.
const MAX_TERMS: usize = 400;
/// The most stems that are kept: an article is filed under some of them.
pub const MAX_STEMS: usize = 32;
/// Steps of weight in 1.
const SCALE: f64 = 6.0;
/// Of the hash of a term, the bit that says whether it is a figure.
const IS_FIGURE: u32 = 1;
/// Stands for the letters of a figure.
const FIGURE: u8 = u8::MAX;

pub fn hash_of(term: u32) -> u32 {
    term >> 8
}

pub fn weight(term: u32) -> f32 {
    (term & 255) as f32
}

/// Counts the words of an article: its title, unless the text begins with it, and its text.
pub struct Counter<'a> {
    table: Option<&'static WordFrequencies>,
    article: &'a Article<'a>,
    folded: String,
    /// Of every place of a word the hash of its beginning and of its stem, and how long the beginning is.
    places: Vec<(u64, u32, u8)>,
    words: usize,
}

impl<'a> Counter<'a> {
    pub fn of(article: &'a Article<'a>) -> Self {
        let table = word_frequencies::of(article.language);
        Counter { table, article, folded: String::new(), places: vec![], words: 0 }
    }

    pub fn take(&mut self, text: &str, tokens: &[Token], is_title: bool) {
        let has_title = self.words > 0;
        for (at, token) in tokens.iter().enumerate() {
            let place = self.beginning(text, token);
            let head = is_title || !has_title && at < HEAD;
            let count = 1 + 2 * usize::from(head) + usize::from(self.words < LEAD);
            self.places.extend(std::iter::repeat_n(place, count));
            self.words += 1;
        }
    }

    /// The hashes of the first letters of a word and of its stem, and how many letters were taken.
    fn beginning(&mut self, text: &str, token: &Token) -> (u64, u32, u8) {
        let word = &text[token.start..token.base_end];
        if token.figure {
            return (token.base, 0, FIGURE);
        }
        let turkish = self.article.is_turkish();
        if word.is_ascii() && !(turkish && word.contains('I')) {
            let letters = word.len().min(BEGINNING);
            let first = |letters: usize| hash::token_in(text.as_bytes(), token.start, token.start + letters);
            return (first(letters), (first(letters.min(STEM)) >> 32) as u32, letters as u8);
        }
        fold(word, turkish, &mut self.folded);
        let first = |letters: usize| {
            let end = self.folded.char_indices().nth(letters).map_or(self.folded.len(), |(end, _)| end);
            hash::token(&self.folded.as_bytes()[..end])
        };
        (first(BEGINNING), (first(STEM) >> 32) as u32, self.folded.chars().take(BEGINNING).count() as u8)
    }

    /// How many words were counted.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Appends the terms, in the order of their hashes, and behind them the stems of the heaviest that are no figures;
    /// gives how many there are of either.
    pub fn finish(mut self, out: &mut Vec<u32>) -> (usize, usize) {
        self.places.sort_unstable();
        let start = out.len();
        let mut stems: Vec<(u32, u32)> = vec![];
        for same in self.places.chunk_by(|one, other| one.0 == other.0) {
            let (beginning, stem, letters) = same[0];
            let rarity = match self.table {
                Some(table) => table.rarity(beginning),
                None => rarity(frequency_by_length(letters.into())),
            };
            let weight = (1.0 + (same.len() as f64).ln()) * rarity;
            let hash = (beginning >> 40) as u32 & !IS_FIGURE | if letters == FIGURE { IS_FIGURE } else { 0 };
            let weight = (weight * SCALE).round().clamp(1.0, 255.0) as u32;
            out.push(hash << 8 | weight);
            if letters != FIGURE {
                stems.push((u32::MAX - weight, stem));
            }
        }
        if out.len() - start > MAX_TERMS {
            out[start..].sort_unstable_by_key(|&term| (std::cmp::Reverse(term & 255), term));
            out.truncate(start + MAX_TERMS);
        }
        out[start..].sort_unstable();
        let terms = out.len() - start;
        stems.sort_unstable();
        for (_, stem) in stems {
            if out.len() - start - terms == MAX_STEMS {
                break;
            }
            if !out[start + terms..].contains(&stem) {
                out.push(stem);
            }
        }
        (terms, out.len() - start - terms)
    }
}

/// The length of a row of terms.
pub fn length(terms: &[u32]) -> f32 {
    (terms.iter().map(|&term| u64::from(term & 255).pow(2)).sum::<u64>() as f32).sqrt()
}

/// What the cosine of two rows of terms is, but for their lengths. A sum of whole numbers: the same from either side.
pub fn product(left: &[u32], right: &[u32]) -> f64 {
    let (mut product, mut l, mut r) = (0u64, 0, 0);
    while l < left.len() && r < right.len() {
        let (one, other) = (hash_of(left[l]), hash_of(right[r]));
        if one == other {
            product += u64::from(left[l] & 255) * u64::from(right[r] & 255);
        }
        l += usize::from(one <= other);
        r += usize::from(other <= one);
    }
    product as f64
}
