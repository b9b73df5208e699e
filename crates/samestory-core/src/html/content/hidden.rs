//! Hidden elements are not content: boxes that a script may open, notices for other readers.

use super::super::blocks::Blocks;
use super::super::blocks::HIDDEN;
use super::text::CONTENT;

/// Sets the probability of hidden blocks to 0, unless most of the content is hidden, as on pages that show nothing
/// until a script runs.
pub(super) fn drop_hidden(blocks: &Blocks, probabilities: &mut [f32]) {
    let (mut hidden, mut all) = (0, 0);
    for (block, _) in blocks.blocks.iter().zip(&*probabilities).filter(|(_, &probability)| probability >= CONTENT) {
        all += block.tokens;
        hidden += if block.inside & HIDDEN != 0 { block.tokens } else { 0 };
    }
    if 2 * hidden > all {
        return;
    }
    for (block, probability) in blocks.blocks.iter().zip(probabilities) {
        if block.inside & HIDDEN != 0 {
            *probability = 0.0;
        }
    }
}
