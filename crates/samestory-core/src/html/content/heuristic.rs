//! The baseline: every block is content; blocks never contain script and style.

use super::super::blocks::Blocks;

pub(super) fn label(blocks: &Blocks) -> Vec<f32> {
    vec![1.0; blocks.blocks.len()]
}
