//! The interface of detectors: article tokens to signatures, signatures to keys, pairs of signatures to overlaps.
//!
//! A signature is a row of 32-bit numbers, a key is a 64-bit number; two articles are candidates when they share enough
//! keys. A detector holds no articles.

use std::sync::Arc;

pub use crate::model::kind::{Kind, Overlap, Why, COPY_SHARE};
pub use crate::text::article::Article;

/// How much of an article a detector looks at; what it does not want is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// The packed tokens alone.
    Words,
    /// The text too, the places of the tokens, and the language.
    Text,
}

/// What a detector knows of the keys of one signature.
#[derive(Default)]
pub struct Demand {
    /// The most that sharing each key can add, in the order of the keys.
    pub most: Vec<u32>,
    /// What a larger article must share in all to hold this one.
    pub needed: f64,
}

/// A sample of a collection: the articles with the smallest id hashes.
#[derive(Clone)]
pub struct Sample<'a> {
    pub signatures: Vec<&'a [u32]>,
    /// The source of every article, 0 if unknown; or nothing.
    pub sources: Vec<u64>,
    /// Number of articles of the collection.
    pub total: usize,
    /// Texts are compared as they are, without repairs.
    pub as_is: bool,
    /// A limit of days between compared articles, beside that of the detector.
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

    /// Has it taken this very article before? What counts words must not count an article that comes twice.
    fn knows(&self, _id: &str, _text: &str) -> bool {
        false
    }

    /// Appends the signature of an article; none where it has nothing that the detector looks at.
    fn sign(&self, article: &Article, signature: &mut Vec<u32>);

    /// Appends the keys under which a signature is filed; none for an article without words.
    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>);

    /// How many keys two articles must share to be compared, the one with fewer keys having so many.
    fn quorum(&self, fewer: usize) -> usize {
        fewer.min(1)
    }

    /// Are two articles that share so many keys worth comparing, the one with fewer keys having `fewer`? The quorum is
    /// reached.
    fn admits(&self, _left: &[u32], _right: &[u32], _shared: usize, _fewer: usize) -> bool {
        true
    }

    /// How many of its own keys, of which there are so many, an article shares with every article it is related to,
    /// whatever keys that one has. Where it is more than one, the longest lists need not be looked at.
    fn demand(&self, _keys: usize) -> usize {
        1
    }

    /// Is an article bound to share much with what holds it, and does the detector know how much?
    fn seeks(&self) -> bool {
        false
    }

    /// Says so of a signature.
    fn demands(&self, _signature: &[u32], _demand: &mut Demand) {}

    /// Appends the numbers under which a stream files a signature: fewer than its keys, where so many of them shared say
    /// the same.
    fn filings(&self, signature: &[u32], filings: &mut Vec<u64>) {
        self.keys(signature, filings);
    }

    /// How many of those two articles must share to be compared, the one with fewer having so many.
    fn filed_quorum(&self, fewer: usize) -> usize {
        self.quorum(fewer)
    }

    /// The most days that may lie between two articles that are compared, where it asks for any.
    fn days(&self) -> Option<u32> {
        None
    }

    /// Whether signatures contain the day of publication, so that articles with equal signatures have the same day.
    fn signs_days(&self) -> bool {
        false
    }

    /// Does `at_days` weigh anything? Then two copies of one text may stand in other relations to others.
    fn weighs_days(&self) -> bool {
        false
    }

    /// What a relation found by text alone is worth between articles that lie so many days (UTC) apart.
    fn at_days(&self, overlap: Overlap, _days: u32) -> Overlap {
        overlap
    }

    /// Has it hints, which tell cheaply what it admits?
    fn hints(&self) -> bool {
        false
    }

    /// A few bits about a signature, kept at hand: signatures lie far apart.
    fn hint(&self, _signature: &[u32]) -> u64 {
        0
    }

    /// Are two articles with these hints that share so many keys worth comparing? Says no more than `admits` does.
    fn meets(&self, _left: u64, _right: u64, _shared: usize) -> bool {
        true
    }

    /// The most articles a key may have and still make candidates (0: no limit).
    fn ceiling(&self) -> usize {
        0
    }

    /// Whether its decisions depend on the collection.
    fn calibrates(&self) -> bool {
        false
    }

    /// This detector, calibrated on a sample of a collection; None if it does not calibrate.
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

    /// Whether the comparisons of a calibrated detector leave parts of this article out.
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
