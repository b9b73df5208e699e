//! Numbers in buffers that travel between partitions, and the partition of a number.

use crate::base::hash::mix;

/// Number of bits of a key's hash that are sent.
pub const BITS: u32 = 48;

/// The upper `BITS` bits of the hash of a key.
pub fn hashed(key: u64) -> u64 {
    mixed(key) >> (64 - BITS)
}

/// The whole hash of a key.
pub fn mixed(key: u64) -> u64 {
    mix(key ^ 0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
}

/// The part to which an article number is assigned.
pub fn part_of(number: u64, parts: usize) -> usize {
    ((u128::from(mix(number ^ 0xA24B_AED4_963E_E407, 0x9FB2_1C65_1E98_DF25)) * parts as u128) >> 64) as usize
}

/// The part of a key.
pub fn part_of_key(key: u64, parts: usize) -> usize {
    part_of_hash(hashed(key), BITS, parts)
}

/// The first hash of a part, where hashes of `bits` bits are divided into parts by ranges.
pub(super) fn first_of(part: usize, bits: u32, parts: usize) -> u64 {
    ((part as u128) << bits).div_ceil(parts as u128) as u64
}

/// The part of a hash of `bits` bits.
pub(super) fn part_of_hash(hash: u64, bits: u32, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> bits) as usize
}

/// A buffer is truncated or has impossible content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptBuffer;

/// Writes a number as a varint, seven bits per byte.
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes the length of a column and its numbers, of which each fits into `width` bytes.
pub(crate) fn put_column(out: &mut Vec<u8>, width: usize, numbers: impl ExactSizeIterator<Item = u64>) {
    put(out, numbers.len() as u64);
    numbers.for_each(|number| out.extend_from_slice(&number.to_le_bytes()[..width]));
}

/// Writes the length of an ascending column and the distances of its numbers.
pub(crate) fn put_ascending(out: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u64>) {
    put(out, numbers.len() as u64);
    let mut last = 0;
    numbers.for_each(|number| put(out, number - std::mem::replace(&mut last, number)));
}

/// Writes bytes after their length.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads a buffer from its beginning.
pub(crate) struct BufferReader<'a>(pub &'a [u8]);

impl<'a> BufferReader<'a> {
    /// A column of `put_column`.
    pub fn column(&mut self, width: usize) -> Result<Vec<u64>, CorruptBuffer> {
        let count = self.number()? as usize;
        if count.checked_mul(width).is_none_or(|bytes| bytes > self.0.len()) {
            return Err(CorruptBuffer);
        }
        (0..count).map(|_| self.wide(width)).collect()
    }

    /// A column of `put_ascending`.
    pub fn ascending(&mut self) -> Result<Vec<u64>, CorruptBuffer> {
        let (count, mut last) = (self.number()?, 0u64);
        let mut out = vec![];
        for _ in 0..count {
            last = last.checked_add(self.number()?).ok_or(CorruptBuffer)?;
            out.push(last);
        }
        Ok(out)
    }

    /// Bytes of `put_bytes`.
    pub fn bytes(&mut self) -> Result<&'a [u8], CorruptBuffer> {
        let length = self.number()? as usize;
        let (own, rest) = self.0.split_at_checked(length).ok_or(CorruptBuffer)?;
        self.0 = rest;
        Ok(own)
    }

    /// A text of `put_bytes`.
    pub fn text(&mut self) -> Result<&'a str, CorruptBuffer> {
        std::str::from_utf8(self.bytes()?).map_err(|_| CorruptBuffer)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn number(&mut self) -> Result<u64, CorruptBuffer> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let (&byte, rest) = self.0.split_first().ok_or(CorruptBuffer)?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F).checked_shl(shift).ok_or(CorruptBuffer)?;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// A little-endian number of `bytes` bytes.
    pub fn wide(&mut self, bytes: usize) -> Result<u64, CorruptBuffer> {
        let (own, rest) = self.0.split_at_checked(bytes).ok_or(CorruptBuffer)?;
        self.0 = rest;
        Ok(own.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}
