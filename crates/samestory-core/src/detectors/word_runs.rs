//! All runs of so many words of an article: full fingerprinting asks what share of them another article holds,
//! resemblance what share of those of both they have in common.
//!
//! A signature is the sorted set of the runs. Filed under all of them, an article meets only those that share enough, and
//! none is lost: the study that called full fingerprinting infeasible compared every article with every other.

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::sets::{self, Rule, Sets};
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

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn quorum(&self, fewer: usize) -> usize {
        sets::quorum(self.threshold, fewer)
    }

    fn demand(&self, keys: usize) -> usize {
        match self.rule {
            // whoever holds a small article may share little of its own
            Rule::Contains => 1,
            Rule::Resembles => sets::quorum(self.threshold, keys),
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Sets::comparer(self.rule, self.threshold)
    }
}
