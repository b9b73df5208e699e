//! Relations between articles, which are identified by numbers.

use super::kind::Overlap;

/// The overlap of an article, given by the context, with another.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub to: u32,
    pub overlap: Overlap,
}

#[derive(Clone, Copy, Debug)]
pub struct Relation {
    pub left: u32,
    pub right: u32,
    pub overlap: Overlap,
}

impl Relation {
    pub fn flipped(&self) -> Self {
        Relation { left: self.right, right: self.left, overlap: self.overlap.flipped() }
    }
}
