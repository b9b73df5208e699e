//! Sorted slices.

/// How many values two sorted sets share.
pub fn common<T: Copy + Ord>(left: &[T], right: &[T]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0usize);
    while i < left.len() && j < right.len() {
        let (x, y) = (left[i], right[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// The distinct values, sorted.
pub fn sorted(mut values: Vec<u32>) -> Vec<u32> {
    values.sort_unstable();
    values.dedup();
    values
}
