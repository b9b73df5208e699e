//! The interface of detectors: article tokens to signatures, signatures to keys, pairs of signatures to overlaps.
//!
//! A signature is a row of 32-bit numbers, a key is a 64-bit number; two articles are candidates when they share enough
//! keys. A detector stores no articles.

use std::sync::Arc;

pub use crate::model::kind::{Kind, Overlap, Why, COPY_SHARE};
pub use crate::text::article::Article;

/// Which fields of an article a detector reads; the other fields are not filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Only the packed tokens.
    Words,
    /// Also the text, the token positions and the language.
    Text,
}

/// The overlap that containment of one signature requires: the input of the prefix filter.
#[derive(Default)]
pub struct Demand {
    /// Upper bound of what each key adds to the overlap if it is shared, in the order of the keys.
    pub most: Vec<u32>,
    /// The total overlap that a larger article needs to contain this one.
    pub needed: f64,
}

/// A sample of a collection: the articles with the smallest id hashes.
#[derive(Clone)]
pub struct Sample<'a> {
    pub signatures: Vec<&'a [u32]>,
    /// The source of every article, 0 if unknown; empty if no sources are given.
    pub sources: Vec<u64>,
    /// Number of articles of the collection.
    pub total: usize,
    /// Whether texts are compared as they are, without repairs.
    pub as_is: bool,
    /// A limit of days between compared articles, in addition to that of the detector.
    pub days: Option<u32>,
}

impl<'a> Sample<'a> {
    pub const MAX_ARTICLES: usize = 20_000;

    /// Draws a sample from (id hash, signature, source) of all articles.
    pub fn draw(articles: impl Iterator<Item = (u64, &'a [u32], u64)>, as_is: bool) -> Self {
        let mut articles: Vec<(u64, &[u32], u64)> = articles.collect();
        let total = articles.len();
        if total > Self::MAX_ARTICLES {
            articles.select_nth_unstable(Self::MAX_ARTICLES);
            articles.truncate(Self::MAX_ARTICLES);
        }
        articles.sort_unstable();
        let (signatures, sources) = articles.into_iter().map(|(_, signature, source)| (signature, source)).unzip();
        Sample { signatures, sources, total, as_is, days: None }
    }
}

pub trait Detector: Send + Sync {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    /// Whether this article (id and text) was already processed: word counts must not include an article twice.
    fn knows(&self, _id: &str, _text: &str) -> bool {
        false
    }

    /// Appends the signature of an article; nothing if the article has no features of this detector.
    fn sign(&self, article: &Article, signature: &mut Vec<u32>);

    /// Appends the posting keys of a signature; none for an article without words.
    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>);

    /// How many keys two articles must share to be compared; `fewer` is the smaller of their numbers of keys.
    fn quorum(&self, fewer: usize) -> usize {
        fewer.min(1)
    }

    /// Whether two articles that share `shared` keys are compared; `fewer` is the smaller of their numbers of keys.
    /// Called only for pairs that reach the quorum.
    fn admits(&self, _left: &[u32], _right: &[u32], _shared: usize, _fewer: usize) -> bool {
        true
    }

    /// Lower bound of the keys that an article with `keys` keys shares with every related article, whatever the keys of
    /// that one. If it is more than one, the longest posting lists can be skipped.
    fn demand(&self, _keys: usize) -> usize {
        1
    }

    /// Whether `demands` computes the overlap that containment requires, so that the prefix filter applies.
    fn seeks(&self) -> bool {
        false
    }

    /// Computes that overlap for a signature.
    fn demands(&self, _signature: &[u32], _demand: &mut Demand) {}

    /// Appends the posting keys of a signature in the live index: may be fewer than `keys`, if `filed_quorum` of them
    /// imply the same candidates.
    fn filings(&self, signature: &[u32], filings: &mut Vec<u64>) {
        self.keys(signature, filings);
    }

    /// How many of those two articles must share to be compared; `fewer` is the smaller of their numbers.
    fn filed_quorum(&self, fewer: usize) -> usize {
        self.quorum(fewer)
    }

    /// The largest number of days between two compared articles; None for no limit.
    fn days(&self) -> Option<u32> {
        None
    }

    /// Whether signatures contain the day of publication, so that articles with equal signatures have the same day.
    fn signs_days(&self) -> bool {
        false
    }

    /// Whether `at_days` changes anything. If so, two copies of one text may have different relations.
    fn weighs_days(&self) -> bool {
        false
    }

    /// Adjusts a relation found by text alone for the number of days (UTC) between the two articles.
    fn at_days(&self, overlap: Overlap, _days: u32) -> Overlap {
        overlap
    }

    /// Whether it has hints: bitmap summaries for a cheap test before `admits`.
    fn hints(&self) -> bool {
        false
    }

    /// A 64-bit summary of a signature, stored contiguously: signatures are scattered in memory.
    fn hint(&self, _signature: &[u32]) -> u64 {
        0
    }

    /// Whether two articles with these hints and `shared` common keys may match. Never false where `admits` is true.
    fn meets(&self, _left: u64, _right: u64, _shared: usize) -> bool {
        true
    }

    /// The longest posting list that is used for candidates (0: no limit).
    fn ceiling(&self) -> usize {
        0
    }

    /// Whether its decisions depend on the collection.
    fn calibrates(&self) -> bool {
        false
    }

    /// This detector, calibrated on a sample of a collection; None if it needs no calibration.
    fn calibrate(&self, _sample: &Sample) -> Option<Arc<dyn Detector>> {
        None
    }

    /// Whether it is calibrated.
    fn is_calibrated(&self) -> bool {
        false
    }

    /// Its calibration as bytes, for `Parameters::calibration`.
    fn calibration(&self) -> Vec<u8> {
        vec![]
    }

    /// Whether comparisons of the calibrated detector ignore parts of this article.
    fn ignores_parts(&self, _signature: &[u32]) -> bool {
        false
    }

    /// Writes the fields of a signature that depend on the calibration; `sign` does so if it is calibrated by then.
    fn apply_calibration(&self, _signature: &mut [u32]) {}

    /// Compares one left article with many right ones.
    fn comparer(&self) -> Box<dyn Comparer + '_>;
}

pub trait Comparer: Send {
    fn load(&mut self, left: &[u32]);
    fn compare(&mut self, right: &[u32]) -> Overlap;
}
