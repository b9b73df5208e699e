//! The text of the content: an empty line between paragraphs, a line for every block of one.

use super::super::blocks::Blocks;

/// From this probability on a block is content.
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
