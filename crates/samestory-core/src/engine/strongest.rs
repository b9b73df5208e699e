//! Keeps the strongest relations of an article to earlier ones, evenly by source, as archives do.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::detectors::Kind;

/// A relation of one article, as it is ranked.
pub struct Ranked<'a, T> {
    pub kind: Kind,
    pub score: f64,
    /// The source of the other article.
    pub source: u64,
    /// The id of the other article, which settles ties.
    pub id: &'a str,
    pub value: T,
}

impl<T> Ranked<'_, T> {
    /// The closest kinds first, then the highest scores.
    fn compare(&self, other: &Self) -> Ordering {
        let kinds = closeness(self.kind).cmp(&closeness(other.kind));
        kinds.then_with(|| other.score.total_cmp(&self.score)).then_with(|| self.id.cmp(other.id))
    }
}

/// The place of a kind among all, from the closest dependency to the weakest.
fn closeness(kind: Kind) -> u8 {
    match kind {
        Kind::Identical => 0,
        Kind::Near => 1,
        Kind::Update => 2,
        Kind::PartOf => 3,
        Kind::HasPart => 4,
        Kind::SameEvent => 5,
        Kind::SharesText => 6,
        Kind::None => 7,
    }
}

/// At most `limit` values: the strongest of each source, then the second of each source, and so on.
pub fn strongest<T>(mut found: Vec<Ranked<'_, T>>, limit: usize) -> Vec<T> {
    if found.len() > limit {
        found.sort_by(Ranked::compare);
        let mut counts: HashMap<u64, u32> = HashMap::new();
        let places = found.into_iter().map(|each| {
            let place = counts.entry(each.source).or_default();
            *place += 1;
            (*place, each)
        });
        let mut ranked: Vec<_> = places.collect();
        // stable: within one place, the strength decides
        ranked.sort_by_key(|&(place, _)| place);
        found = ranked.into_iter().take(limit).map(|(_, each)| each).collect();
    }
    found.into_iter().map(|each| each.value).collect()
}
