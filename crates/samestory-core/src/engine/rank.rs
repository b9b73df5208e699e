//! The rank order by which the representative of a group or story is selected. Defined here only.

use super::population::Corpus;
use crate::base::time::NO_TIME;

/// Which member represents its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representative {
    Longest,
    Earliest,
    Latest,
}

impl Representative {
    pub const NAMES: [&'static str; 3] = ["longest", "earliest", "latest"];

    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "longest" => Some(Representative::Longest),
            "earliest" => Some(Representative::Earliest),
            "latest" => Some(Representative::Latest),
            _ => None,
        }
    }
}

/// What decides which of several articles represents the others.
#[derive(Clone, Copy, Debug)]
pub struct RankKey<'a> {
    /// The place of its source among the preferred ones; larger than all of them for other sources.
    pub place: usize,
    /// Its length; where that is unknown, the number of its relations.
    pub words: u32,
    pub published: i64,
    /// Decides between articles that are equal otherwise. Without ids, the rank is the same for all of these.
    pub id: &'a str,
}

impl RankKey<'_> {
    /// The rank as a representative, by preferred source and then by the wanted property: the smaller, the better. Equal ranks
    /// are decided by the ids.
    pub fn rank(&self, representative: Representative) -> u128 {
        let by_length = u128::from(u32::MAX - self.words);
        // an unknown date is neither early nor late
        let published = Some(self.published).filter(|&published| published != NO_TIME);
        // as an unsigned number in the same order
        let by_date = |date: Option<i64>| u128::from(date.unwrap_or(i64::MAX) as u64 ^ 1 << 63);
        let rank = match representative {
            Representative::Longest => by_length << 64 | u128::from(id_prefix(self.id)),
            Representative::Earliest => by_date(published) << 32 | by_length,
            Representative::Latest => by_date(published.map(|p| -p)) << 32 | by_length,
        };
        (self.place as u128) << 96 | rank
    }
}

/// Articles, best representative first: by rank, then by id, so that the order of the input does not matter.
pub fn ranked<'a>(articles: usize, key: impl Fn(usize) -> RankKey<'a>, representative: Representative) -> Vec<u32> {
    // one number decides nearly every comparison; where it ends in a prefix of the id, hardly any id is looked up
    let mut keyed: Vec<_> = (0..articles).map(|article| (key(article).rank(representative), article as u32)).collect();
    let id = |article: u32| key(article as usize).id;
    keyed.sort_unstable_by(|x, y| x.0.cmp(&y.0).then_with(|| id(x.1).cmp(id(y.1))));
    keyed.into_iter().map(|(_, article)| article).collect()
}

impl Corpus {
    fn key(&self, article: usize, preferred: &[u64]) -> RankKey<'_> {
        let source = self.source(article);
        RankKey {
            place: preferred.iter().position(|&p| p == source).unwrap_or(preferred.len()),
            words: self.words(article),
            published: self.published(article),
            id: self.id(article),
        }
    }

    /// The rank of an article as a representative.
    pub fn rank(&self, article: usize, representative: Representative, preferred: &[u64]) -> u128 {
        self.key(article, preferred).rank(representative)
    }

    /// The articles, best representative first.
    pub fn ranked(&self, representative: Representative, preferred: &[u64]) -> Vec<u32> {
        ranked(self.len(), |article| self.key(article, preferred), representative)
    }

    /// The articles, best representative first; of equally good ones, the first in the input. Without a rule, only
    /// preferred sources come before others.
    pub fn ranked_by_input(&self, representative: Option<Representative>, preferred: &[u64]) -> Vec<u32> {
        let rank = |article: u32| {
            let key = RankKey { id: "", ..self.key(article as usize, preferred) };
            representative.map_or(key.place as u128, |rule| key.rank(rule))
        };
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_cached_key(|&article| rank(article));
        order
    }
}

/// The first eight bytes of an id, as a number in the same order.
fn id_prefix(id: &str) -> u64 {
    let mut bytes = [0u8; 8];
    let count = id.len().min(8);
    bytes[..count].copy_from_slice(&id.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}
