//! MinHash: resemblance of two shingle sets, estimated from small sketches and found by bands.
//!
//! A signature is the size of the set, then one minimum a permutation, then (with `verify`) the sorted set itself.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::minima::Permutations;
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::sets;
use crate::base::hash;
use crate::base::sorted::common;
use crate::text::tokens::WORD;

#[derive(Clone, Debug)]
pub struct MinHash {
    pub bands: usize,
    pub rows: usize,
    pub shingle: usize,
    pub threshold: f64,
    pub verify: bool,
    permutations: Permutations,
}

impl MinHash {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let (bands, rows) = (parameters.count("bands")?, parameters.count("rows")?);
        Ok(MinHash {
            bands,
            rows,
            shingle: parameters.count("shingle")?,
            threshold: parameters.number("threshold")?,
            verify: parameters.flag("verify")?,
            permutations: Permutations::new(bands * rows),
        })
    }

    fn hashes(&self) -> usize {
        self.bands * self.rows
    }
}

impl Detector for MinHash {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let tokens = article.words;
        if tokens.is_empty() {
            return;
        }
        let mut set = Vec::with_capacity(tokens.len());
        hash::shingles(tokens, WORD, self.shingle, |_, h| set.push((h >> 32) as u32));
        set.sort_unstable();
        set.dedup();
        signature.push(set.len() as u32);
        self.permutations.minima(&set, signature);
        if self.verify {
            signature.extend_from_slice(&set);
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        let Some((&size, rest)) = signature.split_first() else { return true };
        let set = rest.get(self.hashes()..);
        size > 0 && set.is_some_and(|set| set.len() == if self.verify { size as usize } else { 0 } && sets::is_set(set))
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if signature.is_empty() {
            return;
        }
        let minima = &signature[1..1 + self.hashes()];
        keys.extend(minima.chunks(self.rows).enumerate().map(|(band, row)| hash::sequence(row, band as u64 + 3)));
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| self.compare(left, right))
    }
}

impl MinHash {
    fn compare(&self, left: &[u32], right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
            return known;
        }
        let hashes = self.hashes();
        let (a, b) = (f64::from(left[0]), f64::from(right[0]));
        let common = if self.verify {
            common(&left[1 + hashes..], &right[1 + hashes..]) as f64
        } else {
            let equal = left[1..=hashes].iter().zip(&right[1..=hashes]).filter(|(x, y)| x == y).count();
            let resemblance = equal as f64 / hashes as f64;
            resemblance * (a + b) / (1.0 + resemblance)
        };
        let (forward, backward) = ((common / a).min(1.0), (common / b).min(1.0));
        let resemblance = common / (a + b - common).max(1.0);
        Overlap::near_if(resemblance >= self.threshold, forward, backward, resemblance)
    }
}
