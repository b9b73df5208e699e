//! Resemblance: the share of the word runs of two articles that they have in common, counted.
//!
//! A signature is the sorted set of the runs.

use super::sets::{self, Rule, Sets};
use super::{Article, Comparer, Detector, Missing, Parameters, Wants};
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Resemblance {
    shingle: usize,
    threshold: f64,
    preparation: Preparation,
}

impl Resemblance {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Resemblance {
            shingle: parameters.count("shingle")?,
            threshold: parameters.number("threshold")?,
            preparation: parameters.preparation()?,
        })
    }
}

impl Detector for Resemblance {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        signature.extend(sets::shingles(&sets::terms(self.preparation, article), self.shingle));
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn quorum(&self, fewer: usize) -> usize {
        sets::quorum(self.threshold, fewer)
    }

    fn demand(&self, keys: usize) -> usize {
        sets::quorum(self.threshold, keys)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Sets::comparer(Rule::Resembles, self.threshold)
    }
}
