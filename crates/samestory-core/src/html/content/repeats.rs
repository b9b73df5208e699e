//! Text that occurs twice on a page is content only once: pages repeat the article for small screens, for printing, or
//! for a script to show later.

use std::collections::HashSet;

use super::super::blocks::Blocks;
use super::text::CONTENT;
use crate::text::tokens::tokenise;

/// Shorter blocks, in tokens, may legitimately occur twice.
const MIN_REPEAT_TOKENS: u32 = 20;
/// Words per shingle.
const SHINGLE_WORDS: usize = 4;
/// A block is a repeat if at least this share of its shingles occurred before.
const MIN_REPEATED_SHARE: f32 = 0.8;

/// Sets the probability of blocks that only repeat earlier content to 0.
pub(super) fn drop_repeats(blocks: &Blocks, probabilities: &mut [f32]) {
    let mut earlier: HashSet<u64> = HashSet::new();
    let mut words: Vec<u64> = vec![];
    for (block, probability) in blocks.blocks.iter().zip(probabilities) {
        if *probability < CONTENT || (block.tokens as usize) < SHINGLE_WORDS {
            continue;
        }
        words.clear();
        tokenise(blocks.text_of(block), false, |token| words.push(token.hash));
        let shingle = |shingle: &[u64]| {
            shingle.iter().fold(0u64, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        let shingles: Vec<u64> = words.windows(SHINGLE_WORDS).map(shingle).collect();
        let repeated = shingles.iter().filter(|shingle| earlier.contains(shingle)).count();
        if block.tokens >= MIN_REPEAT_TOKENS && repeated as f32 >= MIN_REPEATED_SHARE * shingles.len() as f32 {
            *probability = 0.0;
        } else {
            earlier.extend(shingles);
        }
    }
}
