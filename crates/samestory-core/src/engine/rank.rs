//! The rank order by which the representative of a group is selected. Defined here only.

use super::population::Corpus;
use crate::base::time::NO_TIME;

/// Which member represents its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representative {
    Longest,
    Earliest,
    Latest,
}

impl Corpus {
    /// The articles, best representative first: by preferred source, then by the policy, then by id, so that the order
    /// of the input does not matter.
    pub fn ranked(&self, policy: Representative, preferred: &[u64]) -> Vec<u32> {
        // one number decides nearly every comparison; where it ends in a prefix of the id, hardly any id is looked up
        let rank = |a: usize| {
            let source = self.source(a);
            let place = preferred.iter().position(|&p| p == source).unwrap_or(preferred.len());
            let by_length = u128::from(u32::MAX - self.words(a));
            // an unknown date is neither early nor late
            let published = Some(self.published(a)).filter(|&published| published != NO_TIME);
            // as an unsigned number in the same order
            let by_date = |date: Option<i64>| u128::from(date.unwrap_or(i64::MAX) as u64 ^ 1 << 63);
            let rank = match policy {
                Representative::Longest => by_length << 64 | u128::from(id_prefix(self.id(a))),
                Representative::Earliest => by_date(published) << 32 | by_length,
                Representative::Latest => by_date(published.map(|p| -p)) << 32 | by_length,
            };
            (place as u128) << 96 | rank
        };
        let mut keyed: Vec<_> = (0..self.len()).map(|a| (rank(a), a as u32)).collect();
        keyed.sort_unstable_by(|x, y| x.0.cmp(&y.0).then_with(|| self.id(x.1 as usize).cmp(self.id(y.1 as usize))));
        keyed.into_iter().map(|(_, a)| a).collect()
    }
}

/// The first eight bytes of an id, as a number in the same order.
fn id_prefix(id: &str) -> u64 {
    let mut bytes = [0u8; 8];
    let count = id.len().min(8);
    bytes[..count].copy_from_slice(&id.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}
