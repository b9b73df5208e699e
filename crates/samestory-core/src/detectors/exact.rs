//! The same text: equal 128-bit hashes of the normalised words, in order.

use super::{Comparer, Detector, Kind, Overlap, Why};
use crate::hash;
use crate::text::tokens::word;

#[derive(Clone, Debug, Default)]
pub struct Exact;

impl Detector for Exact {
    fn sign(&self, tokens: &[u32], signature: &mut Vec<u32>) {
        if tokens.is_empty() {
            return; // no words, no hash: otherwise all empty articles would be copies of each other
        }
        let words: Vec<u32> = tokens.iter().map(|&t| word(t)).collect();
        for seed in [1, 2] {
            let half = hash::sequence(&words, seed);
            signature.extend([half as u32, (half >> 32) as u32]);
        }
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if let [low, high, ..] = signature {
            keys.push(u64::from(*low) | u64::from(*high) << 32);
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Equal { left: vec![] })
    }
}

struct Equal {
    left: Vec<u32>,
}

impl Comparer for Equal {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if self.left == right {
            Overlap::related(1.0, 1.0, Kind::Identical, 1.0)
        } else {
            Overlap::apart(0.0, 0.0, Why::Apart)
        }
    }
}
