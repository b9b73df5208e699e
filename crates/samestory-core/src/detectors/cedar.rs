//! CEDAR: the share of the word runs of two articles that they have in common, without the runs that occur in most
//! articles of the collection: those of page boilerplate. [gibson2007]

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::statistics::shingle_counts::Measured;
use crate::text::shingles::runs_of_words;

#[derive(Clone, Debug)]
pub struct Cedar {
    shingle: usize,
    /// The runs that are left out, sorted.
    frequent: Vec<u32>,
}

impl Cedar {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let percent = parameters.number("frequent")?;
        let by =
            if parameters.text("frequent_by")? == "occurrences" { Measured::Occurrences } else { Measured::Shingles };
        let frequent = match &parameters.shingles {
            _ if percent <= 0.0 => vec![],
            Some(counts) => counts.frequent(percent / 100.0, by),
            None => return Err("shingles".to_owned()),
        };
        Ok(Cedar { shingle: parameters.count("shingle")?, frequent })
    }
}

impl SetFeatures for Cedar {
    fn features(&self, article: &Article) -> Vec<u32> {
        let runs = runs_of_words(article, self.shingle);
        runs.into_iter().filter(|run| self.frequent.binary_search(run).is_err()).collect()
    }
}
