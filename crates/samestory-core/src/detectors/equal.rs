//! Keys and comparison for detectors whose signature is one digest: equal or not.

use super::api::{Comparer, Kind, Overlap, Why};

pub struct Equal {
    kind: Kind,
    left: Vec<u32>,
}

impl Equal {
    pub fn comparer(kind: Kind) -> Box<dyn Comparer> {
        Box::new(Equal { kind, left: vec![] })
    }

    /// The key is the first 64 bits of the digest.
    pub fn keys(signature: &[u32], keys: &mut Vec<u64>) {
        if let [low, high, ..] = signature {
            keys.push(u64::from(*low) | u64::from(*high) << 32);
        }
    }
}

impl Comparer for Equal {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if self.left == right {
            Overlap::related(1.0, 1.0, self.kind, 1.0)
        } else {
            Overlap::apart(0.0, 0.0, Why::Apart)
        }
    }
}
