//! The interface of detectors: article tokens to signatures, signatures to keys, pairs of signatures to overlaps.
//!
//! A signature is a row of 32-bit numbers, a key is a 64-bit number; two articles are candidates when they share enough
//! keys. A detector stores no articles.
//!
//! A detector implements four methods of `Detector`. The others have defaults; each returns one description of what the
//! detector can do besides: how its candidates are found (`CandidatePlan`), what days mean to it (`DayRule`), whether it
//! is calibrated on a collection (`CalibratedDetector`) or works in batches (`BatchDetector`).

use std::sync::Arc;

use super::plan::CandidatePlan;

pub use super::sample::Sample;
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

pub trait Detector: Send + Sync {
    /// Which fields of an article `sign` reads.
    fn wants(&self) -> Wants;

    /// Appends the signature of an article; nothing if the article has no features of this detector.
    fn sign(&self, article: &Article, signature: &mut Vec<u32>);

    /// Appends the posting keys of a signature; none for an article without words.
    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>);

    /// Compares signatures.
    fn comparer(&self) -> Box<dyn Comparer + '_>;

    /// How candidates are found: by one shared key unless the plan has quorums and filters. The engine asks once per run.
    fn candidate_plan(&self) -> CandidatePlan {
        CandidatePlan::default()
    }

    /// What the days between two articles mean; None if nothing. With a rule, two copies of one text may have different
    /// relations. The engine asks once per run.
    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        None
    }

    /// The detector as one that is calibrated on a collection; None if its decisions do not depend on it.
    fn calibration(&self) -> Option<&dyn CalibratedDetector> {
        None
    }

    /// The detector as one that signs articles and compares pairs many at a time; None for one at a time.
    fn batch(&self) -> Option<&dyn BatchDetector> {
        None
    }

    /// Whether a row that was read from a store has the layout of its signatures: the other methods accept such rows
    /// only. Any row by default. One pass at most, as it is asked of every stored row.
    fn is_well_formed(&self, _signature: &[u32]) -> bool {
        true
    }

    /// The parts of a text that it compares, for explanations.
    fn parts(&self, _article: &Article) -> Vec<Part> {
        vec![]
    }
}

/// What the days between two articles mean for their relation.
pub trait DayRule: Send + Sync {
    /// Adjusts a relation found by text alone for the number of days (UTC) between the two articles.
    fn adjust(&self, overlap: Overlap, days: u32) -> Overlap;
}

/// A detector that signs articles and compares pairs many at a time, as detectors outside of the core do: its methods
/// replace `sign` and the comparer wherever there are several.
pub trait BatchDetector: Send + Sync {
    /// The signatures of some articles.
    fn sign_all(&self, articles: &[ArticleText]) -> Vec<Vec<u32>>;

    /// Compares pairs of these signatures.
    fn compare_pairs(&self, signatures: &[&[u32]], pairs: &[(u32, u32)]) -> Vec<Overlap>;
}

/// A detector whose decisions depend on the collection: it is calibrated on a sample first.
pub trait CalibratedDetector: Send + Sync {
    /// This detector, calibrated on a sample of a collection; None if that failed.
    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>>;

    /// Whether it is calibrated already.
    fn is_calibrated(&self) -> bool;

    /// The calibration, for `Parameters::calibration`; empty if it is not calibrated.
    fn to_bytes(&self) -> Vec<u8>;

    /// Writes the fields of a signature that depend on the calibration; `sign` does so if it is calibrated by then.
    fn apply(&self, _signature: &mut [u32]) {}

    /// Whether comparisons of the calibrated detector ignore parts of this article.
    fn ignores_parts(&self, _signature: &[u32]) -> bool {
        false
    }
}

/// Compares one left article with many right ones.
pub trait Comparer: Send {
    /// Sets the left article, by its signature.
    fn load(&mut self, left: &[u32]);

    /// Compares it with a right one.
    fn compare(&mut self, right: &[u32]) -> Overlap;

    /// Compares the left article with several right ones.
    fn compare_all(&mut self, rights: &[&[u32]]) -> Vec<Overlap> {
        rights.iter().map(|right| self.compare(right)).collect()
    }
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
