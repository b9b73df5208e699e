//! SIF: Rabin fingerprints of all runs of fifty bytes; those divisible by a number are kept.

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::base::hash;
use crate::base::rabin::{self, Rolling};
use crate::base::sorted::sorted;

#[derive(Clone, Debug)]
pub struct Sif {
    length: usize,
    modulus: u64,
    /// An empty window, built once for all articles.
    window: Rolling,
}

impl Sif {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let length = parameters.count("length")?;
        Ok(Sif { length, modulus: parameters.count("modulus")? as u64, window: Rolling::new(length) })
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

impl SetFeatures for Sif {
    fn features(&self, article: &Article) -> Vec<u32> {
        if article.tokens.is_empty() {
            return vec![];
        }
        let fingerprints = self.fingerprints(article.text.as_bytes());
        sorted(fingerprints.into_iter().map(|f| (hash::numbered(0, f) >> 32) as u32).collect())
    }
}
