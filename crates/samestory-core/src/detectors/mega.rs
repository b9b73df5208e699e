//! Mega-shingles: 84 min-hashes of an article's word runs are six super-shingles; two that agree make a pair near.
//!
//! A signature is the super-shingles.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::supers::Supers;

#[derive(Clone, Debug)]
pub struct Mega {
    supers: Supers,
}

impl Mega {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let (shingle, supers, values) =
            (parameters.count("shingle")?, parameters.count("supers")?, parameters.count("values")?);
        Ok(Mega { supers: Supers::new(shingle, supers, values) })
    }
}

impl Detector for Mega {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        self.supers.sign(article, signature);
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.len() == self.supers.count
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.supers.keys(signature, keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| {
            if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
                return known;
            }
            let share = self.supers.agreeing(left, right) as f64 / self.supers.count as f64;
            Overlap::near_if(self.supers.are_near(left, right), share, share, share)
        })
    }
}
