//! Pairs of articles with how often they met, dealt into parts by the first of the two.

use super::{part_of, put, Broken, Parcel};

/// Pairs in columns, sorted: the smaller number, the larger one, how often they met, the fewer keys of the two.
#[derive(Default)]
pub struct Pairs {
    pub left: Vec<u64>,
    pub right: Vec<u64>,
    pub counts: Vec<u32>,
    pub fewer: Vec<u32>,
}

/// A parcel for every part.
pub fn deal(pairs: &[(u64, u64)], counts: &[u32], fewer: &[u32], parts: usize) -> Vec<Vec<u8>> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_unstable_by_key(|&at| pairs[at]);
    let mut out = vec![vec![]; parts];
    let mut last = vec![(0u64, 0u64); parts];
    for at in order {
        let (left, right) = pairs[at];
        let part = part_of(left, parts);
        let (parcel, (before, beside)) = (&mut out[part], &mut last[part]);
        // behind the same article the others ascend; a new one begins with where it stands itself
        let moved = left - std::mem::replace(before, left);
        let from = if moved == 0 { *beside } else { left };
        *beside = right;
        put(parcel, moved);
        put(parcel, right - from);
        put(parcel, counts[at].into());
        put(parcel, fewer[at].into());
    }
    out
}

/// The pairs of several parcels, those that are the same added up.
pub fn add(parcels: &[&[u8]]) -> Result<Pairs, Broken> {
    let mut all: Vec<(u64, u64, u32, u32)> = vec![];
    for parcel in parcels {
        let mut parcel = Parcel(parcel);
        let (mut left, mut beside) = (0u64, 0u64);
        while !parcel.is_empty() {
            let moved = parcel.number()?;
            left = left.checked_add(moved).ok_or(Broken)?;
            let from = if moved == 0 { beside } else { left };
            beside = from.checked_add(parcel.number()?).ok_or(Broken)?;
            all.push((left, beside, parcel.number()? as u32, parcel.number()? as u32));
        }
    }
    all.sort_unstable();
    let mut out = Pairs::default();
    for (left, right, count, fewer) in all {
        if out.left.last() == Some(&left) && out.right.last() == Some(&right) {
            if let Some(sum) = out.counts.last_mut() {
                *sum = sum.saturating_add(count);
            }
            continue;
        }
        out.left.push(left);
        out.right.push(right);
        out.counts.push(count);
        out.fewer.push(fewer);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dealt_is_added_up() {
        let pairs = [(7, 9), (0, 3), (7, 8), (1 << 62, (1 << 62) + 5), (0, 1 << 40)];
        let one = deal(&pairs, &[1, 2, 3, 4, 5], &[9, 9, 8, 7, 6], 3);
        let other = deal(&pairs[..2], &[10, 20], &[9, 9], 3);
        let mut sums = std::collections::BTreeMap::new();
        for part in 0..3 {
            let found = add(&[&one[part], &other[part]]).unwrap();
            for at in 0..found.left.len() {
                sums.insert((found.left[at], found.right[at]), (found.counts[at], found.fewer[at]));
            }
        }
        let wanted = [((0, 3), (22, 9)), ((0, 1 << 40), (5, 6)), ((7, 8), (3, 8)), ((7, 9), (11, 9))];
        assert_eq!(sums.len(), 5);
        assert!(wanted.iter().all(|(pair, sum)| sums[pair] == *sum));
        assert!(add(&[&[0x80]]).is_err());
    }
}
