//! Packed signatures: rows of words, of which the frequent ones are written as their rank in the buffer.
//!
//! A text is a few hundred words of which most are frequent. Written by rank, half of them are one byte, and since
//! first bytes, second bytes and whole words are stored separately, a compressor can exploit the skew of each.

use super::buffer::{put, BufferReader, CorruptBuffer};
use crate::base::hash::Hashed;

/// First bytes below this are ranks; from here on, with a second byte, the ranks that follow.
const ONE_BYTE_RANKS: usize = 192;
/// The first byte of a rank with two more bytes, and that of a word without a rank.
const THREE_BYTE_MARK: u8 = 254;
const WHOLE_WORD_MARK: u8 = 255;
/// The ends of the ranks of two and of three bytes.
const TWO_BYTE_RANKS_END: usize = ONE_BYTE_RANKS + ((THREE_BYTE_MARK as usize - ONE_BYTE_RANKS) << 8);
const THREE_BYTE_RANKS_END: usize = TWO_BYTE_RANKS_END + (1 << 16);

/// A word as a map key; the map uses the upper bits too.
fn map_key(word: u32) -> u64 {
    u64::from(word) << 32 | u64::from(word)
}

/// Rows of words as one buffer; row `at` ends at `ends[at]`.
pub fn pack_words(words: &[u32], ends: &[usize]) -> Vec<u8> {
    let mut counts: Hashed<u32> = Hashed::default();
    for &word in words {
        *counts.entry(map_key(word)).or_default() += 1;
    }
    let mut frequent: Vec<(u32, u32)> =
        counts.iter().filter(|(_, &count)| count > 1).map(|(&word, &count)| (count, word as u32)).collect();
    frequent.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
    frequent.truncate(THREE_BYTE_RANKS_END);
    // equally frequent words ascend: their distances are smaller than the words
    let mut out = vec![];
    put(&mut out, frequent.len() as u64);
    let mut last = 0u32;
    for &(_, word) in &frequent {
        put(&mut out, u64::from(word.wrapping_sub(std::mem::replace(&mut last, word))));
    }
    let ranks: Hashed<u32> = frequent.iter().zip(0..).map(|(&(_, word), rank)| (map_key(word), rank)).collect();
    put(&mut out, ends.len() as u64);
    let mut begin = 0;
    for &end in ends {
        put(&mut out, (end - begin) as u64);
        begin = end;
    }
    let (mut first, mut second, mut whole) = (Vec::with_capacity(words.len()), vec![], vec![]);
    for &word in words {
        match ranks.get(&map_key(word)).map(|&rank| rank as usize) {
            Some(rank) if rank < ONE_BYTE_RANKS => first.push(rank as u8),
            Some(rank) if rank < TWO_BYTE_RANKS_END => {
                first.push((ONE_BYTE_RANKS + ((rank - ONE_BYTE_RANKS) >> 8)) as u8);
                second.push((rank - ONE_BYTE_RANKS) as u8);
            }
            Some(rank) => {
                first.push(THREE_BYTE_MARK);
                second.extend_from_slice(&((rank - TWO_BYTE_RANKS_END) as u16).to_le_bytes());
            }
            None => {
                first.push(WHOLE_WORD_MARK);
                whole.extend_from_slice(&word.to_le_bytes());
            }
        }
    }
    put(&mut out, second.len() as u64);
    [first, second, whole].iter().for_each(|plane| out.extend_from_slice(plane));
    out
}

/// The rows of a buffer: words, and where each row ends.
pub fn unpack_words(buffer: &[u8]) -> Result<(Vec<u32>, Vec<usize>), CorruptBuffer> {
    let mut buffer = BufferReader(buffer);
    let mut frequent = vec![];
    let mut last = 0u32;
    for _ in 0..buffer.number()? {
        last = last.wrapping_add(buffer.number()? as u32);
        frequent.push(last);
    }
    let (mut ends, mut total) = (vec![], 0usize);
    for _ in 0..buffer.number()? {
        total = total.checked_add(buffer.number()? as usize).ok_or(CorruptBuffer)?;
        ends.push(total);
    }
    let second = buffer.number()? as usize;
    let (first, rest) = buffer.0.split_at_checked(total).ok_or(CorruptBuffer)?;
    let (second, whole) = rest.split_at_checked(second).ok_or(CorruptBuffer)?;
    let (mut second, mut whole) = (BufferReader(second), BufferReader(whole));
    let mut words = Vec::with_capacity(total);
    for &byte in first {
        let rank = match byte {
            WHOLE_WORD_MARK => {
                words.push(whole.wide(4)? as u32);
                continue;
            }
            THREE_BYTE_MARK => TWO_BYTE_RANKS_END + second.wide(2)? as usize,
            byte if usize::from(byte) < ONE_BYTE_RANKS => usize::from(byte),
            byte => ONE_BYTE_RANKS + ((usize::from(byte) - ONE_BYTE_RANKS) << 8) + second.wide(1)? as usize,
        };
        words.push(*frequent.get(rank).ok_or(CorruptBuffer)?);
    }
    Ok((words, ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were_and_broken_ones_are_refused() {
        let mut words = vec![];
        for word in 0..200_000u32 {
            // some once, most twice, a few very often: every form of a rank
            let times = if word % 1000 == 0 { 500 } else { 1 + usize::from(word % 3 != 0) };
            words.extend(std::iter::repeat_n(word.wrapping_mul(2_654_435_761), times));
        }
        let ends = [0, 7, 7, 100_000, words.len()];
        let packed = pack_words(&words, &ends);
        assert_eq!(unpack_words(&packed), Ok((words, ends.to_vec())));
        for length in [0, 1, 1000, packed.len() / 2, packed.len() - 1] {
            assert_eq!(unpack_words(&packed[..length]), Err(CorruptBuffer));
        }
        assert_eq!(unpack_words(&pack_words(&[], &[])), Ok((vec![], vec![])));
        let frequent: Vec<u32> = (0..10_000u32).map(|at| (at % 97).wrapping_mul(2_654_435_761)).collect();
        assert!(pack_words(&frequent, &[10_000]).len() < 11_000);
    }
}
