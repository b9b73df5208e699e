//! The minimum of a set under each of many permutations: the elements of min-hash sketches.

use crate::base::hash;

/// Permutations of the 32-bit numbers, x ↦ a·x + b with odd a.
#[derive(Clone, Debug)]
pub struct Permutations(Vec<(u32, u32)>);

const SEED: u64 = 42;

/// Number of permutations evaluated at a time, with their minima in registers.
const LANES: usize = 16;

impl Permutations {
    /// The first `count` of a fixed infinite sequence.
    pub fn new(count: usize) -> Self {
        let one = |i: u64| {
            let x = hash::mix(SEED.wrapping_add(i) ^ 0x9E37_79B9_7F4A_7C15, 0xE703_7ED1_A0B4_28DB ^ i);
            (x as u32 | 1, (x >> 32) as u32)
        };
        Permutations((0..count as u64).map(one).collect())
    }

    /// Appends the minimum of a set under each permutation.
    pub fn minima(&self, set: &[u32], out: &mut Vec<u32>) {
        for lanes in self.0.chunks(LANES) {
            let mut least = [u32::MAX; LANES];
            let mut factors = [(1u32, 0u32); LANES];
            factors[..lanes.len()].copy_from_slice(lanes);
            for &value in set {
                for (low, (a, b)) in least.iter_mut().zip(&factors) {
                    *low = (*low).min(value.wrapping_mul(*a).wrapping_add(*b));
                }
            }
            out.extend_from_slice(&least[..lanes.len()]);
        }
    }
}
