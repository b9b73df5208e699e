//! The grouping options of a job, and the rank of articles as bytes that can be compared in any task.

use crate::engine::population::Corpus;
use crate::engine::rank::Representative;
use crate::model::decisions::Decisions;
use crate::model::group::Method;

/// The order of representatives.
pub struct RankOrder {
    pub representative: Representative,
    /// Hashes of preferred sources, best first.
    pub preferred: Vec<u64>,
}

impl RankOrder {
    /// The rank of an article: bytes in the order of preference, the best first. They end with the id.
    pub fn rank(&self, corpus: &Corpus, article: u32) -> Vec<u8> {
        let header = corpus.rank(article as usize, self.representative, &self.preferred).to_be_bytes();
        [&header, corpus.id(article as usize).as_bytes()].concat()
    }
}

pub struct ExchangeOptions {
    pub method: Method,
    pub order: RankOrder,
    pub join_parts: bool,
    /// Decisions, as pairs of article numbers.
    pub same: Vec<(u64, u64)>,
    pub apart: Vec<(u64, u64)>,
}

impl ExchangeOptions {
    /// The decisions about the articles of a corpus.
    pub fn decisions(&self, corpus: &Corpus) -> Decisions {
        let rows = |pairs: &[(u64, u64)]| -> Vec<(u32, u32)> {
            let row = |&(one, other): &(u64, u64)| corpus.at_line(one).zip(corpus.at_line(other));
            pairs.iter().filter_map(row).collect()
        };
        let (same, mut apart) = (rows(&self.same), rows(&self.apart));
        if !self.apart.is_empty() {
            // where any decision keeps articles apart, links are ordered by rank, in all parts alike: so one about none
            apart.push((corpus.len() as u32, corpus.len() as u32));
        }
        Decisions::new(&same, &apart)
    }
}
