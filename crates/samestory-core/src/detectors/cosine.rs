//! Cosine of two vectors of terms, each weighted by its frequency in the article and its rarity (tf-idf).

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::vectors::{self, Loaded};
use super::vocabulary::Vocabulary;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Cosine {
    threshold: f64,
    preparation: Preparation,
    weights: Weights,
}

impl Cosine {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        let weights = parameters.weights(preparation.stem)?;
        Ok(Cosine { threshold: parameters.number("threshold")?, preparation, weights })
    }
}

impl Detector for Cosine {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        vectors::write(&mut Vocabulary::weighed(self.preparation, &self.weights, article), signature);
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || vectors::is_vector(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        vectors::keys(signature, self.threshold, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let threshold = self.threshold;
        CandidatePlan::default()
            .with_filter(move |left, right, shared, _| vectors::can_reach(left, right, shared, threshold))
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Angle { threshold: self.threshold, left: Loaded::default() })
    }
}

struct Angle {
    threshold: f64,
    left: Loaded,
}

impl Comparer for Angle {
    fn load(&mut self, left: &[u32]) {
        self.left.load(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(self.left.is_empty(), right.is_empty()) {
            return known;
        }
        let share = self.left.cosine(right);
        Overlap::near_if(share >= self.threshold, share, share, share)
    }
}
