//! Text that a page holds twice is content once: the article again for small screens, for printing, for a script to
//! show later.

use std::collections::HashSet;

use super::super::blocks::Blocks;
use super::text::CONTENT;
use crate::text::tokens::tokenise;

/// A shorter block may well be said twice.
const TOKENS: u32 = 20;
/// Words in a run.
const RUN: usize = 4;
/// From this share of its runs on a block repeats what stood before.
const SHARE: f32 = 0.8;

/// Takes away the probability of blocks that only repeat earlier ones of content.
pub(super) fn drop_repeats(blocks: &Blocks, probabilities: &mut [f32]) {
    let mut seen: HashSet<u64> = HashSet::new();
    let mut words: Vec<u64> = vec![];
    for (block, probability) in blocks.blocks.iter().zip(probabilities) {
        if *probability < CONTENT || (block.tokens as usize) < RUN {
            continue;
        }
        words.clear();
        tokenise(blocks.text_of(block), false, |token| words.push(token.hash));
        let run = |run: &[u64]| {
            run.iter().fold(0u64, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        let runs: Vec<u64> = words.windows(RUN).map(run).collect();
        let known = runs.iter().filter(|run| seen.contains(run)).count();
        if block.tokens >= TOKENS && known as f32 >= SHARE * runs.len() as f32 {
            *probability = 0.0;
        } else {
            seen.extend(runs);
        }
    }
}
