//! SIF: Rabin fingerprints of all runs of fifty bytes; those divisible by a number are kept.

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use crate::base::hash;
use crate::base::rabin::{self, Rolling};
use crate::base::sorted::sorted;

#[derive(Clone, Debug)]
pub struct Sif {
    length: usize,
    modulus: u64,
    threshold: f64,
    /// An empty window, built once for all articles.
    window: Rolling,
}

impl Sif {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        let length = parameters.count("length")?;
        Ok(Sif {
            length,
            modulus: parameters.count("modulus")? as u64,
            threshold: parameters.number("threshold")?,
            window: Rolling::new(length),
        })
    }

    /// The fingerprints kept; if none is, all. A shorter text is one run.
    fn fingerprints(&self, bytes: &[u8]) -> Vec<u64> {
        if bytes.len() <= self.length {
            return vec![rabin::of(bytes)];
        }
        let mut window = self.window.clone();
        let every: Vec<u64> = bytes.iter().filter_map(|&byte| window.push(byte)).collect();
        let kept: Vec<u64> = every.iter().copied().filter(|fingerprint| fingerprint % self.modulus == 0).collect();
        if kept.is_empty() {
            every
        } else {
            kept
        }
    }
}

impl Detector for Sif {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        // a text without words has no signature
        if !article.tokens.is_empty() {
            let fingerprints = self.fingerprints(article.text.as_bytes());
            signature.extend(sorted(fingerprints.into_iter().map(|f| (hash::numbered(0, f) >> 32) as u32).collect()));
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        sets::plan(self.threshold)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(Rule::Contains, self.threshold)
    }
}
