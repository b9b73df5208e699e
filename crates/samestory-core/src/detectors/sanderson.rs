//! Sanderson's tests: articles of the same two days that retrieve each other, classified by similarity and length.
//!
//! A signature is the date, the number of words, and the vector of terms.

use super::api::{Article, Comparer, Detector, Kind, Overlap, Wants, Why};
use super::dates;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::vectors::{self, Loaded};
use super::vocabulary::Vocabulary;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

const HOUR: u64 = 3600 * 1_000_000;
/// Index of the vector in a signature.
const HEAD: usize = 3;

#[derive(Clone, Debug)]
pub struct Sanderson {
    hours: u64,
    similar: f64,
    exact: f64,
    longer: f64,
    preparation: Preparation,
    weights: Weights,
}

impl Sanderson {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(Sanderson {
            hours: parameters.count("hours")? as u64,
            similar: parameters.number("similar")?,
            exact: parameters.number("exact")?,
            longer: parameters.number("longer")?,
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }

    /// The smallest cosine that any test accepts.
    fn least(&self) -> f64 {
        self.similar.min(self.exact)
    }

    /// The relation that a cosine implies between articles of these lengths.
    fn kind(&self, share: f64, left: u32, right: u32) -> Kind {
        let alike = f64::from(left.min(right)) / f64::from(left.max(right)) > self.longer;
        if share >= self.exact && alike {
            Kind::Identical
        } else if share < self.similar {
            Kind::None
        } else if alike || left == right {
            Kind::Near
        } else if left < right {
            Kind::PartOf
        } else {
            Kind::HasPart
        }
    }
}

/// Whether two signatures have dates at most so many hours apart, if both are known.
fn near_in_time(left: &[u32], right: &[u32], hours: u64) -> bool {
    dates::within(dates::read(left), dates::read(right), hours * HOUR)
}

impl Detector for Sanderson {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let start = signature.len();
        dates::write(article.published, signature);
        signature.push(article.tokens.len() as u32);
        vectors::write(&mut Vocabulary::weighed(self.preparation, &self.weights, article), signature);
        if signature.len() == start + HEAD {
            signature.truncate(start);
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.get(HEAD..).is_some_and(vectors::is_vector)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if let Some(vector) = signature.get(HEAD..) {
            vectors::keys(vector, self.least(), keys);
        }
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let (hours, least) = (self.hours, self.least());
        CandidatePlan::default().with_filter(move |left, right, shared, _| {
            near_in_time(left, right, hours) && vectors::can_reach(&left[HEAD..], &right[HEAD..], shared, least)
        })
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Tests { detector: self, head: vec![], left: Loaded::default() })
    }
}

struct Tests<'a> {
    detector: &'a Sanderson,
    head: Vec<u32>,
    left: Loaded,
}

impl Comparer for Tests<'_> {
    fn load(&mut self, left: &[u32]) {
        let (head, vector) = left.split_at(HEAD.min(left.len()));
        self.head.clear();
        self.head.extend_from_slice(head);
        self.left.load(vector);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(self.left.is_empty(), right.is_empty()) {
            return known;
        }
        let share = self.left.cosine(&right[HEAD..]);
        match self.detector.kind(share, self.head[2], right[2]) {
            kind if kind != Kind::None && near_in_time(&self.head, right, self.detector.hours) => {
                Overlap::related(share, share, kind, share)
            }
            _ => Overlap::apart(share, share, Why::Apart),
        }
    }
}
