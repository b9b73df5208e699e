//! Keys and comparison for detectors whose signature is one digest: equal or not.

use super::api::{Comparer, Kind, Overlap, Why};
use super::pairwise;

/// Appends the key of a digest, its first 64 bits.
pub fn keys(signature: &[u32], keys: &mut Vec<u64>) {
    if let [low, high, ..] = signature {
        keys.push(u64::from(*low) | u64::from(*high) << 32);
    }
}

/// Compares digests: equal ones are of this kind.
pub fn comparer(kind: Kind) -> Box<dyn Comparer> {
    pairwise::comparer(move |left, right| match left == right {
        true => Overlap::related(1.0, 1.0, kind, 1.0),
        false => Overlap::apart(0.0, 0.0, Why::Apart),
    })
}
