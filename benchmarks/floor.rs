//! The floor: what reading the articles, and no more, costs on this machine.
//!
//!     rustc -O --edition 2021 -o floor floor.rs
//!     floor FILE MODE THREADS
//!
//! Each mode does all that the one before it does:
//!
//!     read      copy the file through a buffer, count its lines
//!     tok       + find the "text" string of every JSON line, split it into words on white space,
//!                 lower-case ASCII, hash every word (64 bits)
//!     shingle   + hash every 5-word shingle
//!
//! No sketch, no index, no comparison: a detector's time divided by this one's says what its own work costs.
//! Standard library only, and no special instructions (SSE2 on x86_64, NEON on aarch64, else plain code).
//! Prints one JSON line with a checksum, so that no work can be left out.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};

const SHINGLE: usize = 5;
const CHUNK: usize = 1 << 20; // bytes a thread takes at a time
const TAIL: usize = 1 << 16; // a line is shorter than this: the last one of a chunk may reach so far beyond it
const PAD: usize = 128; // blocks of 64 bytes may be read beyond the end

const K0: u64 = 0x9E37_79B9_7F4A_7C15;
const K1: u64 = 0xD1B5_4A32_D192_ED03;
const ROLL: u64 = 0x9FB2_1C65_1E98_DF25;
const MIX: u64 = 0xA24B_AED4_963E_E407;

/// A bit for each of the 64 bytes from `at` that equals one of the three.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn matches(bytes: &[u8], at: usize, wanted: [u8; 3]) -> u64 {
    use std::arch::x86_64::*;
    let block: &[u8; 64] = bytes[at..at + 64].try_into().unwrap();
    let mut bits = 0;
    for i in 0..4 {
        // SAFETY: the 16 bytes lie inside `block`; every x86_64 processor has SSE2.
        let mask = unsafe {
            let v = _mm_loadu_si128(block.as_ptr().add(16 * i).cast());
            let equal = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(equal(wanted[0]), equal(wanted[1])), equal(wanted[2])))
        };
        bits |= (mask as u32 as u64) << (16 * i);
    }
    bits
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn matches(bytes: &[u8], at: usize, wanted: [u8; 3]) -> u64 {
    use std::arch::aarch64::*;
    const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let block: &[u8; 64] = bytes[at..at + 64].try_into().unwrap();
    // SAFETY: all loads lie inside `block`; every aarch64 processor has NEON.
    unsafe {
        let bit = vld1q_u8(BIT.as_ptr());
        let mask = |i: usize| {
            let v = vld1q_u8(block.as_ptr().add(16 * i));
            let equal = |byte: u8| vceqq_u8(v, vdupq_n_u8(byte));
            vandq_u8(vorrq_u8(vorrq_u8(equal(wanted[0]), equal(wanted[1])), equal(wanted[2])), bit)
        };
        let sums = vpaddq_u8(vpaddq_u8(mask(0), mask(1)), vpaddq_u8(mask(2), mask(3)));
        vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn matches(bytes: &[u8], at: usize, wanted: [u8; 3]) -> u64 {
    (0..64).fold(0, |bits, i| bits | (wanted.contains(&bytes[at + i]) as u64) << i)
}

/// The place of the first byte from `at` that equals `a` or `b`.
#[inline(always)]
fn find(bytes: &[u8], mut at: usize, a: u8, b: u8) -> usize {
    loop {
        let bits = matches(bytes, at, [a, b, b]);
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += 64;
    }
}

/// From inside a JSON string, the place of its closing quote.
#[inline(always)]
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = find(bytes, at, b'"', b'\\');
    while bytes[at] == b'\\' {
        at = find(bytes, at + 2, b'"', b'\\');
    }
    at
}

/// From the start of a line, the place just inside the string under the key "text".
#[inline(always)]
fn find_text(bytes: &[u8], line: usize) -> Option<usize> {
    let mut at = find(bytes, line, b'"', b'\n');
    while bytes[at] != b'\n' {
        let end = end_of_string(bytes, at + 1);
        let is_text = &bytes[at + 1..end] == b"text";
        at = end + 1;
        while bytes[at] == b' ' || bytes[at] == b':' {
            at += 1;
        }
        if bytes[at] == b'"' {
            if is_text {
                return Some(at + 1);
            }
            at = end_of_string(bytes, at + 1) + 1;
        }
        at = find(bytes, at, b'"', b'\n');
    }
    None
}

#[inline(always)]
fn multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// Eight ASCII letters in lower case; all other bytes as they are.
#[inline(always)]
fn lower(x: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let low = x & !HIGH;
    let from_a = low + 0x3f3f_3f3f_3f3f_3f3f;
    let beyond_z = low + 0x2525_2525_2525_2525;
    x | ((from_a & !beyond_z & !x & HIGH) >> 2)
}

#[inline(always)]
fn hash_word(bytes: &[u8], at: usize, length: usize) -> u64 {
    let eight = |i: usize| u64::from_le_bytes(bytes[i..i + 8].try_into().unwrap());
    let mut hash = K1 ^ length as u64;
    if length < 8 {
        return multiply(lower(eight(at) & !(u64::MAX << (8 * length))) ^ K0, hash);
    }
    for i in (0..length - 8).step_by(8) {
        hash = multiply(lower(eight(at + i)) ^ K0, hash);
    }
    multiply(lower(eight(at + length - 8)) ^ K0, hash)
}

/// Hashes of the words of the JSON string at `at`; gives the place of its closing quote.
/// An escaped white space ends a word; any other escape stays in the word as written.
#[inline(always)]
fn hash_words(bytes: &[u8], at: usize, words: &mut Vec<u64>) -> usize {
    let (mut start, mut block, mut escaped) = (at, at, 0);
    words.clear();
    loop {
        let mut bits = matches(bytes, block, [b' ', b'\\', b'"']);
        while bits != 0 {
            let stop = block + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if stop < escaped {
                continue;
            }
            let byte = bytes[stop];
            if byte == b'\\' {
                escaped = stop + 2;
                if !matches!(bytes[stop + 1], b'n' | b'r' | b't') {
                    continue;
                }
            }
            if stop > start {
                words.push(hash_word(bytes, start, stop - start));
            }
            if byte == b'"' {
                return stop;
            }
            start = if byte == b'\\' { stop + 2 } else { stop + 1 };
        }
        block += 64;
    }
}

/// All rolling 5-word hashes, folded into one number.
fn hash_shingles(words: &[u64]) -> u64 {
    let leaving = ROLL.wrapping_pow(SHINGLE as u32);
    let first = &words[..words.len().min(SHINGLE)];
    let mut hash = first.iter().fold(0u64, |h, &w| h.wrapping_mul(ROLL).wrapping_add(w));
    words.windows(SHINGLE + 1).fold(multiply(hash, MIX), |sum, w| {
        hash = hash.wrapping_mul(ROLL).wrapping_add(w[SHINGLE]).wrapping_sub(w[0].wrapping_mul(leaving));
        sum ^ multiply(hash, MIX)
    })
}

#[derive(Default)]
struct Total {
    articles: usize,
    words: usize,
    shingles: usize,
    sum: u64,
}

/// One thread: takes chunks until none is left, and works on the lines that start in them.
fn work(path: &str, size: usize, mode: &str, next: &AtomicUsize) -> Total {
    let file = File::open(path).expect("the file opens");
    let mut bytes = vec![0u8; 1 + CHUNK + TAIL + PAD];
    let (mut words, mut total) = (Vec::with_capacity(TAIL), Total::default());
    loop {
        let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
        if begin >= size {
            return total;
        }
        let from = begin.saturating_sub(1); // one byte back: a line starts at `begin` only if that byte ends one
        let got = (begin - from + CHUNK + TAIL).min(size - from);
        let until = (begin - from + CHUNK).min(got);
        file.read_exact_at(&mut bytes[..got], from as u64).expect("the file is read");
        if mode == "read" {
            total.articles += bytes[begin - from..until].iter().filter(|&&byte| byte == b'\n').count();
            continue;
        }
        bytes[got..got + 2].copy_from_slice(b"\"\n"); // whatever is cut off ends here
        let mut line = if begin == 0 { 0 } else { find(&bytes, 0, b'\n', b'\n') + 1 };
        while line < until {
            let mut end = line;
            if let Some(at) = find_text(&bytes, line) {
                end = hash_words(&bytes, at, &mut words);
                total.articles += 1;
                total.words += words.len();
                total.sum ^= words.last().copied().unwrap_or(0);
                if mode == "shingle" {
                    total.shingles += words.len().saturating_sub(SHINGLE - 1);
                    total.sum ^= hash_shingles(&words);
                }
            }
            line = find(&bytes, end, b'\n', b'\n') + 1;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, mode, threads] = arguments.as_slice() else { panic!("usage: floor FILE read|tok|shingle THREADS") };
    let size = std::fs::metadata(path).expect("the file is there").len() as usize;
    let (next, threads) = (AtomicUsize::new(0), threads.parse().expect("THREADS is a number"));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(path, size, mode, &next))).collect();
        let parts: Vec<Total> = workers.into_iter().map(|worker| worker.join().expect("no worker fails")).collect();
        let sum = |count: fn(&Total) -> usize| parts.iter().map(count).sum::<usize>();
        let (articles, words, shingles) = (sum(|p| p.articles), sum(|p| p.words), sum(|p| p.shingles));
        let checksum = parts.iter().fold(0, |all, part| all ^ part.sum);
        println!(r#"{{"articles": {articles}, "words": {words}, "shingles": {shingles}, "sum": {checksum}}}"#);
    });
}
