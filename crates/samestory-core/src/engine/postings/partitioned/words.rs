//! Signatures on their way: rows of words, of which the frequent ones are named by their rank in the parcel.
//!
//! A text is a few hundred words of which most are frequent. Named by rank, half of them are one byte, and since first
//! bytes, second bytes and whole words stand apart, whatever compresses the parcel finds each as uneven as it is.

use super::buffer::{put, BufferReader, CorruptBuffer};
use crate::base::hash::Hashed;

/// First bytes below this are ranks; from here on, with a second byte, the ranks behind them.
const TWO: usize = 192;
/// The first byte of a rank of two more bytes, and that of a word that has none.
const THREE: u8 = 254;
const WHOLE: u8 = 255;
/// Where ranks of two and of three bytes end.
const UP_TO_TWO: usize = TWO + ((THREE as usize - TWO) << 8);
const UP_TO_THREE: usize = UP_TO_TWO + (1 << 16);

/// A word as a place in a table that looks at the upper bits too.
fn placed(word: u32) -> u64 {
    u64::from(word) << 32 | u64::from(word)
}

/// Rows of words as one parcel; row `at` ends at `ends[at]`.
pub fn pack_words(words: &[u32], ends: &[usize]) -> Vec<u8> {
    let mut counts: Hashed<u32> = Hashed::default();
    for &word in words {
        *counts.entry(placed(word)).or_default() += 1;
    }
    let mut frequent: Vec<(u32, u32)> =
        counts.iter().filter(|(_, &count)| count > 1).map(|(&word, &count)| (count, word as u32)).collect();
    frequent.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
    frequent.truncate(UP_TO_THREE);
    // words that are as frequent ascend: their distances are smaller than they are
    let mut out = vec![];
    put(&mut out, frequent.len() as u64);
    let mut last = 0u32;
    for &(_, word) in &frequent {
        put(&mut out, u64::from(word.wrapping_sub(std::mem::replace(&mut last, word))));
    }
    let ranks: Hashed<u32> = frequent.iter().zip(0..).map(|(&(_, word), rank)| (placed(word), rank)).collect();
    put(&mut out, ends.len() as u64);
    let mut begin = 0;
    for &end in ends {
        put(&mut out, (end - begin) as u64);
        begin = end;
    }
    let (mut first, mut second, mut whole) = (Vec::with_capacity(words.len()), vec![], vec![]);
    for &word in words {
        match ranks.get(&placed(word)).map(|&rank| rank as usize) {
            Some(rank) if rank < TWO => first.push(rank as u8),
            Some(rank) if rank < UP_TO_TWO => {
                first.push((TWO + ((rank - TWO) >> 8)) as u8);
                second.push((rank - TWO) as u8);
            }
            Some(rank) => {
                first.push(THREE);
                second.extend_from_slice(&((rank - UP_TO_TWO) as u16).to_le_bytes());
            }
            None => {
                first.push(WHOLE);
                whole.extend_from_slice(&word.to_le_bytes());
            }
        }
    }
    put(&mut out, second.len() as u64);
    [first, second, whole].iter().for_each(|plane| out.extend_from_slice(plane));
    out
}

/// The rows of a parcel: words, and where each row ends.
pub fn unpack_words(parcel: &[u8]) -> Result<(Vec<u32>, Vec<usize>), CorruptBuffer> {
    let mut parcel = BufferReader(parcel);
    let mut frequent = vec![];
    let mut last = 0u32;
    for _ in 0..parcel.number()? {
        last = last.wrapping_add(parcel.number()? as u32);
        frequent.push(last);
    }
    let (mut ends, mut total) = (vec![], 0usize);
    for _ in 0..parcel.number()? {
        total = total.checked_add(parcel.number()? as usize).ok_or(CorruptBuffer)?;
        ends.push(total);
    }
    let second = parcel.number()? as usize;
    let (first, rest) = parcel.0.split_at_checked(total).ok_or(CorruptBuffer)?;
    let (second, whole) = rest.split_at_checked(second).ok_or(CorruptBuffer)?;
    let (mut second, mut whole) = (BufferReader(second), BufferReader(whole));
    let mut words = Vec::with_capacity(total);
    for &byte in first {
        let rank = match byte {
            WHOLE => {
                words.push(whole.wide(4)? as u32);
                continue;
            }
            THREE => UP_TO_TWO + second.wide(2)? as usize,
            byte if usize::from(byte) < TWO => usize::from(byte),
            byte => TWO + ((usize::from(byte) - TWO) << 8) + second.wide(1)? as usize,
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
