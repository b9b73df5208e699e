//! The set of all names with the words around them, compared by what two sets share.

use super::api::{Article, Part};
use super::entity_shingles::EntityShingles;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::base::hash;
use crate::base::sorted::sorted;

#[derive(Clone, Debug)]
pub struct TweezerSet {
    shingles: EntityShingles,
}

impl TweezerSet {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(TweezerSet { shingles: EntityShingles::from_parameters(parameters)? })
    }
}

impl SetFeatures for TweezerSet {
    fn features(&self, article: &Article) -> Vec<u32> {
        let shingles = self.shingles.shingles(article);
        let hashes = shingles.texts().map(|shingle| (hash::token(shingle.as_bytes()) >> 32) as u32);
        sorted(hashes.collect())
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.shingles.parts(article)
    }
}
