//! Digital syntactic clustering: the resemblance of two sketches, each a sample of Rabin fingerprints of word runs.
//!
//! A signature is the sketch as a sorted set, every fingerprint hashed to 32 bits.

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use super::sketch::Sketch;
use crate::base::hash;
use crate::base::sorted::sorted;

#[derive(Clone, Debug)]
pub struct Dsc {
    sketch: Sketch,
    threshold: f64,
    ceiling: usize,
}

impl Dsc {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Dsc {
            sketch: Sketch::from_parameters(parameters, parameters.count("smallest")?)?,
            threshold: parameters.number("threshold")?,
            ceiling: parameters.count("ceiling")?,
        })
    }
}

impl Detector for Dsc {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let kept = self.sketch.fingerprints(article);
        signature.extend(sorted(kept.iter().map(|&kept| (hash::numbered(0, kept) >> 32) as u32).collect()));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        // a ceiling counts the articles of a fingerprint, so all fingerprints must be keys
        if self.ceiling > 0 {
            sets::keys(signature, keys);
        } else {
            sets::prefix_keys(self.threshold, signature, keys);
        }
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let threshold = self.threshold;
        match self.ceiling {
            0 => CandidatePlan::default()
                .with_filter(move |left, right, shared, _| sets::may_resemble(threshold, left, right, shared)),
            ceiling => CandidatePlan::default().with_ceiling(ceiling),
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(Rule::Resembles, self.threshold)
    }
}
