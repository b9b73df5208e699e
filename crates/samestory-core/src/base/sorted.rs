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

/// Bucket sort of values that are spread evenly between 0 and `max`: with roughly as many buckets as values, each value
/// is near its final position, and the insertion sort that follows is cheap.
pub fn sort_spread(values: &mut [u64], max: u64) {
    const BUCKETS: usize = 64;
    const MAX_VALUES: usize = 256;
    if values.len() > MAX_VALUES {
        return values.sort_unstable();
    }
    let step = max / BUCKETS as u64 + 1;
    let scale = u64::MAX / step; // a product instead of a division; the bucket only has to be monotonic in the value
    let bucket = |value: u64| (((u128::from(value) * u128::from(scale)) >> 64) as usize).min(BUCKETS - 1);
    let mut next = [0u16; BUCKETS + 1];
    for &value in values.iter() {
        next[bucket(value) + 1] += 1;
    }
    for i in 0..BUCKETS {
        next[i + 1] += next[i];
    }
    let mut bucketed = [0u64; MAX_VALUES];
    for &value in values.iter() {
        let at = &mut next[bucket(value)];
        bucketed[*at as usize] = value;
        *at += 1;
    }
    let bucketed = &bucketed[..values.len()];
    for (end, &value) in bucketed.iter().enumerate() {
        let mut at = end;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}
