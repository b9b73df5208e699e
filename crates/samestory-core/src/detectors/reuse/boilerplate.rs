//! Boilerplate of a source: phrases that it repeats in many articles of different content, such as a notice of rights
//! or an invitation to subscribe.
//!
//! Found on a sample of the collection: a phrase of eight words is boilerplate if it occurs in a twentieth of the
//! articles of a source, and these articles have little in common beyond such phrases. The second condition keeps
//! stories with many versions, and it needs no list of phrases in any language.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::base::hash::{self, AsIs, Hashed};
use crate::detectors::api::Sample;
use crate::text::tokens::{word, WORD};

const PHRASE_WORDS: usize = 8;
const FORMAT_VERSION: u64 = 1;
/// Sources with fewer articles in the sample are skipped, and of larger ones only MAX_ARTICLES are read.
const MIN_ARTICLES: usize = 200;
const MAX_ARTICLES: usize = 2000;
const MIN_SHARE: f64 = 0.05;
/// The first pass counts one in this many phrases: most sources have no boilerplate and need no second pass.
const FIRST_PASS: u64 = 8;
/// The most articles of a phrase that are compared with each other.
const MAX_COMPARED: usize = 8;
/// Medians over these: the shortest of the longest runs of words between frequent phrases (versions of one story have
/// single words between them), the largest number of words inside them, and the largest Jaccard coefficient of the
/// other words.
const MIN_OWN_RUN: usize = 12;
const MAX_WORDS: usize = 120;
const MAX_REST_SIMILARITY: f64 = 0.2;

type Phrases = HashSet<u64, BuildHasherDefault<AsIs>>;

/// The boilerplate phrases of all sources of a collection, by their hashes.
#[derive(Clone, Debug, Default)]
pub struct Boilerplate {
    phrases: Phrases,
}

impl Boilerplate {
    /// Finds the boilerplate of a sample; `tokens` returns the token row of a signature.
    pub fn find<'a>(sample: &Sample<'a>, tokens: impl Fn(&'a [u32]) -> &'a [u32]) -> Self {
        let (mut sources, mut rows) = (Hashed::<Vec<&[u32]>>::default(), Phrases::default());
        for (&signature, &source) in sample.signatures.iter().zip(&sample.sources) {
            let articles = sources.entry(source).or_default();
            let row = tokens(signature);
            if source != 0 && articles.len() < MAX_ARTICLES && rows.insert(hash::sequence(row, source)) {
                articles.push(row);
            }
        }
        let large = sources.values().filter(|articles| articles.len() >= MIN_ARTICLES);
        Boilerplate { phrases: large.flat_map(|articles| of_source(articles)).collect() }
    }

    /// Whether a phrase occurs in a token row.
    pub fn is_in(&self, tokens: &[u32]) -> bool {
        let mut found = false;
        if !self.phrases.is_empty() && tokens.len() >= PHRASE_WORDS {
            hash::shingles(tokens, WORD, PHRASE_WORDS, |_, phrase| found |= self.phrases.contains(&phrase));
        }
        found
    }

    /// Puts into `rest` the tokens outside of boilerplate; returns whether there is any.
    pub fn remove(&self, tokens: &[u32], rest: &mut Vec<u32>) -> bool {
        rest.clear();
        !self.phrases.is_empty() && outside(&self.phrases, tokens, |run| rest.extend_from_slice(run))
    }

    pub fn write(&self) -> Vec<u8> {
        let mut phrases: Vec<u64> = self.phrases.iter().copied().collect();
        phrases.sort_unstable();
        std::iter::once(FORMAT_VERSION).chain(phrases).flat_map(u64::to_le_bytes).collect()
    }

    /// Parses the bytes of `write`; None for any other bytes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut numbers = bytes.chunks(8).map(|eight| eight.try_into().map(u64::from_le_bytes).ok());
        (numbers.next()?? == FORMAT_VERSION).then_some(())?;
        Some(Boilerplate { phrases: numbers.collect::<Option<_>>()? })
    }
}

/// The boilerplate of one source, given the token rows of its articles, each once.
fn of_source(articles: &[&[u32]]) -> Phrases {
    let min_count = (MIN_SHARE * articles.len() as f64).ceil() as usize;
    let frequent = |sampled: u64| -> Phrases {
        let mut counts: Hashed<u32> = Hashed::default();
        let mut own = vec![];
        for tokens in articles {
            own.clear();
            hash::shingles(tokens, WORD, PHRASE_WORDS, |_, phrase| own.push(phrase));
            own.retain(|phrase| phrase % sampled == 0);
            own.sort_unstable();
            own.dedup();
            own.iter().for_each(|&phrase| *counts.entry(phrase).or_default() += 1);
        }
        counts.into_iter().filter(|&(_, count)| count as usize >= min_count).map(|(phrase, _)| phrase).collect()
    };
    if frequent(FIRST_PASS).is_empty() {
        return Phrases::default();
    }
    let candidates = frequent(1);
    let mut articles_of: Hashed<Vec<u32>> = Hashed::default();
    let mut owns: Vec<Own> = vec![];
    for (at, tokens) in articles.iter().enumerate() {
        hash::shingles(tokens, WORD, PHRASE_WORDS, |_, phrase| {
            if candidates.contains(&phrase) {
                let articles = articles_of.entry(phrase).or_default();
                if articles.len() < MAX_COMPARED && articles.last() != Some(&(at as u32)) {
                    articles.push(at as u32);
                }
            }
        });
        owns.push(Own::new(&candidates, tokens));
    }
    let is_boilerplate = |articles: &[u32]| {
        let owns: Vec<&Own> = articles.iter().map(|&at| &owns[at as usize]).collect();
        let pairs =
            owns.iter().enumerate().flat_map(|(at, one)| owns[at + 1..].iter().map(|other| one.similarity(other)));
        median(owns.iter().map(|own| own.longest_run as f64)) >= MIN_OWN_RUN as f64
            && median(owns.iter().map(|own| own.covered as f64)) <= MAX_WORDS as f64
            && median(pairs) <= MAX_REST_SIMILARITY
    };
    articles_of.into_iter().filter(|(_, articles)| is_boilerplate(articles)).map(|(phrase, _)| phrase).collect()
}

/// The content of an article outside frequent phrases.
struct Own {
    /// Its distinct words, sorted.
    words: Vec<u32>,
    longest_run: usize,
    /// Words inside of the phrases.
    covered: usize,
}

impl Own {
    fn new(phrases: &Phrases, tokens: &[u32]) -> Self {
        let (mut words, mut longest_run) = (vec![], 0);
        outside(phrases, tokens, |run| {
            longest_run = longest_run.max(run.len());
            words.extend(run.iter().map(|&token| word(token)));
        });
        let covered = tokens.len() - words.len();
        words.sort_unstable();
        words.dedup();
        Own { words, longest_run, covered }
    }

    /// The Jaccard coefficient.
    fn similarity(&self, other: &Own) -> f64 {
        let common = crate::base::sorted::common(&self.words, &other.words);
        common as f64 / (self.words.len() + other.words.len() - common).max(1) as f64
    }
}

/// The median; NaN of nothing.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Calls `each` with every run of tokens outside of the phrases; returns whether a phrase occurs.
fn outside<'a>(phrases: &Phrases, tokens: &'a [u32], mut each: impl FnMut(&'a [u32])) -> bool {
    let mut covered_to = 0;
    if tokens.len() >= PHRASE_WORDS {
        hash::shingles(tokens, WORD, PHRASE_WORDS, |at, phrase| {
            if phrases.contains(&phrase) {
                if at > covered_to {
                    each(&tokens[covered_to..at]);
                }
                covered_to = at + PHRASE_WORDS;
            }
        });
    }
    if covered_to < tokens.len() {
        each(&tokens[covered_to..]);
    }
    covered_to > 0
}
