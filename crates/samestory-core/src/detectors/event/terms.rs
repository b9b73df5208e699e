//! The weighted terms of a whole article: the vector by which two longer articles are compared.
//!
//! ```text
//! term      the first five letters of a word
//! count     its occurrences in title and text, those in the head three times, those in the lead twice
//! weight    (1 + ln count) · its rarity in the language at large (text/word_frequencies.rs)
//! ```
//!
//! In a language without a table, words are weighed by their length until the collection is counted (frequencies.rs).
//!
//! A term is packed: 23 bits of its hash, whether it is a figure, and its weight in sixths. Two articles have at most
//! some hundred terms each, so two different terms collide in 23 bits once in hundreds of pairs, and then weigh little.

use std::sync::LazyLock;

use crate::text::beginnings::WordBeginning;
use crate::text::word_frequencies::{self, frequency_by_length, rarity, WordFrequencies};

/// The head of an article without a title, and the lead.
const HEAD: usize = 14;
const LEAD: usize = 60;
/// The most terms that are kept, the heaviest. Few articles have more.
const MAX_TERMS: usize = 400;
/// The most stems that are kept: some of them are the key words of an article.
pub const MAX_STEMS: usize = 32;
/// Steps of weight in 1.
const SCALE: f64 = 6.0;
/// The bit of the hash of a term that marks a figure.
const IS_FIGURE: u32 = 1;
/// 1 + ln n for the counts n of nearly all words.
static LOGARITHMS: LazyLock<[f64; 64]> = LazyLock::new(|| std::array::from_fn(|count| 1.0 + (count as f64).ln()));

pub fn hash_of(term: u32) -> u32 {
    term >> 8
}

pub fn weight(term: u32) -> f32 {
    (term & 255) as f32
}

/// Steps of 1 + ln count in 1, where it is stored, and the bits that it takes.
const COUNT_SCALE: f64 = 16.0;
const COUNT: u32 = 255;

/// Counts the words of an article: its title, unless the text begins with it, and its text.
pub struct Counter {
    table: Option<&'static WordFrequencies>,
    /// The different words in order of their first occurrence, each with its weighted count.
    counts: Vec<(WordBeginning, u32)>,
    /// Hash table with open addressing: positions in `counts`, plus 1; a power of two, at most half full.
    slots: Vec<u32>,
    words: usize,
}

impl Counter {
    /// For an article of at most so many words.
    pub fn new(language: &str, max_words: usize) -> Self {
        let slots = vec![0; (2 * max_words).next_power_of_two().max(2)];
        Counter { table: word_frequencies::of(language), counts: Vec::with_capacity(max_words), slots, words: 0 }
    }

    pub fn take(&mut self, words: &[WordBeginning], is_title: bool) {
        let has_title = self.words > 0;
        for (at, word) in words.iter().enumerate() {
            let head = is_title || !has_title && at < HEAD;
            let count = 1 + 2 * u32::from(head) + u32::from(self.words < LEAD);
            self.add(word, count);
            self.words += 1;
        }
    }

    fn add(&mut self, word: &WordBeginning, count: u32) {
        let last = self.slots.len() - 1;
        let mut slot = word.beginning as usize & last;
        loop {
            match self.slots[slot] {
                0 => {
                    self.counts.push((*word, count));
                    self.slots[slot] = self.counts.len() as u32;
                    return;
                }
                filled if self.counts[filled as usize - 1].0.beginning == word.beginning => {
                    self.counts[filled as usize - 1].1 += count;
                    return;
                }
                _ => slot = (slot + 1) & last,
            }
        }
    }

    /// Number of words counted.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether the collection has to tell how rare words are.
    pub fn has_counts(&self) -> bool {
        self.table.is_none()
    }

    /// Appends the terms, in the order of their hashes, behind them the stems of the heaviest that are no figures, and
    /// without a table what `weigh` needs; returns the number of terms and of stems.
    pub fn finish(self, out: &mut Vec<u32>) -> (usize, usize) {
        let start = out.len();
        let mut stems: Vec<(u32, u32)> = Vec::with_capacity(self.counts.len());
        let mut counted = Vec::with_capacity(if self.has_counts() { self.counts.len() } else { 0 });
        for (word, count) in &self.counts {
            let rarity = match (self.table, word.letters) {
                (Some(table), _) => table.rarity(word.beginning),
                (None, letters) => rarity(frequency_by_length(letters.unwrap_or(u8::MAX).into())),
            };
            let by_count = LOGARITHMS.get(*count as usize).copied();
            let by_count = by_count.unwrap_or_else(|| 1.0 + f64::from(*count).ln());
            let hash = (word.beginning >> 40) as u32 & !IS_FIGURE | if word.letters.is_none() { IS_FIGURE } else { 0 };
            let weight = packed_weight(by_count * rarity);
            out.push(hash << 8 | weight);
            if self.has_counts() {
                let steps = (by_count * COUNT_SCALE).round().min(f64::from(COUNT)) as u32;
                counted.push((hash << 8 | weight, short_stem((word.stem >> 32) as u32) | steps));
            } else if word.letters.is_some() {
                stems.push((u32::MAX - weight, (word.stem >> 32) as u32));
            }
        }
        if self.has_counts() {
            out.truncate(start);
            return finish_counted(counted, out);
        }
        if out.len() - start > MAX_TERMS {
            out[start..].sort_unstable_by_key(|&term| (std::cmp::Reverse(term & 255), term));
            out.truncate(start + MAX_TERMS);
        }
        out[start..].sort_unstable();
        let terms = out.len() - start;
        // words with one stem are few: the heaviest stems are among the heaviest of twice as many words, nearly always
        let likely = stems.len().min(2 * MAX_STEMS);
        if likely < stems.len() {
            stems.select_nth_unstable(likely);
        }
        stems[..likely].sort_unstable();
        let mut sorted = likely;
        let mut at = 0;
        while at < stems.len() && out.len() - start - terms < MAX_STEMS {
            if at == sorted {
                stems[sorted..].sort_unstable();
                sorted = stems.len();
            }
            let stem = stems[at].1;
            if !out[start + terms..].contains(&stem) {
                out.push(stem);
            }
            at += 1;
        }
        (terms, out.len() - start - terms)
    }
}

/// A stem as it is stored beside its count.
pub fn short_stem(stem: u32) -> u32 {
    stem & !COUNT
}

fn packed_weight(weight: f64) -> u32 {
    (weight * SCALE + 0.5).clamp(1.0, 255.0) as u32
}

/// Appends terms, the stems of the heaviest, and for each term its stem and count, from pairs of both.
fn finish_counted(mut counted: Vec<(u32, u32)>, out: &mut Vec<u32>) -> (usize, usize) {
    counted.sort_unstable_by_key(|&(term, _)| (std::cmp::Reverse(term & 255), term));
    counted.truncate(MAX_TERMS);
    counted.sort_unstable();
    let (terms, counts): (Vec<u32>, Vec<u32>) = counted.into_iter().unzip();
    let heaviest = heaviest(&terms, &counts);
    out.extend(&terms);
    out.extend(&heaviest);
    out.extend(&counts);
    (terms.len(), heaviest.len())
}

/// The different stems of the heaviest terms that are no figures; their number does not depend on the weights.
fn heaviest(terms: &[u32], counts: &[u32]) -> Vec<u32> {
    let words = terms.iter().zip(counts).filter(|(&term, _)| hash_of(term) & IS_FIGURE == 0);
    let mut stems: Vec<(u32, u32)> =
        words.map(|(&term, &count)| (u32::MAX - (term & 255), short_stem(count))).collect();
    stems.sort_unstable();
    let mut heaviest = Vec::with_capacity(MAX_STEMS);
    for (_, stem) in stems {
        if heaviest.len() < MAX_STEMS && !heaviest.contains(&stem) {
            heaviest.push(stem);
        }
    }
    heaviest
}

/// Weighs terms by their counts and their rarity, which is given by hash; returns the stems of the heaviest.
pub fn weigh(terms: &mut [u32], counts: &mut [u32], rarity: impl Fn(u32) -> f64) -> Vec<u32> {
    for (term, count) in terms.iter_mut().zip(&*counts) {
        let by_count = f64::from(count & COUNT) / COUNT_SCALE;
        *term = *term & !255 | packed_weight(by_count * rarity(hash_of(*term)));
    }
    // two words of one hash may have had the order of their lengths
    if terms.windows(2).any(|two| hash_of(two[0]) == hash_of(two[1])) {
        let mut pairs: Vec<(u32, u32)> = terms.iter().copied().zip(counts.iter().copied()).collect();
        pairs.sort_unstable();
        for (at, (term, count)) in pairs.into_iter().enumerate() {
            (terms[at], counts[at]) = (term, count);
        }
    }
    heaviest(terms, counts)
}

/// The Euclidean length of a vector of terms.
pub fn length(terms: &[u32]) -> f32 {
    (terms.iter().map(|&term| u64::from(term & 255).pow(2)).sum::<u64>() as f32).sqrt()
}

/// The terms of one article as a hash table, for dot products with many others.
#[derive(Default)]
pub struct TermTable {
    /// One term each; 0, which no term is, for none. Thinly filled: the few terms whose slot is taken are in `others`.
    slots: Vec<u32>,
    filled: Vec<u16>,
    others: Vec<u32>,
}

/// As many as fit the fastest cache: with more, fewer terms share a slot.
const TERM_SLOTS: usize = 8192;
const _: () = assert!(TERM_SLOTS > 4 * MAX_TERMS && TERM_SLOTS <= 1 << 16);

/// The slot of a term. The lowest bit of the hash is used for figures.
fn slot_of(term: u32) -> usize {
    (hash_of(term) >> 1) as usize % TERM_SLOTS
}

impl TermTable {
    pub fn load(&mut self, terms: &[u32]) {
        self.slots.resize(TERM_SLOTS, 0);
        for slot in self.filled.drain(..) {
            self.slots[usize::from(slot)] = 0;
        }
        self.others.clear();
        let mut previous = u32::MAX;
        for &term in terms {
            let slot = &mut self.slots[slot_of(term)];
            match *slot {
                // of two terms with one hash, the first counts
                _ if hash_of(term) == previous => {}
                0 => {
                    *slot = term;
                    self.filled.push(slot_of(term) as u16);
                }
                _ => self.others.push(term),
            }
            previous = hash_of(term);
        }
    }

    /// The dot product of the loaded terms and others, sorted by hash. A sum of integers, and of two terms with one hash
    /// the first counts: the same from either side. About as many terms are shared as not, so no branch depends on it.
    pub fn product(&self, terms: &[u32]) -> f64 {
        let Ok(slots) = <&[u32; TERM_SLOTS]>::try_from(&self.slots[..]) else { return 0.0 };
        let (mut product, mut previous) = (0, u32::MAX);
        for &term in terms {
            let found = slots[slot_of(term)];
            let is_counted = u32::from(hash_of(found) == hash_of(term)) & u32::from(hash_of(term) != previous);
            product += (found & 255) * (term & 255) * is_counted;
            previous = hash_of(term);
        }
        for &term in &self.others {
            let at = terms.partition_point(|&other| hash_of(other) < hash_of(term));
            let other = terms.get(at).filter(|&&other| hash_of(other) == hash_of(term));
            product += other.map_or(0, |other| (term & 255) * (other & 255));
        }
        product.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dot product of all pairs of terms.
    fn of_all_pairs(left: &[u32], right: &[u32]) -> f64 {
        let pairs = left.iter().flat_map(|&one| right.iter().map(move |&other| (one, other)));
        let same = pairs.filter(|&(one, other)| hash_of(one) == hash_of(other));
        same.map(|(one, other)| f64::from(weight(one)) * f64::from(weight(other))).sum()
    }

    #[test]
    fn products_are_those_of_all_pairs_also_of_full_neighbouring_slots() {
        let terms = |seed: u32, count: u32, crowd: u32| -> Vec<u32> {
            let hash = |at: u32| at.wrapping_mul(2_654_435_761).rotate_left(seed) % crowd;
            let mut terms: Vec<u32> = (0..count).map(|at| hash(at + seed) << 8 | (1 + (at * seed) % 255)).collect();
            terms.sort_unstable();
            terms.dedup_by_key(|term| hash_of(*term));
            terms
        };
        let mut table = TermTable::default();
        for crowd in [500, 9000, 1 << 23] {
            let (left, right) = (terms(3, 400, crowd), terms(5, 300, crowd));
            table.load(&left);
            assert_eq!(table.product(&right), of_all_pairs(&left, &right));
            assert_eq!(table.product(&left), f64::from(length(&left)).powi(2).round());
            assert_eq!(table.product(&[]), 0.0);
        }
    }

    #[test]
    fn products_are_the_same_from_either_side_if_two_terms_have_one_hash() {
        let (mut table, twice, once) = (TermTable::default(), [5 << 8 | 2, 5 << 8 | 9, 6 << 8 | 1], [5 << 8 | 3]);
        table.load(&twice);
        assert_eq!(table.product(&once), 6.0);
        table.load(&once);
        assert_eq!(table.product(&twice), 6.0);
    }
}
