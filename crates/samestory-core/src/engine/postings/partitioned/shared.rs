//! The exact number of keys that two articles share, counted where the keys of both are available.

use super::buffer::hashed;

/// Whether the hash of a key is one of some hashes, which are sorted.
pub fn is_among(key: u64, hashes: &[u64]) -> bool {
    hashes.binary_search(&hashed(key)).is_ok()
}

/// For every pair of rows the number of keys in both, without those that were too common. Row `at` of the keys ends at
/// `ends[at]`; `skipped` are hashes, sorted.
pub fn shared(keys: &[u64], ends: &[usize], pairs: &[(usize, usize)], skipped: &[u64]) -> Vec<u32> {
    let mut sorted: Vec<u64> = Vec::with_capacity(keys.len());
    let mut bounds = vec![0];
    let mut begin = 0;
    for &end in ends {
        let first = sorted.len();
        sorted.extend(keys[begin..end].iter().filter(|&&key| !is_among(key, skipped)));
        sorted[first..].sort_unstable();
        bounds.push(sorted.len());
        begin = end;
    }
    let row = |at: usize| &sorted[bounds[at]..bounds[at + 1]];
    pairs.iter().map(|&(left, right)| crate::base::sorted::common(row(left), row(right)) as u32).collect()
}
