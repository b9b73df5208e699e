//! Digital syntactic clustering with super-shingles: runs of neighbours in the sorted sketch, one of them in common.
//!
//! A single match decides, so each keeps 64 bits: a signature is a sorted set of them, two words each, the higher
//! first.

use super::api::{Article, Comparer, Detector, Kind, Overlap, Wants, Why};
use super::parameters::{Missing, Parameters};
use super::sketch::Sketch;
use crate::base::hash;
use crate::base::sorted::common;

const SEED: u64 = 7;

#[derive(Clone, Debug)]
pub struct DscSs {
    sketch: Sketch,
    neighbours: usize,
}

impl DscSs {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(DscSs { sketch: Sketch::from_parameters(parameters, 0)?, neighbours: parameters.count("super")? })
    }
}

impl Detector for DscSs {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let sketch: Vec<[u32; 2]> = self.sketch.fingerprints(article).into_iter().map(halves).collect();
        let width = self.neighbours.min(sketch.len()).max(1);
        let mut supers: Vec<u64> = sketch.windows(width).map(|run| hash::sequence(run.as_flattened(), SEED)).collect();
        supers.sort_unstable();
        supers.dedup();
        signature.extend(supers.into_iter().flat_map(halves));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.len() % 2 == 0 && wholes(signature).is_sorted_by(|x, y| x < y)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        keys.extend(wholes(signature));
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(OneInCommon::default())
    }
}

fn halves(value: u64) -> [u32; 2] {
    [(value >> 32) as u32, value as u32]
}

fn wholes(signature: &[u32]) -> impl Iterator<Item = u64> + '_ {
    signature.chunks_exact(2).map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1]))
}

/// Compares sorted sets of 64-bit values, of which one in common is enough.
#[derive(Default)]
struct OneInCommon {
    left: Vec<u64>,
    right: Vec<u64>,
}

impl Comparer for OneInCommon {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend(wholes(left));
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        self.right.clear();
        self.right.extend(wholes(right));
        let (left, right) = (&self.left, &self.right);
        if left.is_empty() && right.is_empty() {
            return Overlap::related(1.0, 1.0, Kind::Near, 1.0);
        }
        let common = common(left, right);
        if common == 0 {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        let (forward, backward) = (common as f64 / left.len() as f64, common as f64 / right.len() as f64);
        Overlap::related(forward, backward, Kind::Near, forward.max(backward))
    }
}
