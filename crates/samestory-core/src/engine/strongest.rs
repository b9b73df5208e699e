//! Keeps the strongest relations of an article to earlier ones, evenly by source, as archives and streams do.

use std::cmp::Ordering;

use crate::detectors::{Kind, Overlap};
use crate::engine::population::Corpus;
use crate::engine::postings::fair;
use crate::model::relation::Relation;

/// Kinds from the closest dependency to the weakest.
const CLOSEST_FIRST: [Kind; 7] =
    [Kind::Identical, Kind::Near, Kind::Update, Kind::PartOf, Kind::HasPart, Kind::SameEvent, Kind::SharesText];

/// A relation of one article to an earlier one, by what it is ranked by.
#[derive(Clone, Copy, Debug)]
pub struct EarlierRelation<'a> {
    pub kind: Kind,
    pub score: f64,
    /// The id of the earlier article, and the hash of its source.
    pub id: &'a str,
    pub source: u64,
}

impl EarlierRelation<'_> {
    /// The closest kinds first, then the highest scores, then the first ids.
    fn cmp_strength(&self, other: &Self) -> Ordering {
        let closeness = |kind: Kind| CLOSEST_FIRST.iter().position(|&each| each == kind);
        let kinds = closeness(self.kind).cmp(&closeness(other.kind));
        kinds.then_with(|| other.score.total_cmp(&self.score)).then_with(|| self.id.cmp(other.id))
    }
}

/// The positions, in ascending order, of at most `limit` of the relations of one article: the strongest of each source,
/// then the second of each source, and so on. In O(n log n).
pub fn strongest(found: &[EarlierRelation], limit: usize) -> Vec<usize> {
    let mut by_strength: Vec<usize> = (0..found.len()).collect();
    if found.len() > limit {
        by_strength.sort_by(|&one, &other| found[one].cmp_strength(&found[other]));
        let mut ranked: Vec<(u64, usize)> = (0..).zip(by_strength).collect();
        fair::keep(&mut ranked, limit, |&(_, at)| found[at].source, |&(rank, _)| rank);
        by_strength = ranked.into_iter().map(|(_, at)| at).collect();
        by_strength.sort_unstable();
    }
    by_strength
}

/// The strongest of the relations of one article of a corpus.
pub fn strongest_of(corpus: &Corpus, found: &[Relation], limit: usize) -> Vec<Relation> {
    let ranked = |relation: &Relation| {
        let earlier = relation.left.min(relation.right) as usize;
        let Overlap { kind, score, .. } = relation.overlap;
        EarlierRelation { kind, score, id: corpus.id(earlier), source: corpus.source(earlier) }
    };
    strongest(&found.iter().map(ranked).collect::<Vec<_>>(), limit).into_iter().map(|at| found[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_of_every_source_come_first() {
        let relation = |kind, score, id, source| EarlierRelation { kind, score, id, source };
        let found = [
            relation(Kind::SharesText, 0.9, "a", 1),
            relation(Kind::Near, 0.5, "b", 1),
            relation(Kind::Near, 0.6, "c", 1),
            relation(Kind::SharesText, 0.1, "d", 2),
            relation(Kind::Near, 0.6, "0", 1),
        ];
        assert_eq!(strongest(&found, 5), [0, 1, 2, 3, 4]);
        assert_eq!(strongest(&found, 2), [3, 4]);
        assert_eq!(strongest(&found, 3), [2, 3, 4]);
        assert_eq!(strongest(&found, 4), [1, 2, 3, 4]);
        assert_eq!(strongest(&found[..0], 1), [0; 0]);
    }
}
