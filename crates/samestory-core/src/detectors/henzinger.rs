//! Henzinger's combination: super-shingles must agree, and then a random projection of the words must agree too.
//!
//! A signature is the super-shingles, then the bits of the projection, the first one highest in its word.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::supers::Supers;
use crate::base::hash;
use crate::text::terms::Preparation;

/// The first stage: six super-shingles of 14 minima, as in the study.
const SUPERS: usize = 6;
const VALUES: usize = 14;

#[derive(Clone, Debug)]
pub struct Henzinger {
    supers: Supers,
    bits: usize,
    agreeing: usize,
}

impl Henzinger {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Henzinger {
            supers: Supers::new(parameters.count("shingle")?, SUPERS, VALUES),
            bits: parameters.count("bits")?,
            agreeing: parameters.count("agreeing")?,
        })
    }
}

impl Detector for Henzinger {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let begin = signature.len();
        self.supers.sign(article, signature);
        if signature.len() > begin {
            project(article, self.bits, signature);
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        let unused = self.bits.div_ceil(32) * 32 - self.bits;
        let has_bits_only = || signature.last().is_some_and(|&last| last.trailing_zeros() as usize >= unused);
        signature.is_empty() || signature.len() == SUPERS + self.bits.div_ceil(32) && has_bits_only()
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.supers.keys(&signature[..SUPERS.min(signature.len())], keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| self.compare(left, right))
    }
}

/// Appends the projection: bit i is 1 if the terms, counted with repetition, have more ones than zeros at bit i of
/// their hashes.
fn project(article: &Article, bits: usize, out: &mut Vec<u32>) {
    let mut votes = vec![Votes::default(); bits.div_ceil(64)];
    let mut voters = 0;
    Preparation::default().terms(article, |term| {
        voters += 1;
        for (number, word) in (0..).zip(&mut votes) {
            word.add(hash::numbered(number, term.hash));
        }
    });
    let unused = votes.len() * 64 - bits;
    let halves = votes.iter().map(|word| word.above(voters / 2)).flat_map(|word| [(word >> 32) as u32, word as u32]);
    let begin = out.len();
    out.extend(halves.take(bits.div_ceil(32)));
    if let Some(last) = out[begin..].last_mut() {
        *last &= u32::MAX << (unused % 32);
    }
}

/// Number of words with a 1 at each of 64 bit positions: bit-sliced binary counters, all positions in parallel.
#[derive(Clone, Default)]
struct Votes {
    digits: [u64; 32],
}

impl Votes {
    fn add(&mut self, word: u64) {
        let mut carry = word;
        for digit in &mut self.digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
    }

    /// The bit positions with more ones than `limit`.
    fn above(&self, limit: u32) -> u64 {
        let (mut above, mut equal) = (0, u64::MAX);
        for (place, &digit) in self.digits.iter().enumerate().rev() {
            if limit >> place & 1 == 0 {
                above |= equal & digit;
                equal &= !digit;
            } else {
                equal &= digit;
            }
        }
        above
    }
}

impl Henzinger {
    /// The two stages.
    fn compare(&self, left: &[u32], right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
            return known;
        }
        let (one, other) = (left.split_at(SUPERS), right.split_at(SUPERS));
        let different: u32 = one.1.iter().zip(other.1).map(|(x, y)| (x ^ y).count_ones()).sum();
        let agreeing = self.bits - different as usize;
        let share = agreeing as f64 / self.bits as f64;
        let is_near = self.supers.are_near(one.0, other.0) && agreeing >= self.agreeing;
        Overlap::near_if(is_near, share, share, share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_are_counted_place_by_place() {
        let words: Vec<u64> = (0..1000).map(|at| hash::numbered(at, 3)).collect();
        let mut votes = Votes::default();
        words.iter().for_each(|&word| votes.add(word));
        let counts = (0..64).map(|place| words.iter().filter(|&word| word >> place & 1 == 1).count() as u32);
        for (place, count) in counts.enumerate() {
            for limit in [0, 1, count - 1, count, count + 1, 499, 500, 501, 1000] {
                assert_eq!(votes.above(limit) >> place & 1 == 1, count > limit, "place {place}, limit {limit}");
            }
        }
    }
}
