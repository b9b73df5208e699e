//! The set of all names with the words around them, compared by what two sets share.

use super::api::{Article, Comparer, Detector, Part, Wants};
use super::entity_shingles::EntityShingles;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use crate::base::hash;
use crate::base::sorted::sorted;

#[derive(Clone, Debug)]
pub struct TweezerSet {
    shingles: EntityShingles,
    threshold: f64,
}

impl TweezerSet {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(TweezerSet { shingles: EntityShingles::of(parameters)?, threshold: parameters.number("threshold")? })
    }
}

impl Detector for TweezerSet {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let shingles = self.shingles.shingles(article);
        let hashes = shingles.texts().map(|shingle| (hash::token(shingle.as_bytes()) >> 32) as u32);
        signature.extend(sorted(hashes.collect()));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.shingles.parts(article)
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
