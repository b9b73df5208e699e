//! Relations between articles, which are numbers here.

use super::kind::Overlap;

/// What one article has to do with another.
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
