//! Rules of our own, without a model: running text in and near the element that holds most of it.
//!
//! A block is content if it reads like running text (long, few links) and lies in the element that holds most running
//! text, or if it is short but stands between such blocks in the same place: a subheading, a line of a quotation.
//! Nothing in navigation, footers, asides, forms or buttons is.

use super::super::blocks::Blocks;
use super::super::blocks::{Block, INSIDE};
use super::surroundings::Surroundings;

/// A block must be surer than this to be content; what rules say is either well below or well above.
const NO: f32 = 0.1;
const YES: f32 = 0.9;
/// Between two blocks of content that are at most so far apart, short blocks are content too.
const GAP: usize = 4;

pub(super) fn label(blocks: &Blocks) -> Vec<f32> {
    let page = Surroundings::new(blocks);
    let sure: Vec<bool> = (0..blocks.blocks.len()).map(|at| is_sure(&page, at)).collect();
    let mut out: Vec<f32> = sure.iter().map(|&sure| if sure { YES } else { NO }).collect();
    let mut last = None;
    for at in (0..sure.len()).filter(|&at| sure[at]) {
        let between = last.map_or(at..at, |last: usize| last + 1..at);
        if between.len() <= GAP {
            between.filter(|&at| may_stand_between(&page, at)).for_each(|at| out[at] = YES);
        }
        last = Some(at);
    }
    out
}

/// Running text, in the right place.
fn is_sure(page: &Surroundings, at: usize) -> bool {
    let block = &page.blocks.blocks[at];
    let (apart, above) = page.best.of(page.hosts[at]);
    let near = above == 0 && apart <= 4 || above <= 1 && page.alike(at) >= 0.1;
    page.is_plain(block) && !is_furniture(block) && (near || page.half.of(page.hosts[at]).1 == 0)
}

/// Short text inside the best element that is no list of links.
fn may_stand_between(page: &Surroundings, at: usize) -> bool {
    let block = &page.blocks.blocks[at];
    let (apart, above) = page.half.of(page.hosts[at]);
    above == 0 && apart <= 3 && !is_furniture(block) && block.tokens > 0 && 2 * block.linked <= block.tokens
}

fn is_furniture(block: &Block) -> bool {
    const FURNITURE: [&str; 7] = ["header", "footer", "nav", "aside", "figure", "form", "button"];
    let bits = INSIDE.iter().enumerate().filter(|(_, name)| FURNITURE.contains(name));
    bits.fold(0, |bits, (bit, _)| bits | 1 << bit) & block.inside != 0
}
