//! What detectors share whose signature is a set: sorted 32-bit hashes, compared by what they have in common.
//!
//! Two hashes of different features meet once in four thousand million pairs, and never decide alone.

use super::api::{Comparer, Kind, Overlap, Why};
use crate::base::hash;
use crate::base::sorted::common;

/// Files an article under every value of its set.
pub fn keys(set: &[u32], keys: &mut Vec<u64>) {
    keys.extend(set.iter().map(|&value| key(value)));
}

/// A value as a key: its bits spread, since keys are dealt out by some of them.
pub fn key(value: u32) -> u64 {
    hash::numbered(0, u64::from(value))
}

/// The least whole number that reaches a share of so many; rounding errors do not add one.
pub fn reaching(share: f64, of: usize) -> usize {
    ((share * of as f64) - 1e-9).ceil().max(0.0) as usize
}

/// Of two sets filed under all their values: how many must be shared for a share of the smaller one. Whatever reaches the
/// share of either set shares so many, since the smaller set has no more values than that one.
pub fn quorum(share: f64, fewer: usize) -> usize {
    reaching(share, fewer).clamp(1, fewer.max(1))
}

/// How many of a set's values, the first in an order that holds for all sets, must be keys so that no two sets with a
/// resemblance of `share` miss each other: they have at least `share * n` values in common, which n - share * n values
/// cannot all avoid (Chaudhuri et al. 2006, the prefix filter).
pub fn prefix(share: f64, values: usize) -> usize {
    (values + 1 - reaching(share, values).max(1)).min(values)
}

/// Files an article under the prefix of its set, the smallest values first.
pub fn prefix_keys(share: f64, set: &[u32], keys: &mut Vec<u64>) {
    self::keys(&set[..prefix(share, set.len())], keys);
}

/// Can two sets that have so many values of their prefixes in common have a resemblance of `share`? Up to the end of the
/// prefix that ends first both are known; behind it they have at most what the one with less left has (Xiao et al. 2008,
/// the filter by position).
pub fn may_resemble(share: f64, left: &[u32], right: &[u32], common: usize) -> bool {
    let ends = (prefix(share, left.len()), prefix(share, right.len()));
    if ends.0 == 0 || ends.1 == 0 {
        return false;
    }
    let last = left[ends.0 - 1].min(right[ends.1 - 1]);
    let behind = |set: &[u32]| set.len() - set.partition_point(|&value| value <= last);
    let most = common + behind(left).min(behind(right));
    most >= reaching(share / (1.0 + share), left.len() + right.len())
}

/// What two sets mean to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One holds a share of the other.
    Contains,
    /// They share a share of what both have (Jaccard).
    Resembles,
}

/// Compares signatures that are sorted sets.
pub struct Sets {
    rule: Rule,
    threshold: f64,
    left: Vec<u32>,
}

impl Sets {
    pub fn comparer(rule: Rule, threshold: f64) -> Box<dyn Comparer> {
        Box::new(Sets { rule, threshold, left: vec![] })
    }
}

impl Comparer for Sets {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        decide(self.rule, self.threshold, common(&self.left, right), self.left.len(), right.len())
    }
}

/// The relation of two sets of which so many values are common. Two empty sets are alike, but never meet.
pub fn decide(rule: Rule, threshold: f64, common: usize, left: usize, right: usize) -> Overlap {
    if let Some(known) = Overlap::without(left == 0, right == 0) {
        return known;
    }
    let (forward, backward) = (common as f64 / left as f64, common as f64 / right as f64);
    match rule {
        Rule::Contains => contains(forward, backward, threshold),
        Rule::Resembles => {
            let resemblance = common as f64 / (left + right - common) as f64;
            if resemblance >= threshold {
                Overlap::related(forward, backward, Kind::Near, resemblance)
            } else {
                Overlap::apart(forward, backward, Why::Apart)
            }
        }
    }
}

/// Each holds the other: near; one holds the other: a part and its whole.
pub fn contains(forward: f64, backward: f64, threshold: f64) -> Overlap {
    holding(forward, backward, |share| share >= threshold)
}

/// The same, where something else decides whether a share is enough.
pub fn holding(forward: f64, backward: f64, enough: impl Fn(f64) -> bool) -> Overlap {
    let kind = match (enough(forward), enough(backward)) {
        (true, true) => Kind::Near,
        (true, false) => Kind::PartOf,
        (false, true) => Kind::HasPart,
        (false, false) => return Overlap::apart(forward, backward, Why::Apart),
    };
    Overlap::related(forward, backward, kind, forward.max(backward))
}
