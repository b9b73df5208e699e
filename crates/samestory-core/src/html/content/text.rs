//! The text of the content: one line per block, an empty line between paragraphs.

use super::super::blocks::Blocks;

/// The minimum probability of a content block.
pub(super) const CONTENT: f32 = 0.5;

pub(super) fn of(blocks: &Blocks, probabilities: &[f32]) -> String {
    let mut out = String::new();
    let mut last = None;
    for (block, &probability) in blocks.blocks.iter().zip(probabilities) {
        if probability < CONTENT {
            continue;
        }
        match last {
            None => {}
            Some(paragraph) if paragraph == block.paragraph => out.push('\n'),
            Some(_) => out.push_str("\n\n"),
        }
        out.push_str(blocks.text_of(block));
        last = Some(block.paragraph);
    }
    out
}
