//! How frequent words are in a collection.
//!
//! The calibration counts in how many articles of its sample each word occurs, and `weigh` replaces the weights in
//! signatures. In every language, words of a topic that fills the collection weigh less:
//!
//! ```text
//! stem   its rarity in the language, but at most ln (articles / (n − 50)), n: the articles that have it
//! ```
//!
//! "Covid" is rare in tables of word frequencies, and names no event in the news of a year that is full of it. Up to
//! fifty articles may report one event. In languages without a table of word frequencies, words are weighed by their
//! length until the collection is counted:
//!
//! ```text
//! term   (1 + ln count) · (1 − ln (p + 0.001)), p: the share of articles that have it
//! stem   by the logarithm of that share, from 0 for a word of all articles to that of an unknown word
//! ```
//!
//! A signature has the rarities in the language, and in those languages the count of each of its terms, so that it can
//! be weighed again by a later calibration.

use std::collections::HashSet;

use super::item::{self, Item, DATE, NUMBER};
use super::terms;
use crate::base::hash::Hashed;
use crate::text::background::rarity_by_length;
use crate::text::word_frequencies::rarity_of_share;

/// The most terms, and stems, that are kept: the most frequent. All others are as rare as a word of one article.
const MAX_WORDS: usize = 5000;
/// Articles that one occurrence counts as, in a word of a single article: the article itself is no evidence of frequency.
const UNKNOWN: f64 = 0.5;
/// The most articles of a sample that report one event. A word of more articles belongs to a topic.
const MAX_REPORTS: u32 = 50;

/// Numbers of articles that have a term, or a stem.
#[derive(Debug, Default)]
pub struct CollectionFrequencies {
    articles: f64,
    /// Whether the weights of words come from here, and not from a table.
    replace_table: bool,
    terms: Hashed<f64>,
    stems: Hashed<f64>,
}

impl CollectionFrequencies {
    /// Counts in the signatures of articles of one language; copies are one article.
    pub fn from_signatures(signatures: &[&[u32]]) -> Self {
        let replace_table = signatures.iter().all(|signature| item::has_counts(signature));
        let (mut terms, mut stems) = (Hashed::<u32>::default(), Hashed::<u32>::default());
        let mut different = HashSet::new();
        for item in signatures.iter().map(|signature| Item::read(signature)) {
            if !different.insert(item.stems) {
                continue;
            }
            item.stems.iter().for_each(|&stem| *stems.entry(stem.into()).or_default() += 1);
            if replace_table {
                item.terms.iter().for_each(|&term| *terms.entry(terms::hash_of(term).into()).or_default() += 1);
            }
        }
        let min = if replace_table { 2 } else { MAX_REPORTS + 1 };
        let (terms, stems) = (most_frequent(terms, min), most_frequent(stems, min));
        CollectionFrequencies { articles: different.len() as f64, replace_table, terms, stems }
    }

    /// Copies of signatures with the weights of this collection.
    pub fn weighed(&self, signatures: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut rows: Vec<Vec<u32>> = signatures.iter().map(|signature| signature.to_vec()).collect();
        rows.iter_mut().for_each(|row| self.weigh(row));
        rows
    }

    /// Replaces the weights in a signature of this language.
    pub fn weigh(&self, signature: &mut [u32]) {
        let sections = item::sections(signature);
        let replace_table = self.replace_table && item::has_counts(signature);
        for at in 0..sections.stems.len() {
            let (stem, note) = (signature[sections.stems.start + at], signature[sections.notes.start + at]);
            let in_articles = self.stems.get(&stem.into()).copied();
            let rarity = match item::flags(note) & (NUMBER | DATE) {
                0 if replace_table => item::rarity_steps(self.rarity_of_stem(in_articles)),
                _ => item::rarity_in_language(signature, &sections, at),
            };
            let rarity = in_articles.map_or(rarity, |articles| rarity.min(self.max_rarity(articles)));
            signature[sections.notes.start + at] = item::with_rarity(note, rarity);
        }
        if replace_table {
            let (front, counts) = signature[..sections.counted.end].split_at_mut(sections.counted.start);
            let weighed = &mut front[sections.terms];
            let heaviest = terms::weigh(weighed, counts, |term| self.rarity_of_term(term));
            let length = terms::length(weighed);
            front[sections.heaviest].copy_from_slice(&heaviest);
            item::set_length(signature, length);
        }
    }

    fn rarity_of_term(&self, hash: u32) -> f64 {
        rarity_of_share(self.terms.get(&hash.into()).copied().unwrap_or(UNKNOWN) / self.articles)
    }

    fn rarity_of_stem(&self, in_articles: Option<f64>) -> f64 {
        let rarity = |articles: f64| (self.articles / articles).ln();
        rarity_by_length(usize::MAX) * rarity(in_articles.unwrap_or(UNKNOWN)) / rarity(UNKNOWN)
    }

    /// Upper bound of the rarity of a word, in the steps of a note.
    fn max_rarity(&self, in_articles: f64) -> u32 {
        let beyond_one_event = in_articles - f64::from(MAX_REPORTS);
        if beyond_one_event > 0.0 {
            item::rarity_steps((self.articles / beyond_one_event).ln())
        } else {
            u32::MAX
        }
    }

    /// As numbers, for a stored calibration.
    pub fn write(&self, out: &mut Vec<u32>) {
        out.extend([self.articles as u32, self.replace_table.into()]);
        for counts in [&self.terms, &self.stems] {
            let mut sorted: Vec<(u64, f64)> = counts.iter().map(|(&word, &articles)| (word, articles)).collect();
            sorted.sort_unstable_by_key(|&(word, _)| word);
            out.push(sorted.len() as u32);
            out.extend(sorted.into_iter().flat_map(|(word, articles)| [word as u32, articles as u32]));
        }
    }

    /// Parses the numbers of `write`; None for any others.
    pub fn read(mut next: impl FnMut() -> Option<u32>) -> Option<Self> {
        let (articles, replace_table) = (next()?, next()? != 0);
        let mut counts = || {
            let words = next()? as usize;
            let pairs = (0..words.min(MAX_WORDS + 1)).map(|_| Some((u64::from(next()?), f64::from(next()?))));
            let pairs: Option<Hashed<f64>> = pairs.collect();
            pairs.filter(|pairs| {
                pairs.len() == words && pairs.values().all(|&count| (1.0..=articles.into()).contains(&count))
            })
        };
        let (terms, stems) = (counts()?, counts()?);
        Some(CollectionFrequencies { articles: articles.into(), replace_table, terms, stems })
    }
}

/// Those that occur in as many articles, the most frequent; of equally frequent ones, by the smaller hash.
fn most_frequent(counts: Hashed<u32>, min: u32) -> Hashed<f64> {
    let mut sorted: Vec<(u64, u32)> = counts.into_iter().filter(|&(_, articles)| articles >= min).collect();
    sorted.sort_unstable_by_key(|&(word, articles)| (std::cmp::Reverse(articles), word));
    sorted.truncate(MAX_WORDS);
    sorted.into_iter().map(|(word, articles)| (word, articles.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::api::Article;
    use super::super::writer::write;
    use super::*;
    use crate::text::tokens::tokenise;

    fn signature_in(language: &str, text: &str) -> Vec<u32> {
        let (mut tokens, mut out) = (vec![], vec![]);
        tokenise(text, false, |token| tokens.push(token));
        write(&Article { tokens: &tokens, text, language, ..Article::default() }, &mut out);
        out
    }

    fn signature(text: &str) -> Vec<u32> {
        signature_in("eu", text)
    }

    fn count(rows: &[Vec<u32>]) -> CollectionFrequencies {
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        CollectionFrequencies::from_signatures(&rows)
    }

    #[test]
    fn a_word_of_all_articles_weighs_less_than_one_of_two() {
        let letter = |n: usize| char::from(b'a' + n as u8);
        let text = |n: usize| format!("albis bertz {}city town of {}", letter(n / 2), ["north", "south"][n % 2]);
        let frequencies = count(&(0..40).map(|n| signature(&text(n))).collect::<Vec<_>>());
        let weighed = |text: &str| {
            let mut row = signature(text);
            frequencies.weigh(&mut row);
            row
        };
        let heaviest = |text: &str| Item::read(&weighed(text)).heaviest[0];
        let stem = |word: &str| Item::read(&weighed(&format!("{word} albis bertz"))).heaviest[0];
        assert_eq!(heaviest("albis bertz qcity town"), stem("qcity"));
        assert_eq!(heaviest("albis bertz qcity unread"), stem("unread"));
        let of_stems =
            |text: &str| Item::read(&weighed(text)).notes.iter().map(|&note| item::rarity(note)).sum::<f64>();
        assert!(of_stems("albis bertz town") < of_stems("albis bertz qcity"));
        assert!(of_stems("albis bertz qcity") < of_stems("albis bertz unread"));
    }

    #[test]
    fn words_of_a_topic_weigh_less_and_those_of_one_event_as_before() {
        for language in ["en", "de", "eu"] {
            let text = |n: usize| match n % 4 {
                2 => "a hundred copies of one report of a flood".into(),
                0 => format!("covid 19 hits town x{n}y"),
                1 if n < 160 => format!("zebra escapes from zoo z{n}w"),
                _ => format!("q{n}p bertz albis"),
            };
            let frequencies = count(&(0..400).map(|n| signature_in(language, &text(n))).collect::<Vec<_>>());
            let rarities = |text: &str| {
                let row = signature_in(language, text);
                let mut weighed = row.clone();
                frequencies.weigh(&mut weighed);
                let of =
                    |row: &[u32]| Item::read(row).notes.iter().map(|&note| item::rarity(note)).collect::<Vec<f64>>();
                (of(&row), of(&weighed))
            };
            let (before, after) = rarities("covid 19 albis");
            assert!(after[0] < before[0].min(2.1) && after[1] < before[1].min(2.1), "{language} {before:?} {after:?}");
            if language != "eu" {
                for text in ["zebra escapes zoo", "hundred copies flood"] {
                    let (before, after) = rarities(text);
                    assert_eq!(before, after, "{language}");
                }
            }
        }
    }

    #[test]
    fn a_signature_weighed_twice_is_one_weighed_once_also_if_two_words_have_one_hash() {
        let mut seed = 7_u64;
        let mut word = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let letters = (0..1 + (seed >> 60) % 5).map(|at| char::from(b'a' + (seed >> (20 + 6 * at)) as u8 % 26));
            letters.collect::<String>()
        };
        let text = |word: &mut dyn FnMut() -> String| (0..350).map(|_| word()).collect::<Vec<_>>().join(" ");
        let rows: Vec<Vec<u32>> = (0..1500).map(|_| signature(&text(&mut word))).collect();
        let (some, all) = (count(&rows[..100]), count(&rows));
        let mut with_one_hash = 0;
        for row in &rows {
            let (mut twice, mut once) = (row.clone(), row.clone());
            some.weigh(&mut twice);
            assert!(item::is_item(&twice));
            all.weigh(&mut twice);
            all.weigh(&mut once);
            assert_eq!(twice, once);
            let terms = Item::read(row).terms;
            with_one_hash += usize::from(terms.windows(2).any(|two| terms::hash_of(two[0]) == terms::hash_of(two[1])));
        }
        assert!(with_one_hash > 1);
    }
}
