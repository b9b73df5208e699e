//! The same text: equal 128-bit hashes of the normalised words, in order.

use super::api::{Article, Comparer, Detector, Kind, Wants};
use super::equal;
use crate::base::hash;
use crate::text::tokens::word;

#[derive(Clone, Debug, Default)]
pub struct Exact;

impl Detector for Exact {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let tokens = article.words;
        if tokens.is_empty() {
            return; // no words, no hash: otherwise all empty articles would be copies of each other
        }
        let words: Vec<u32> = tokens.iter().map(|&t| word(t)).collect();
        for seed in [1, 2] {
            let half = hash::sequence(&words, seed);
            signature.extend([half as u32, (half >> 32) as u32]);
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        matches!(signature.len(), 0 | 4)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        equal::keys(signature, keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        equal::comparer(Kind::Identical)
    }
}
