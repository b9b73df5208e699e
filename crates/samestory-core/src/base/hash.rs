//! Hashes of words, shingles and whole texts: the same on every machine and in every thread.
//!
//! They are fixed for ever: a change here changes every signature and key that was ever written.

const K0: u64 = 0x9E37_79B9_7F4A_7C15;
const K1: u64 = 0xD1B5_4A32_D192_ED03;
const K2: u64 = 0xA24B_AED4_963E_E407;
const ROLL: u64 = 0x9FB2_1C65_1E98_DF25;

/// The two halves of the 128-bit product, folded: one multiplication that mixes every bit.
#[inline(always)]
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Lower case for ASCII letters, eight bytes at a time; bytes of longer characters stay as they are.
/// Digits and the punctuation inside tokens already have the bit that is set here.
#[inline(always)]
fn lower(x: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const BIT: u64 = 0x2020_2020_2020_2020;
    x | (BIT & !((x & HIGH) >> 2))
}

/// The first `count` bytes (at most eight), the others zero.
#[inline(always)]
fn first_bytes(x: u64, count: usize) -> u64 {
    if count == 0 {
        0
    } else {
        x & (u64::MAX >> ((64 - 8 * count) & 63))
    }
}

/// For every token length, masks of the bytes of its first and second eight that belong to it.
const TOKEN_MASKS: [(u64, u64); 17] = {
    let mut masks = [(0, 0); 17];
    let mut length = 1;
    while length <= 16 {
        masks[length] =
            if length <= 8 { (u64::MAX >> (64 - 8 * length), 0) } else { (u64::MAX, u64::MAX >> (128 - 8 * length)) };
        length += 1;
    }
    masks
};

/// The hash of the token `text[start..end]`; may read past the token but not past the text. Tokens of up to sixteen
/// bytes, nearly all, take the same steps: no branch to mispredict.
#[inline(always)]
pub fn token_in(text: &[u8], start: usize, end: usize) -> u64 {
    match (text.get(start..start + 16), TOKEN_MASKS.get(end - start)) {
        (Some(bytes), Some(masks)) => short(word_at(bytes, 0) & masks.0, word_at(bytes, 8) & masks.1, end - start),
        _ => token(&text[start..end]),
    }
}

/// The hash of a token of at most sixteen bytes.
#[inline(always)]
fn short(low: u64, high: u64, length: usize) -> u64 {
    mix(lower(low) ^ K0, lower(high) ^ K1 ^ (length as u64))
}

/// The hashes of the first `shorter` and the first `longer` (at most eight) letters of the ASCII word `text[start..end]`,
/// or of all of its letters if it has fewer. None if it is not ASCII, longer than sixteen bytes, or near the end of the
/// text: then they are computed one by one. Both share one load.
#[inline(always)]
pub fn ascii_prefixes(text: &[u8], start: usize, end: usize, shorter: usize, longer: usize) -> Option<(u64, u64)> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (bytes, masks) = (text.get(start..start + 16)?, TOKEN_MASKS.get(end - start)?);
    let (low, high) = (word_at(bytes, 0) & masks.0, word_at(bytes, 8) & masks.1);
    let first = |letters: usize| short(low & TOKEN_MASKS[letters].0, 0, letters);
    ((low | high) & HIGH == 0).then(|| {
        let length = end - start;
        (first(length.min(shorter)), first(length.min(longer)))
    })
}

/// The hash of a token given as its own bytes (already folded where they are not ASCII).
pub fn token(bytes: &[u8]) -> u64 {
    let mut padded = [0u8; 16];
    if bytes.len() <= 16 {
        padded[..bytes.len()].copy_from_slice(bytes);
        let low = first_bytes(word_at(&padded, 0), bytes.len().min(8));
        let high = first_bytes(word_at(&padded, 8), bytes.len().saturating_sub(8));
        return short(low, high, bytes.len());
    }
    let mut state = K2 ^ bytes.len() as u64;
    for chunk in bytes.chunks(16) {
        padded = [0u8; 16];
        padded[..chunk.len()].copy_from_slice(chunk);
        state = mix(lower(word_at(&padded, 0)) ^ state, lower(word_at(&padded, 8)) ^ K1);
    }
    mix(state ^ K0, K1 ^ bytes.len() as u64)
}

/// Joins the hashes of a word and of its suffix ("Ankara" and "da"), whatever apostrophe separates them.
#[inline]
pub fn suffixed(base: u64, suffix: u64) -> u64 {
    mix(base ^ K2, suffix ^ ROLL)
}

/// The hash of a token under hash function `number`.
#[inline]
pub fn numbered(number: u64, token: u64) -> u64 {
    mix(token ^ K2, mix(number ^ K0, K1) | 1)
}

/// Every run of `width` values (under a mask) as one 64-bit hash each; fewer values make a single hash of all.
#[inline(always)]
pub fn shingles(values: &[u32], mask: u32, width: usize, mut each: impl FnMut(usize, u64)) {
    if values.is_empty() {
        return;
    }
    let width = width.min(values.len());
    let hashed = |value: u32| u64::from(value & mask) + 1;
    // the hash of a run from the previous one: times ROLL, plus the newest value, minus the shifted oldest value
    let (mut rolling, mut power, mut dropped) = (0u64, ROLL, 0u64);
    for &value in &values[..width - 1] {
        rolling = rolling.wrapping_mul(ROLL).wrapping_add(hashed(value));
        power = power.wrapping_mul(ROLL);
    }
    for (at, (&oldest, &newest)) in values.iter().zip(&values[width - 1..]).enumerate() {
        rolling = rolling.wrapping_mul(ROLL).wrapping_add(hashed(newest).wrapping_sub(dropped));
        each(at, mix(rolling ^ K1, K2)); // the only call, so that it is compiled into the loop
        dropped = hashed(oldest).wrapping_mul(power);
    }
}

/// A 64-bit hash of a sequence of numbers, order included.
pub fn sequence(values: &[u32], seed: u64) -> u64 {
    let mut state = mix(seed ^ K0, K2 ^ values.len() as u64);
    for pair in values.chunks(2) {
        let x = u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        state = mix(state ^ x, K1);
    }
    mix(state, K2 ^ seed)
}

/// A standard map whose keys are hashes already.
pub type Hashed<V> = std::collections::HashMap<u64, V, std::hash::BuildHasherDefault<AsIs>>;

/// A hasher that passes 64-bit keys through unchanged.
#[derive(Clone, Copy, Default)]
pub struct AsIs(u64);

impl std::hash::Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = token(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A standard map whose keys are numbers of articles or clusters.
pub type Numbered<V> = std::collections::HashMap<u32, V, std::hash::BuildHasherDefault<Mixed>>;

/// A hasher that mixes a 32-bit number by one multiplication.
#[derive(Clone, Copy, Default)]
pub struct Mixed(u64);

impl std::hash::Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = token(bytes);
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mix(u64::from(number) ^ K0, K1);
    }
}

/// The hash of a source, ignoring case; 0 for none.
pub fn source(source: &str) -> u64 {
    let source = source.trim();
    if source.is_empty() {
        0
    } else {
        token(source.to_lowercase().as_bytes()) | 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_hashes_alike_wherever_it_stands_and_in_any_ascii_case() {
        let text = b"Reuters and the Extraordinarily-Long-Compound-Word end";
        for (start, end) in [(0, 7), (8, 11), (12, 15), (16, 50), (51, 54)] {
            let alone = text[start..end].to_ascii_lowercase();
            assert_eq!(token_in(text, start, end), token(&alone));
        }
    }

    #[test]
    fn rolling_shingles_equal_shingles_hashed_one_by_one() {
        let values: Vec<u32> = (0..40u32).map(|x| x.wrapping_mul(2_654_435_761)).collect();
        for width in 1..7 {
            let mut rolled = vec![];
            shingles(&values, u32::MAX, width, |_, h| rolled.push(h));
            let mut single = vec![];
            for run in values.windows(width) {
                shingles(run, u32::MAX, width, |_, h| single.push(h));
            }
            assert_eq!(rolled, single);
        }
    }

    #[test]
    fn short_sequences_have_one_shingle_and_empty_ones_none() {
        let mut seen = vec![];
        shingles(&[7, 8], u32::MAX, 5, |at, _| seen.push(at));
        assert_eq!(seen, [0]);
        shingles(&[], u32::MAX, 5, |_, _| panic!("nothing to hash"));
    }
}
