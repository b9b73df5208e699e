//! The detector of a sorted set of features: all of them are keys, and two sets are compared by what they share.

use super::api::{Article, Comparer, Detector, Part, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};

/// Which features of a text are compared.
pub trait SetFeatures: Send + Sync {
    /// The features of an article as 32-bit hashes: sorted, each once; none for an article without words.
    fn features(&self, article: &Article) -> Vec<u32>;

    /// The places of the features in the text, for explanations.
    fn parts(&self, _article: &Article) -> Vec<Part> {
        vec![]
    }
}

#[derive(Clone, Debug)]
pub struct SetDetector<F> {
    features: F,
    rule: Rule,
    threshold: f64,
}

impl<F: SetFeatures> SetDetector<F> {
    pub fn from_parameters(rule: Rule, features: F, parameters: &Parameters) -> Result<Self, Missing> {
        Ok(SetDetector { features, rule, threshold: parameters.number("threshold")? })
    }
}

impl<F: SetFeatures> Detector for SetDetector<F> {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        signature.extend(self.features.features(article));
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.features.parts(article)
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let (plan, threshold) = (sets::plan(self.threshold), self.threshold);
        match self.rule {
            // a container of a small article may share little of its own text
            Rule::Contains => plan,
            // sets of which one is much larger cannot resemble each other: |A ∩ B| / |A ∪ B| <= |A| / |B|
            Rule::Resembles => CandidatePlan { required: Some(sets::share(threshold)), ..plan }.with_filter(
                move |left, right, _, _| {
                    let (less, more) = (left.len().min(right.len()), left.len().max(right.len()));
                    less >= sets::reaching(threshold, more)
                },
            ),
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(self.rule, self.threshold)
    }
}
