//! Keeps the strongest relations of an article to earlier ones, evenly by source, as archives do.

use std::cmp::Ordering;

use crate::detectors::Kind;
use crate::engine::population::Corpus;
use crate::engine::postings::fair;
use crate::model::relation::Relation;

/// Kinds from the closest dependency to the weakest.
const CLOSEST_FIRST: [Kind; 7] =
    [Kind::Identical, Kind::Near, Kind::Update, Kind::PartOf, Kind::HasPart, Kind::SameEvent, Kind::SharesText];

/// At most `limit` of the relations of one article: the strongest of each source, then the second of each source, and
/// so on. The closest kinds are the strongest, then the highest scores.
pub fn strongest(corpus: &Corpus, mut found: Vec<Relation>, limit: usize) -> impl Iterator<Item = Relation> {
    let closeness = |relation: &Relation| CLOSEST_FIRST.iter().position(|&kind| kind == relation.overlap.kind);
    let earlier = |relation: &Relation| relation.left.min(relation.right) as usize;
    let by_strength = |one: &Relation, other: &Relation| -> Ordering {
        let kinds = closeness(one).cmp(&closeness(other));
        let scores = || other.overlap.score.total_cmp(&one.overlap.score);
        kinds.then_with(scores).then_with(|| corpus.id(earlier(one)).cmp(corpus.id(earlier(other))))
    };
    found.sort_by(by_strength);
    let mut ranked: Vec<(u64, Relation)> = (0..).zip(found).collect();
    fair::keep(&mut ranked, limit, |(_, relation)| corpus.source(earlier(relation)), |&(rank, _)| rank);
    ranked.into_iter().map(|(_, relation)| relation)
}
