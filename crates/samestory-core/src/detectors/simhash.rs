//! SimHash: every bit is a vote of the terms, weighted by their rarity; articles that differ in few bits are near.
//!
//! A signature is the bits, the most significant first. Weights are whole millionths, so that a tie is a tie.

use std::cell::RefCell;

use sha1::{Digest, Sha1};

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::vocabulary::Vocabulary;
use crate::base::hash;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

/// A weight of one, in votes.
const UNIT: f64 = 1e6;
/// The largest number of bits: that of SHA-1.
const MAX_BITS: usize = 160;

/// For every byte its bits as masks, the most significant first: a vote is added to eight sums at once.
static MASKS: [[u64; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        masks[at / 8][at % 8] = if ((at / 8) >> (7 - at % 8)) & 1 == 1 { u64::MAX } else { 0 };
        at += 1;
    }
    masks
};

type Bytes = [u8; MAX_BITS / 8];

thread_local! {
    /// Direct-mapped cache of the SHA-1 of recent terms, by term hash: news repeats its words, and SHA-1 is expensive.
    /// A later term replaces an earlier one.
    static DIGESTS: RefCell<Vec<(u64, Bytes)>> = RefCell::new(vec![(0, [0; MAX_BITS / 8]); 1 << 15]);
}

/// SHA-1 of a term; `text` is called only on a cache miss.
fn term_hash(term: u64, text: impl FnOnce() -> Bytes) -> Bytes {
    DIGESTS.with_borrow_mut(|digests| {
        let slot = (term >> 32) as usize % digests.len();
        let cached = &mut digests[slot];
        if cached.0 != term {
            *cached = (term, text());
        }
        cached.1
    })
}

#[derive(Clone, Debug)]
pub struct SimHash {
    bits: usize,
    distance: usize,
    skip: usize,
    preparation: Preparation,
    weights: Weights,
}

impl SimHash {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(SimHash {
            bits: parameters.count("bits")?,
            distance: parameters.count("distance")?,
            skip: parameters.count("skip")?,
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }
}

/// Counts votes for ones; every other vote is for zero.
struct Votes {
    ones: [u64; MAX_BITS],
    all: u64,
}

impl Votes {
    fn add(&mut self, hash: &Bytes, bits: usize, weight: u64) {
        self.all += weight;
        for (sums, &byte) in self.ones.chunks_exact_mut(8).zip(&hash[..bits.div_ceil(8)]) {
            for (sum, mask) in sums.iter_mut().zip(&MASKS[usize::from(byte)]) {
                *sum += weight & mask;
            }
        }
    }

    /// The bits: 1 if there are more votes for one than for zero.
    fn bits(&self, bits: usize) -> impl Iterator<Item = u32> + '_ {
        self.ones[..bits].chunks(32).map(|sums| {
            let ones = sums.iter().enumerate().map(|(place, &ones)| u32::from(2 * ones > self.all) << (31 - place));
            ones.fold(0, |all, one| all | one)
        })
    }
}

impl Detector for SimHash {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut own = Vocabulary::weighed(self.preparation, &self.weights, article);
        own.order(self.skip, |entry| entry.idf);
        let mut votes = Votes { ones: [0; MAX_BITS], all: 0 };
        let mut word = String::new();
        for entry in own.terms.iter().skip(self.skip) {
            let hash = term_hash(entry.term.hash, || {
                own.word(entry, &mut word);
                Sha1::digest(word.as_bytes()).into()
            });
            votes.add(&hash, self.bits, (entry.idf * UNIT).round_ties_even() as u64);
        }
        if votes.all > 0 {
            signature.extend(votes.bits(self.bits));
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.len() == self.bits.div_ceil(32)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if signature.is_empty() {
            return;
        }
        let blocks = self.distance.min(self.bits);
        for block in 0..blocks {
            let mut part = [0; MAX_BITS / 32];
            for place in block * self.bits / blocks..(block + 1) * self.bits / blocks {
                part[place / 32] |= signature[place / 32] & 1 << (31 - place % 32);
            }
            keys.push(hash::sequence(&part, block as u64));
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| {
            if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
                return known;
            }
            let differing: u32 = left.iter().zip(right).map(|(one, other)| (one ^ other).count_ones()).sum();
            let share = 1.0 - f64::from(differing) / self.bits as f64;
            Overlap::near_if((differing as usize) < self.distance, share, share, share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 4.2 of Varol (2012): hashes of four bits, weights in hundredths.
    const TABLE: [(u8, u64); 6] = [(0b1100, 10), (0b0110, 6), (0b1011, 4), (0b0100, 3), (0b1111, 2), (0b1000, 1)];

    fn bits_of(table: &[(u8, u64)]) -> u32 {
        let mut votes = Votes { ones: [0; MAX_BITS], all: 0 };
        for &(hash, weight) in table {
            let mut bytes = [0; MAX_BITS / 8];
            bytes[0] = hash << 4;
            votes.add(&bytes, 4, weight);
        }
        let bits = votes.bits(4).next().expect("four bits") >> 28;
        bits
    }

    #[test]
    fn the_bits_of_the_table_and_without_the_two_heaviest_where_a_sum_is_zero() {
        assert_eq!(bits_of(&TABLE), 0b1100);
        assert_eq!(bits_of(&TABLE[2..]), 0b1011);
    }
}
