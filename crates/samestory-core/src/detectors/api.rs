//! The interface of detectors: article tokens to signatures, signatures to keys, pairs of signatures to overlaps.
//!
//! A signature is a row of 32-bit numbers, a key is a 64-bit number; two articles are candidates when they share enough
//! keys. A detector stores no articles.

use std::sync::Arc;

use super::plan::CandidatePlan;
use crate::base::hash;

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

/// An article as detectors outside of the core read it: repaired, with its language.
#[derive(Clone, Debug, Default)]
pub struct ArticleText {
    pub id: String,
    pub title: Option<String>,
    pub text: String,
    pub published: Option<String>,
    pub source: Option<String>,
    pub language: String,
}

/// A part of a text that a detector compares; offsets count bytes.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub span: (usize, usize),
    /// Its words as they are compared, if they are compared as a text.
    pub text: String,
    /// The name in it, if it is that of a name.
    pub name: (usize, usize),
    /// Its words by number, with their weights.
    pub words: Vec<(u32, f32)>,
}

/// A sample of a collection: the articles with the smallest id hashes.
#[derive(Clone)]
pub struct Sample<'a> {
    pub ids: Vec<&'a str>,
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

    /// Draws a sample from (id, signature, source) of all articles.
    pub fn draw(articles: impl Iterator<Item = (&'a str, &'a [u32], u64)>, as_is: bool) -> Self {
        let hashed = articles.map(|(id, signature, source)| (hash::token(id.as_bytes()), signature, source, id));
        let mut articles: Vec<(u64, &[u32], u64, &str)> = hashed.collect();
        let total = articles.len();
        if total > Self::MAX_ARTICLES {
            articles.select_nth_unstable(Self::MAX_ARTICLES);
            articles.truncate(Self::MAX_ARTICLES);
        }
        articles.sort_unstable();
        let ids = articles.iter().map(|&(_, _, _, id)| id).collect();
        let (signatures, sources) = articles.into_iter().map(|(_, signature, source, _)| (signature, source)).unzip();
        Sample { ids, signatures, sources, total, as_is, days: None }
    }
}

pub trait Detector: Send + Sync {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    /// Appends the signature of an article; nothing if the article has no features of this detector.
    fn sign(&self, article: &Article, signature: &mut Vec<u32>);

    /// The parts of a text that it compares, for explanations.
    fn parts(&self, _article: &Article) -> Vec<Part> {
        vec![]
    }

    /// The detector as one that signs articles and compares pairs many at a time; None for most.
    fn batch(&self) -> Option<&dyn BatchDetector> {
        None
    }

    /// Whether a row that was read from a store has the layout of its signatures: the other methods accept such rows
    /// only. Any row by default. One pass at most, as it is asked of every stored row.
    fn is_well_formed(&self, _signature: &[u32]) -> bool {
        true
    }

    /// Appends the posting keys of a signature; none for an article without words.
    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>);

    /// How candidates are found. Constant: the engine asks once.
    fn candidate_plan(&self) -> CandidatePlan {
        CandidatePlan::default()
    }

    /// What the days between two articles mean; None if nothing. With a rule, two copies of one text may have different
    /// relations. Constant: the engine asks once.
    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        None
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

/// What the days between two articles mean for their relation.
pub trait DayRule: Send + Sync {
    /// Adjusts a relation found by text alone for the number of days (UTC) between the two articles.
    fn adjust(&self, overlap: Overlap, days: u32) -> Overlap;
}

/// A detector that signs articles and compares pairs many at a time, as detectors outside of the core do: its methods
/// replace `sign` and the comparer wherever there are several.
pub trait BatchDetector {
    /// The signatures of some articles.
    fn sign_all(&self, articles: &[ArticleText]) -> Vec<Vec<u32>>;

    /// Compares pairs of these signatures.
    fn compare_pairs(&self, signatures: &[&[u32]], pairs: &[(u32, u32)]) -> Vec<Overlap>;
}

pub trait Comparer: Send {
    fn load(&mut self, left: &[u32]);
    fn compare(&mut self, right: &[u32]) -> Overlap;

    /// Compares the left article with several right ones.
    fn compare_all(&mut self, rights: &[&[u32]]) -> Vec<Overlap> {
        rights.iter().map(|right| self.compare(right)).collect()
    }
}
