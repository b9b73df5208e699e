//! Rules of our own, without a model: running text in and near the element that contains most of it.
//!
//! A block is content if it resembles running text (long, few links) and is in the element that contains most running
//! text, or if it is short but between such blocks in the same place: a subheading, a line of a quotation.
//! Blocks in navigation, footers, asides, forms or buttons are not content.

use super::super::blocks::Blocks;
use super::super::blocks::{Block, INSIDE};
use super::surroundings::Surroundings;

/// The probabilities of rejected and of accepted blocks: well below and well above the threshold.
const REJECTED: f32 = 0.1;
const ACCEPTED: f32 = 0.9;
/// Short blocks between two content blocks are content too, if there are at most this many.
const MAX_GAP_BLOCKS: usize = 4;

pub(super) fn label(blocks: &Blocks) -> Vec<f32> {
    let page = Surroundings::new(blocks);
    let sure: Vec<bool> = (0..blocks.blocks.len()).map(|at| is_sure(&page, at)).collect();
    let mut out: Vec<f32> = sure.iter().map(|&sure| if sure { ACCEPTED } else { REJECTED }).collect();
    let mut last = None;
    for at in (0..sure.len()).filter(|&at| sure[at]) {
        let between = last.map_or(at..at, |last: usize| last + 1..at);
        if between.len() <= MAX_GAP_BLOCKS {
            between.filter(|&at| may_fill_gap(&page, at)).for_each(|at| out[at] = ACCEPTED);
        }
        last = Some(at);
    }
    out
}

/// Whether a block is running text in or near the best element.
fn is_sure(page: &Surroundings, at: usize) -> bool {
    let block = &page.blocks.blocks[at];
    let (apart, above) = page.best.of(page.hosts[at]);
    let near = above == 0 && apart <= 4 || above <= 1 && page.alike(at) >= 0.1;
    page.is_plain(block) && !is_boilerplate(block) && (near || page.half.of(page.hosts[at]).1 == 0)
}

/// Whether a block is short text near the best element and not a list of links.
fn may_fill_gap(page: &Surroundings, at: usize) -> bool {
    let block = &page.blocks.blocks[at];
    let (apart, above) = page.half.of(page.hosts[at]);
    above == 0 && apart <= 3 && !is_boilerplate(block) && block.tokens > 0 && 2 * block.linked <= block.tokens
}

fn is_boilerplate(block: &Block) -> bool {
    const BOILERPLATE: [&str; 7] = ["header", "footer", "nav", "aside", "figure", "form", "button"];
    let bits = INSIDE.iter().enumerate().filter(|(_, name)| BOILERPLATE.contains(name));
    bits.fold(0, |bits, (bit, _)| bits | 1 << bit) & block.inside != 0
}
