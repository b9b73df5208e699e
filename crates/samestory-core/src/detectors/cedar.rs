//! CEDAR: the share of the word runs of two articles that they have in common, without the runs that occur in most
//! articles of the collection: those of page boilerplate. [gibson2007]

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use crate::statistics::shingle_counts::Measured;
use crate::text::shingles::runs_of_words;

#[derive(Clone, Debug)]
pub struct Cedar {
    shingle: usize,
    threshold: f64,
    /// The runs that are left out, sorted.
    frequent: Vec<u32>,
}

impl Cedar {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        let percent = parameters.number("frequent")?;
        let by =
            if parameters.text("frequent_by")? == "occurrences" { Measured::Occurrences } else { Measured::Shingles };
        let frequent = match &parameters.shingles {
            _ if percent <= 0.0 => vec![],
            Some(counts) => counts.frequent(percent / 100.0, by),
            None => return Err("shingles".to_owned()),
        };
        Ok(Cedar { shingle: parameters.count("shingle")?, threshold: parameters.number("threshold")?, frequent })
    }
}

impl Detector for Cedar {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let runs = runs_of_words(article, self.shingle);
        signature.extend(runs.into_iter().filter(|run| self.frequent.binary_search(run).is_err()));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        CandidatePlan { required: Some(sets::share(self.threshold)), ..sets::plan(self.threshold) }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(Rule::Resembles, self.threshold)
    }
}
