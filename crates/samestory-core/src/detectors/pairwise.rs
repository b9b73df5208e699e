//! The comparer of detectors that compare two signatures as they are: no tables of the left one.

use super::api::{Comparer, Overlap};

struct Pairwise<F> {
    left: Vec<u32>,
    compare: F,
}

/// A comparer by a function of the left and the right signature.
pub fn comparer<'a>(compare: impl FnMut(&[u32], &[u32]) -> Overlap + Send + 'a) -> Box<dyn Comparer + 'a> {
    Box::new(Pairwise { left: vec![], compare })
}

impl<F: FnMut(&[u32], &[u32]) -> Overlap + Send> Comparer for Pairwise<F> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        (self.compare)(&self.left, right)
    }
}
