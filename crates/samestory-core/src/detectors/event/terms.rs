//! The weighted terms of a whole article: the vector by which two longer articles are compared.
//!
//! ```text
//! term      the first five letters of a word
//! count     its occurrences in title and text, those in the head three times, those in the lead twice
//! weight    (1 + ln count) · its rarity in the language at large (text/word_frequencies.rs)
//! ```
//!
//! A term is packed: 23 bits of its hash, whether it is a figure, and its weight in sixths. Two articles have at most
//! some hundred terms each, so two different terms collide in 23 bits once in hundreds of pairs, and then weigh little.

use super::super::api::Article;
use crate::base::hash;
use crate::text::background::STEM;
use crate::text::tokens::{fold, Token};
use crate::text::word_frequencies::{self, frequency_by_length, rarity, WordFrequencies, BEGINNING};

/// The head of an article without a title, and the lead.
const HEAD: usize = 14;
const LEAD: usize = 60;
/// The most terms that are kept, the heaviest. SmallList articles have more.
const MAX_TERMS: usize = 400;
/// The most stems that are kept: some of them are the key words of an article.
pub const MAX_STEMS: usize = 32;
/// Steps of weight in 1.
const SCALE: f64 = 6.0;
/// The bit of the hash of a term that marks a figure.
const IS_FIGURE: u32 = 1;
/// Marks a figure in place of a number of letters.
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
    /// For every occurrence of a word: the hashes of its beginning and of its stem, and the letters of the beginning.
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

    /// The hashes of the first letters of a word and of its stem, and the number of letters hashed.
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

    /// Number of words counted.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Appends the terms, in the order of their hashes, and behind them the stems of the heaviest that are no figures;
    /// returns the number of each.
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

/// The Euclidean length of a vector of terms.
pub fn length(terms: &[u32]) -> f32 {
    (terms.iter().map(|&term| u64::from(term & 255).pow(2)).sum::<u64>() as f32).sqrt()
}

/// The dot product of two vectors of terms, sorted by hash. A sum of integers: the same from either side.
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
