//! A duplicate class of a live index, and its relations to other classes.

use crate::base::hash;
use crate::base::small_list::SmallList;
use crate::engine::postings::live::ClassAbout;

/// A score of 1.0 in fixed point: fine enough to distinguish scores, and the sum over a hundred thousand copies of one
/// article related to as many of another fits in 64 bits.
pub const ONE: f64 = (1u32 << 24) as f64;

/// A related duplicate class and its score. If `REVISIONS_ONLY` is set, only articles of the same source and of
/// different times within hours are related: one is a revision of the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    pub to: u32,
    /// The score in fixed point; the highest bit is `REVISIONS_ONLY`.
    pub(super) packed_score: u32,
}

pub(super) const REVISIONS_ONLY: u32 = 1 << 31;

impl Neighbour {
    pub fn new(to: u32, score: f64) -> Self {
        Neighbour { to, packed_score: (score * ONE).round() as u32 }
    }

    pub fn score(self) -> u32 {
        self.packed_score & !REVISIONS_ONLY
    }
}

pub struct DuplicateClass {
    pub signature: Box<[u32]>,
    /// Start of its time interval; NO_TIME for articles without a known time.
    pub(super) start: i64,
    /// The cluster it belongs to, if the index has clusters.
    pub cluster: u32,
    /// Publication time and source of its articles, sorted; an empty class has none.
    pub(super) articles: SmallList<(i64, u64)>,
}

impl DuplicateClass {
    pub fn size(&self) -> u32 {
        self.articles().len() as u32
    }

    pub(super) fn articles(&self) -> &[(i64, u64)] {
        self.articles.as_slice()
    }
    /// What a fair sample of a long posting list must know about the class.
    pub(super) fn about(&self) -> ClassAbout {
        let source = self.articles().first().map_or(0, |&(_, source)| source);
        ClassAbout { source, rank: class_hash(&self.signature, self.start), time: self.start }
    }

    /// The same; None for an empty class.
    pub(super) fn sampled_about(&self) -> Option<ClassAbout> {
        (self.size() > 0).then(|| self.about())
    }
}

/// Hash of the signature and the interval start, which all articles of a class share.
pub(super) fn class_hash(signature: &[u32], start: i64) -> u64 {
    hash::sequence(signature, hash::numbered(0, start as u64))
}
