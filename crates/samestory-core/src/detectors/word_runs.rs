//! All runs of a fixed number of words of an article: full fingerprinting measures the share of them that another
//! article contains, resemblance the share that two articles have in common (Jaccard).
//!
//! A signature is the sorted set of the runs. All runs are keys, so candidates are only articles that share enough, and
//! none is missed: the study that called full fingerprinting infeasible compared every article with every other.

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use crate::text::shingles;
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct WordRuns {
    rule: Rule,
    shingle: usize,
    threshold: f64,
    preparation: Preparation,
}

impl WordRuns {
    pub fn of(rule: Rule, parameters: &Parameters) -> Result<Self, Missing> {
        Ok(WordRuns {
            rule,
            shingle: parameters.count("shingle")?,
            threshold: parameters.number("threshold")?,
            preparation: parameters.preparation()?,
        })
    }
}

impl Detector for WordRuns {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        signature.extend(shingles::shingles(&shingles::terms(self.preparation, article), self.shingle));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let required = match self.rule {
            // a container of a small article may share little of its own text
            Rule::Contains => None,
            Rule::Resembles => Some(sets::share(self.threshold)),
        };
        CandidatePlan { required, ..sets::plan(self.threshold) }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(self.rule, self.threshold)
    }
}
