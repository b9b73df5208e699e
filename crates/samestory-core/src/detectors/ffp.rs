//! Full fingerprinting: every 4-word run of an article, and the share of them that another article holds.
//!
//! The study called it infeasible, since it compared every article with every other; filed under all its fingerprints, an
//! article meets only those that share enough of them, and none is lost.

use super::sets::{self, Rule, Sets};
use super::{Article, Comparer, Detector, Missing, Parameters, Wants};
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Ffp {
    shingle: usize,
    threshold: f64,
    preparation: Preparation,
}

impl Ffp {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Ffp {
            shingle: parameters.count("shingle")?,
            threshold: parameters.number("threshold")?,
            preparation: parameters.preparation()?,
        })
    }
}

impl Detector for Ffp {
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

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Sets::comparer(Rule::Contains, self.threshold)
    }
}
