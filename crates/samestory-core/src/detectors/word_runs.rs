//! All runs of a fixed number of words of an article: full fingerprinting measures the share of them that another
//! article contains, resemblance the share that two articles have in common (Jaccard).
//!
//! A signature is the sorted set of the runs. All runs are keys, so candidates are only articles that share enough, and
//! none is missed: the study that called full fingerprinting infeasible compared every article with every other.

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::text::shingles;
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct WordRuns {
    shingle: usize,
    preparation: Preparation,
}

impl WordRuns {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(WordRuns { shingle: parameters.count("shingle")?, preparation: parameters.preparation()? })
    }
}

impl SetFeatures for WordRuns {
    fn features(&self, article: &Article) -> Vec<u32> {
        shingles::shingles(&shingles::terms(self.preparation, article), self.shingle)
    }
}
