//! Keys and comparison for detectors whose signature is a set: sorted 32-bit hashes, compared by their intersection.
//!
//! Two hashes of different features collide once in four thousand million pairs, and one hash never decides alone.

use super::api::{Comparer, Kind, Overlap, Why};
use super::pairwise;
use super::plan::CandidatePlan;
use super::plan_parts::Quorum;
use crate::base::hash;
use crate::base::sorted::common;

/// Appends every value of the set as a key.
pub fn keys(set: &[u32], keys: &mut Vec<u64>) {
    keys.extend(set.iter().map(|&value| key(value)));
}

/// Whether a row is a sorted set.
pub fn is_set(row: &[u32]) -> bool {
    row.is_sorted_by(|x, y| x < y)
}

/// A value as a key: its bits are mixed, since some of them select the partition of a key.
pub fn key(value: u32) -> u64 {
    hash::numbered(0, u64::from(value))
}

/// The smallest integer that reaches a share of `of`; rounding errors do not add one.
pub fn reaching(share: f64, of: usize) -> usize {
    ((share * of as f64) - 1e-9).ceil().max(0.0) as usize
}

/// For sets whose keys are all their values: how many values a share of the smaller set requires in common. A pair that
/// reaches the share of either set has that many in common, since the smaller set has no more values than either.
pub fn quorum(share: f64, fewer: usize) -> usize {
    reaching(share, fewer).clamp(1, fewer.max(1))
}

/// The quorum of a share of the keys.
pub fn share(share: f64) -> Quorum {
    Quorum::new(move |keys| quorum(share, keys))
}

/// Candidates share this share of the keys of the article with fewer.
pub fn plan(share: f64) -> CandidatePlan {
    CandidatePlan::with_quorum(self::share(share))
}

/// How many of a set's values, the first in an order common to all sets, must be keys so that any two sets with a
/// resemblance of `share` are candidates: they have at least `share * n` values in common, which n - share * n values
/// cannot all avoid (Chaudhuri et al. 2006, the prefix filter).
pub fn prefix(share: f64, values: usize) -> usize {
    (values + 1 - reaching(share, values).max(1)).min(values)
}

/// Appends the prefix of the set as keys, the smallest values first.
pub fn prefix_keys(share: f64, set: &[u32], keys: &mut Vec<u64>) {
    self::keys(&set[..prefix(share, set.len())], keys);
}

/// Whether two sets with `common` shared values in their prefixes can have a resemblance of `share`. Up to the end of
/// the prefix that ends first, the overlap is known; behind it, it is at most the smaller number of remaining values
/// (Xiao et al. 2008, the positional filter).
pub fn may_resemble(share: f64, left: &[u32], right: &[u32], common: usize) -> bool {
    let ends = (prefix(share, left.len()), prefix(share, right.len()));
    if ends.0 == 0 || ends.1 == 0 {
        return false;
    }
    let last = left[ends.0 - 1].min(right[ends.1 - 1]);
    let behind = |set: &[u32]| set.len() - set.partition_point(|&value| value <= last);
    let max_common = common + behind(left).min(behind(right));
    max_common >= reaching(share / (1.0 + share), left.len() + right.len())
}

/// How the overlap of two sets becomes a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One contains a share of the other.
    Contains,
    /// Their intersection is a share of their union (Jaccard).
    Resembles,
}

/// Compares signatures that are sorted sets.
pub fn comparer(rule: Rule, threshold: f64) -> Box<dyn Comparer> {
    pairwise::comparer(move |left, right| decide(rule, threshold, common(left, right), left.len(), right.len()))
}

/// The relation of two sets with `common` shared values. Two empty sets are equal, but never candidates.
pub fn decide(rule: Rule, threshold: f64, common: usize, left: usize, right: usize) -> Overlap {
    if let Some(known) = Overlap::without(left == 0, right == 0) {
        return known;
    }
    // terms that a damaged signature repeats are counted more than once
    let common = common.min(left).min(right);
    let (forward, backward) = (common as f64 / left as f64, common as f64 / right as f64);
    match rule {
        Rule::Contains => contains(forward, backward, threshold),
        Rule::Resembles => {
            let resemblance = common as f64 / (left + right - common) as f64;
            Overlap::near_if(resemblance >= threshold, forward, backward, resemblance)
        }
    }
}

/// Each contains the other: near; one contains the other: container and contained.
pub fn contains(forward: f64, backward: f64, threshold: f64) -> Overlap {
    holding(forward, backward, |share| share >= threshold)
}

/// The same, with a function that decides whether a share is enough.
pub fn holding(forward: f64, backward: f64, enough: impl Fn(f64) -> bool) -> Overlap {
    let kind = match (enough(forward), enough(backward)) {
        (true, true) => Kind::Near,
        (true, false) => Kind::PartOf,
        (false, true) => Kind::HasPart,
        (false, false) => return Overlap::apart(forward, backward, Why::Apart),
    };
    Overlap::related(forward, backward, kind, forward.max(backward))
}
