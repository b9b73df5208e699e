//! Rabin's fingerprints of 40 bits: a sequence of bytes as a polynomial over GF(2), modulo a fixed irreducible one.
//!
//! ```text
//! f = 1, then for every bit of the bytes f = (f·x + bit) mod P,   P = x^40 + x^5 + x^4 + x^3 + 1
//! ```
//!
//! Being a remainder, the fingerprint of a part is computed from the remainders at its two ends, whatever its length.

const DEGREE: u32 = 40;
const MASK: u64 = (1 << DEGREE) - 1;

/// For every byte that a step shifts out at the top, its remainder.
const TOP_BYTE_REMAINDERS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = reduced((byte as u64) << DEGREE);
        byte += 1;
    }
    table
};

/// The remainder of a polynomial of degree below 64.
const fn reduced(value: u64) -> u64 {
    // x^40 is x^5 + x^4 + x^3 + 1; the higher part has a degree below 24, so that no second reduction is needed
    let high = value >> DEGREE;
    (value & MASK) ^ high ^ high << 3 ^ high << 4 ^ high << 5
}

/// Appends one byte.
#[inline(always)]
fn step(remainder: u64, byte: u8) -> u64 {
    (remainder << 8 & MASK | u64::from(byte)) ^ TOP_BYTE_REMAINDERS[(remainder >> (DEGREE - 8)) as usize]
}

/// The product of two remainders: one half of the bits at a time, so that each fits into a word.
fn product(a: u64, b: u64) -> u64 {
    const HALF: u32 = DEGREE / 2;
    let (mut low, mut high) = (0, 0);
    for bit in 0..HALF {
        low ^= (a << bit) & (b >> bit & 1).wrapping_neg();
        high ^= (a << bit) & (b >> (bit + HALF) & 1).wrapping_neg();
    }
    reduced(low ^ reduced(high) << HALF)
}

/// x^(8·bytes) mod P: the factor by which appending `bytes` bytes multiplies a polynomial.
fn shift(bytes: usize) -> u64 {
    let (mut out, mut square, mut left) = (1, 1 << 8, bytes);
    while left > 0 {
        if left & 1 == 1 {
            out = product(out, square);
        }
        square = product(square, square);
        left >>= 1;
    }
    out
}

/// The fingerprint of some bytes.
pub fn of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(1, |remainder, &byte| step(remainder, byte))
}

/// The fingerprints of all runs of `window` bytes, one step per byte.
#[derive(Clone, Debug)]
pub struct Rolling {
    remainder: u64,
    /// The last bytes, in a ring.
    window: Vec<u8>,
    at: usize,
    is_full: bool,
    /// For every byte that leaves the window, the value that removes it and moves the leading 1 back to its place.
    out: Box<[u64; 256]>,
}

impl Rolling {
    /// For runs of `window` bytes, at least one.
    pub fn new(window: usize) -> Self {
        assert!(window > 0, "a run has at least one byte");
        let shift = shift(window);
        let mut out = Box::new([0; 256]);
        for (byte, removal) in (0..).zip(out.iter_mut()) {
            *removal = product(1 << 8 | (byte ^ 1), shift);
        }
        Rolling { remainder: 1, window: vec![0; window], at: 0, is_full: false, out }
    }

    /// Appends one byte; returns the fingerprint of the last `window` bytes, once there are so many.
    #[inline]
    pub fn push(&mut self, byte: u8) -> Option<u64> {
        let oldest = std::mem::replace(&mut self.window[self.at], byte);
        self.remainder = step(self.remainder, byte);
        if self.is_full {
            self.remainder ^= self.out[usize::from(oldest)];
        }
        self.at += 1;
        if self.at == self.window.len() {
            (self.at, self.is_full) = (0, true);
        }
        self.is_full.then_some(self.remainder)
    }
}

/// Reads bytes once and returns the fingerprint of any part of them, from the marks at its ends.
#[derive(Default)]
pub struct Reader {
    here: Mark,
    /// By number of bytes, the factor of `shift`.
    shifts: Vec<u64>,
}

/// A place in the bytes that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    at: usize,
    /// The remainder of all bytes up to here, without a leading 1.
    remainder: u64,
}

impl Reader {
    pub fn read(&mut self, bytes: &[u8]) {
        self.here.remainder = bytes.iter().fold(self.here.remainder, |remainder, &byte| step(remainder, byte));
        self.here.at += bytes.len();
    }

    /// The position of the next byte.
    pub fn mark(&self) -> Mark {
        self.here
    }

    /// The fingerprint of the bytes between two marks, the first before the second.
    pub fn between(&mut self, start: Mark, end: Mark) -> u64 {
        product(start.remainder ^ 1, self.shift(end.at - start.at)) ^ end.remainder
    }

    fn shift(&mut self, bytes: usize) -> u64 {
        /// Longer parts are rare, and not worth a table.
        const MAX_TABLE_BYTES: usize = 4096;
        if bytes >= MAX_TABLE_BYTES {
            return shift(bytes);
        }
        while self.shifts.len() <= bytes {
            self.shifts.push(self.shifts.last().map_or(1, |&last| step(last, 0)));
        }
        self.shifts[bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: u64 = 1 << 40 | 1 << 5 | 1 << 4 | 1 << 3 | 1;

    /// The definition, bit by bit.
    fn slowly(bytes: &[u8]) -> u64 {
        let mut f = 1u64;
        for byte in bytes {
            for place in (0..8).rev() {
                f = f << 1 | u64::from(byte >> place & 1);
                if f >> DEGREE == 1 {
                    f ^= P;
                }
            }
        }
        f
    }

    /// Bytes of all values, in no order.
    fn noise(count: usize) -> Vec<u8> {
        (0..count as u64).map(|at| (crate::base::hash::numbered(at, 7) >> 56) as u8).collect()
    }

    #[test]
    fn the_values_of_the_worked_example() {
        for (text, value, rest) in [
            ("a cat is a", 542_244_960_197, 22),
            ("cat is a cat", 489_832_809_167, 17),
            ("is a cat is", 950_756_104_139, 14),
        ] {
            assert_eq!((of(text.as_bytes()), of(text.as_bytes()) % 25), (value, rest));
        }
    }

    #[test]
    fn bytes_at_a_time_equal_bits_at_a_time() {
        let bytes = noise(300);
        for length in 0..bytes.len() {
            assert_eq!(of(&bytes[..length]), slowly(&bytes[..length]));
        }
    }

    #[test]
    fn every_window_has_the_fingerprint_of_its_bytes() {
        let bytes = noise(200);
        for window in [1, 2, 5, 8, 50, 199, 200, 201] {
            let mut rolling = Rolling::new(window);
            let rolled: Vec<u64> = bytes.iter().filter_map(|&byte| rolling.push(byte)).collect();
            let alone: Vec<u64> = bytes.windows(window).map(of).collect();
            assert_eq!(rolled, alone, "window {window}");
        }
    }

    #[test]
    fn every_part_has_the_fingerprint_of_its_bytes() {
        let bytes = noise(9000);
        let mut reader = Reader::default();
        let mut marks = vec![reader.mark()];
        for part in bytes.chunks(37) {
            reader.read(part);
            marks.push(reader.mark());
        }
        for (from, to) in [(0, 0), (0, 1), (3, 3), (3, 9), (100, 243), (0, 100), (0, 243), (7, 240)] {
            let part = &bytes[from * 37..(to * 37).min(bytes.len())];
            assert_eq!(reader.between(marks[from], marks[to]), of(part), "{from}..{to}");
        }
        assert_eq!(of(&[]), 1);
    }
}
