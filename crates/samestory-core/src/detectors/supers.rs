//! Super-shingles of min-hashes: each is one hash of many minima, and two that agree at their index make a pair near.
//!
//! Each agrees with probability s^values, where s is the resemblance of the shingle sets. An agreement of two by chance
//! requires 64 equal bits.

use super::api::Article;
use super::minima::Permutations;
use crate::base::hash;
use crate::text::shingles;
use crate::text::terms::Preparation;

/// How many must agree.
const AGREEING: usize = 2;
const SUPER_SEED: u64 = 5;
const PAIR_SEED: u64 = 6;

#[derive(Clone, Debug)]
pub struct Supers {
    shingle: usize,
    values: usize,
    pub count: usize,
    permutations: Permutations,
}

impl Supers {
    /// The given number of super-shingles and minima in each, over the set of word runs of width `shingle`.
    pub fn new(shingle: usize, count: usize, values: usize) -> Self {
        Supers { shingle, values, count, permutations: Permutations::new(count * values) }
    }

    /// Appends the super-shingles of an article; none if it has no words.
    pub fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let set = shingles::shingles(&shingles::terms(Preparation::default(), article), self.shingle);
        if set.is_empty() {
            return;
        }
        let mut minima = Vec::with_capacity(self.count * self.values);
        self.permutations.minima(&set, &mut minima);
        signature.extend(minima.chunks_exact(self.values).map(|run| (hash::sequence(run, SUPER_SEED) >> 32) as u32));
    }

    /// Appends every pair of super-shingles as a key: articles that agree in two share one pair (mega-shingles).
    pub fn keys(&self, supers: &[u32], keys: &mut Vec<u64>) {
        for (right, &later) in supers.iter().enumerate() {
            for (left, &earlier) in supers[..right].iter().enumerate() {
                keys.push(hash::sequence(&[left as u32, right as u32, earlier, later], PAIR_SEED));
            }
        }
    }

    /// How many super-shingles agree at their index.
    pub fn agreeing(&self, left: &[u32], right: &[u32]) -> usize {
        left.iter().zip(right).filter(|(x, y)| x == y).count()
    }

    /// Whether enough super-shingles agree.
    pub fn are_near(&self, left: &[u32], right: &[u32]) -> bool {
        self.agreeing(left, right) >= AGREEING
    }
}
