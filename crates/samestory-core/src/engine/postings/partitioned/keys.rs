//! Keys of articles, packed for the parts of their hashes, where the articles of each key are collected.

use super::buffer::{first_of, hashed, part_of_hash, put, BufferReader, CorruptBuffer, BITS};

/// Bytes per key of a part, stored as the distance from the part's first hash.
fn width(parts: usize) -> usize {
    let max_distance = (1u64 << BITS).div_ceil(parts as u64);
    (64 - max_distance.leading_zeros() as usize).div_ceil(8)
}

/// The keys of articles, in the order of their numbers, a buffer for every part. Row `at` of the keys ends at
/// `ends[at]`; `quorums` are the required overlaps, `shared` marks keys that may occur elsewhere: no others are sent.
pub fn pack(
    numbers: &[u64],
    keys: &[u64],
    ends: &[usize],
    quorums: &[u8],
    shared: &[bool],
    parts: usize,
) -> Vec<Vec<u8>> {
    let width = width(parts);
    let (mut out, mut last) = (vec![vec![]; parts], vec![0u64; parts]);
    let mut row: Vec<u64> = vec![];
    let mut begin = 0;
    for ((&number, &end), &quorum) in numbers.iter().zip(ends).zip(quorums) {
        row.clear();
        let own = keys[begin..end].iter().zip(&shared[begin..end]);
        row.extend(own.filter(|(_, &shared)| shared).map(|(&key, _)| hashed(key)));
        begin = end;
        row.sort_unstable();
        row.dedup(); // two keys of an article may have the same 48 bits
        let mut rest = &row[..];
        while let Some(&first) = rest.first() {
            let part = part_of_hash(first, BITS, parts);
            let here = rest.partition_point(|&hash| part_of_hash(hash, BITS, parts) == part);
            let buffer = &mut out[part];
            put(buffer, number.wrapping_sub(std::mem::replace(&mut last[part], number)));
            buffer.push(quorum);
            put(buffer, here as u64);
            for hash in &rest[..here] {
                buffer.extend_from_slice(&(hash - first_of(part, BITS, parts)).to_le_bytes()[..width]);
            }
            rest = &rest[here..];
        }
    }
    out
}

/// The keys of a part with the articles that have them.
pub(super) struct Keys {
    /// Number and quorum of the articles, in the order of their numbers.
    pub articles: Vec<(u64, u8)>,
    /// Hash and article of the keys, sorted.
    pub keys: Vec<(u64, u32)>,
}

pub(super) fn unpack(buffers: &[&[u8]], part: usize, parts: usize) -> Result<Keys, CorruptBuffer> {
    let (width, first) = (width(parts), first_of(part, BITS, parts));
    let (mut articles, mut keys) = (vec![], vec![]);
    for buffer in buffers {
        let mut buffer = BufferReader(buffer);
        let mut number = 0u64;
        while !buffer.is_empty() {
            number = number.wrapping_add(buffer.number()?);
            let quorum = buffer.wide(1)? as u8;
            for _ in 0..buffer.number()? {
                keys.push((first + buffer.wide(width)?, articles.len() as u32));
            }
            articles.push((number, quorum));
        }
    }
    // buffers are read partition by partition, so article numbers need not ascend
    let mut order: Vec<u32> = (0..articles.len() as u32).collect();
    order.sort_by_key(|&at| articles[at as usize].0);
    let mut place = vec![0; order.len()];
    (0..).zip(&order).for_each(|(at, &from)| place[from as usize] = at);
    keys.iter_mut().for_each(|key| key.1 = place[key.1 as usize]);
    keys.sort_unstable();
    Ok(Keys { articles: order.iter().map(|&at| articles[at as usize]).collect(), keys })
}
