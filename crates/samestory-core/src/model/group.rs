//! Groups of articles.

use super::certificate::Outside;
use super::kind::{Kind, Overlap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Star,
    Components,
    Majority,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub representative: u32,
    /// The representative first, then the others in the order of the input.
    pub members: Vec<u32>,
    /// (left, right, overlap) of the weakest link that joins the group.
    pub weakest: Option<(u32, u32, Overlap)>,
    pub nearest: Option<(u32, Overlap, Outside)>,
    /// Joined by a decision.
    pub forced: bool,
}

/// Whether a relation of this kind joins two articles into one group.
pub fn joins(kind: Kind, also_parts: bool) -> bool {
    match kind {
        Kind::Identical | Kind::Near | Kind::Update | Kind::SameEvent => true,
        Kind::PartOf | Kind::HasPart => also_parts,
        Kind::SharesText | Kind::None => false,
    }
}
