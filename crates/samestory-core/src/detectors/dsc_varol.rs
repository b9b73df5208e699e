//! The sampled fingerprint: as the full one, but of the 4-word runs only "three overlapping" are kept, which has four
//! interpretations.

use sha1::{Digest, Sha1};

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::base::hash;
use crate::base::sorted::sorted;
use crate::text::shingles;
use crate::text::terms::Preparation;

const KEPT: usize = 3;

/// Which runs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sampling {
    /// Those that begin at the positions 0, 3, 6, …
    EveryThird,
    FirstThree,
    /// The three with the smallest SHA-1.
    MinThree,
    All,
}

#[derive(Clone, Debug)]
pub struct DscVarol {
    shingle: usize,
    sampling: Sampling,
    preparation: Preparation,
}

impl DscVarol {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(DscVarol {
            shingle: parameters.count("shingle")?,
            sampling: match parameters.text("sampling")? {
                "every_third" => Sampling::EveryThird,
                "first_three" => Sampling::FirstThree,
                "min_three" => Sampling::MinThree,
                "all" => Sampling::All,
                _ => return Err("sampling".to_owned()),
            },
            preparation: parameters.preparation()?,
        })
    }
}

impl SetFeatures for DscVarol {
    fn features(&self, article: &Article) -> Vec<u32> {
        let mut runs = vec![];
        let terms = shingles::terms(self.preparation, article);
        hash::shingles(&terms, u32::MAX, self.shingle, |_, run| runs.push((run >> 32) as u32));
        let kept = match self.sampling {
            Sampling::EveryThird => runs.into_iter().step_by(KEPT).collect(),
            Sampling::FirstThree => runs.into_iter().take(KEPT).collect(),
            Sampling::MinThree => self.least(article, &runs),
            Sampling::All => runs,
        };
        sorted(kept)
    }
}

impl DscVarol {
    /// The distinct runs with the smallest first 64 bits of SHA-1 of their words, joined by blanks.
    fn least(&self, article: &Article, runs: &[u32]) -> Vec<u32> {
        let (mut text, mut word, mut places) = (String::new(), String::new(), vec![]);
        self.preparation.terms(article, |term| {
            self.preparation.write(article, &term, &mut word);
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(&word);
            places.push((start, text.len()));
        });
        let lasts = places.iter().skip(self.shingle.min(places.len()).max(1) - 1);
        let digest = |(first, last): (&(usize, usize), &(usize, usize))| {
            let digest = Sha1::digest(&text.as_bytes()[first.0..last.1]);
            u64::from_be_bytes(digest[..8].try_into().expect("eight bytes"))
        };
        let mut ordered: Vec<(u64, u32)> = places.iter().zip(lasts).map(digest).zip(runs.iter().copied()).collect();
        ordered.sort_unstable();
        ordered.dedup();
        ordered.into_iter().take(KEPT).map(|(_, run)| run).collect()
    }
}
