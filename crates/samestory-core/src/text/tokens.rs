//! Text to tokens: one rule for all languages, with the hash and the offsets of every token.
//!
//! ```text
//! figure   %?\d+(?:[.,:/-]\d+)*%?(?:'\w+)?       42,9   22.50   2008-2009   2%
//! word     [^\W\d_]\w*(?:-\w+)*(?:'\w+)?         e-posta   Ankara'da
//! ```
//!
//! `\w` is a letter, mark, digit or underscore of any script. Scripts written without spaces (Han, Kana, Thai, Lao,
//! Khmer, Burmese) yield one token per character. Case is folded, by the Turkish rule for Turkish only, and composed
//! and decomposed letters are equal. A suffix after an apostrophe belongs to its token but is hashed separately from
//! its base, so that the form of the apostrophe does not matter.
//!
//! Typography does not distinguish tokens:
//!
//! ```text
//! '    any apostrophe: ' ’ ‘ ‛ ʼ ʻ ʹ ′ ` ´ ＇, also behind one blank or line end where the suffix is known:
//!      `Facebook 'un`, `he 'll`; in Turkish also where it is lost: `Efes te`
//! -    any hyphen, minus or en dash: - ‐ ‑ ‒ – − －
//! ﬁ    ligatures and full-width forms (ＡＢＣ１２％) are their plain letters, digits and signs
//! ```
//!
//! Soft hyphens, zero-width blanks and joiners, and byte order marks inside a word are ignored.

use wide::u8x16;

use super::characters::{
    fold, is_apostrophe, is_digit, is_hyphen, is_invisible, is_letter_apostrophe, is_mark, is_printed_mark,
    is_unspaced, is_word,
};
use super::suffixes;
use crate::base::hash;

/// One token: byte offsets into the text, and the hash of its folded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub hash: u64,
    /// The hash of the base alone.
    pub base: u64,
    pub start: usize,
    /// Where the base ends and the apostrophe suffix, if any, begins.
    pub base_end: usize,
    pub end: usize,
    /// Begins with a digit or a percent sign.
    pub figure: bool,
    /// Begins with a capital letter.
    pub capital: bool,
}

/// A token as signatures store it: 30 bits of hash and two flags. Two different words collide in 30 bits once in a
/// thousand million pairs, which never decides anything alone: shingles join several words.
pub const FIGURE: u32 = 1;
pub const CAPITAL: u32 = 2;
const FLAGS: u32 = FIGURE | CAPITAL;

impl Token {
    #[inline(always)]
    pub fn packed(&self) -> u32 {
        ((self.hash >> 32) as u32 & !FLAGS) | u32::from(self.figure) | (u32::from(self.capital) << 1)
    }

    /// The suffix behind the apostrophe, without it; empty where there is none.
    pub fn suffix<'a>(&self, text: &'a str) -> &'a str {
        text[self.base_end..self.end].trim_start_matches(|c| matches!(c, ' ' | '\n') || is_apostrophe(c))
    }
}

/// The bits of a packed token that identify the word: the input of shingles.
pub const WORD: u32 = !FLAGS;

#[inline(always)]
pub fn word(packed: u32) -> u32 {
    packed & WORD
}

/// Calls `each` for every token of the text, in order. In Turkish, the suffix of a name or figure belongs to it also if
/// its apostrophe has become a blank: "Efes te".
#[inline(always)]
pub fn tokenise(text: &str, turkish: bool, mut each: impl FnMut(Token)) {
    if !turkish {
        return tokenise_written(text, false, each);
    }
    let mut last: Option<Token> = None;
    tokenise_written(text, true, |token| {
        if let Some(name) = last.take() {
            if is_lost_suffix(text, &name, &token) {
                return each(Token { hash: hash::suffixed(name.hash, token.hash), end: token.end, ..name });
            }
            each(name);
        }
        match token.capital || token.figure {
            true => last = Some(token),
            false => each(token),
        }
    });
    last.into_iter().for_each(each);
}

/// Does a suffix without its apostrophe follow a name or a figure that has none yet?
fn is_lost_suffix(text: &str, name: &Token, token: &Token) -> bool {
    // a short token is folded only if exactly one blank or line end precedes it
    if token.end - token.start > suffixes::MAX_SUFFIX_BYTES
        || token.figure
        || token.capital
        || name.end != name.base_end
    {
        return false;
    }
    let mut between = text[name.base_end..token.start].chars();
    if !between.next().is_some_and(char::is_whitespace) || between.next().is_some() {
        return false;
    }
    let written = &text[token.start..token.end];
    suffixes::is_turkish_alone(written)
        || !written.is_ascii() && {
            let mut folded = String::new();
            fold(written, true, &mut folded);
            suffixes::is_turkish_alone(&folded)
        }
}

/// Calls `each` for every token of the text as it is written, in order.
///
/// The text is scanned 64 bytes at a time, as bit masks; a run of word characters that the block cuts off begins the
/// next block. Nearly all words of languages in Latin script are runs of ASCII letters without a hyphen or suffix, and
/// are hashed in place; all other runs go through the whole rule.
#[inline(always)]
fn tokenise_written(text: &str, turkish: bool, mut each: impl FnMut(Token)) {
    let bytes = text.as_bytes();
    // End of the consumed text: a figure or a compound may reach beyond the run of word characters it begins in.
    let mut consumed = 0usize;
    let mut base = 0usize;
    let mut folded = String::new();
    while base < bytes.len() {
        let mut tail = [b' '; 64];
        let block: &[u8; 64] = match bytes.get(base..base + 64) {
            Some(whole) => whole.try_into().expect("64 bytes"),
            None => {
                tail[..bytes.len() - base].copy_from_slice(&bytes[base..]);
                &tail
            }
        };
        let masks = masks(block, bytes.get(base + 64).copied(), turkish);
        let mut next = base + 64;
        let mut word = masks.word;
        if word >> 63 != 0 && next < bytes.len() {
            // cut off the run that continues; one that fills the block is left to the whole rule
            let start = 64 - (!word).leading_zeros();
            if start > 0 {
                next = base + start as usize;
                word &= !(u64::MAX << start);
            }
        }
        let mut starts = word & !(word << 1);
        let mut ends = !word & (word << 1);
        let mut hard = masks.hard | (ends & masks.joint);
        while starts != 0 {
            let start = starts.trailing_zeros();
            let end = ends.trailing_zeros();
            let from = base + start as usize;
            if end < hard.trailing_zeros() {
                let to = base + end as usize;
                let hash = hash::token_in(bytes, from, to);
                each(Token {
                    hash,
                    base: hash,
                    start: from,
                    base_end: to,
                    end: to,
                    figure: false,
                    capital: bytes[from] < b'a',
                });
                starts &= starts - 1;
                ends &= ends - 1;
                continue;
            }
            consumed = Scanner { text, turkish, consumed, folded: &mut folded }.run(from, &mut each);
            if consumed >= next {
                next = consumed;
                break;
            }
            // the rest of the block, as if it began here
            let rest = word & (u64::MAX << (consumed - base));
            starts = rest & !(rest << 1);
            ends = !rest & (rest << 1);
            hard = (masks.hard & rest) | (ends & masks.joint);
        }
        base = next;
    }
}

/// Maximum distance in characters from a spaced suffix to the end of a quotation.
const MAX_QUOTATION_CHARS: usize = 300;

/// Bit masks of 64 bytes.
struct Masks {
    /// Word characters of ASCII, and all bytes of longer characters.
    word: u64,
    /// Characters that prevent a run from being hashed in place: all but ASCII letters (figures have a rule of their
    /// own), and I in Turkish, the one ASCII letter whose lower case depends on the language.
    hard: u64,
    /// Bytes after a run that may join it to what follows: a hyphen or apostrophe that precedes a word character or
    /// ends the block, and a byte before one, which may be a blank before an apostrophe.
    joint: u64,
}

/// The masks of a block, with the byte that follows it.
#[inline(always)]
fn masks(block: &[u8; 64], next: Option<u8>, turkish: bool) -> Masks {
    let (mut letters, mut hard, mut marks) = (0u64, 0u64, 0u64);
    for (i, part) in block.chunks_exact(16).enumerate() {
        let v = u8x16::new(part.try_into().expect("16 bytes"));
        let small = v | u8x16::splat(0x20);
        let letter = small - u8x16::splat(b'a');
        let is_letter = letter.min(u8x16::splat(25)).simd_eq(letter);
        let digit = v - u8x16::splat(b'0');
        let is_other = digit.min(u8x16::splat(9)).simd_eq(digit) | v.simd_eq(u8x16::splat(b'_'));
        let is_mark = v.simd_eq(u8x16::splat(b'-'))
            | v.simd_eq(u8x16::splat(b'\''))
            | v.simd_eq(u8x16::splat(b'`'))
            | small.simd_eq(u8x16::splat(LONG_APOSTROPHE));
        let shift = 16 * i;
        letters |= u64::from(is_letter.to_bitmask()) << shift;
        hard |= u64::from((is_other | v).to_bitmask()) << shift;
        marks |= u64::from(is_mark.to_bitmask()) << shift;
    }
    let word = letters | hard;
    if turkish {
        for (i, part) in block.chunks_exact(16).enumerate() {
            let v = u8x16::new(part.try_into().expect("16 bytes"));
            hard |= u64::from(v.simd_eq(u8x16::splat(b'I')).to_bitmask()) << (16 * i);
        }
    }
    let is_apostrophe = |byte: u8| matches!(byte, b'\'' | b'`') || byte | 0x20 == LONG_APOSTROPHE;
    let before = marks >> 1 | u64::from(next.is_some_and(is_apostrophe)) << 63;
    Masks { word, hard, joint: marks & (word >> 1 | 1 << 63) | before }
}

/// The first byte of ’ and, with the bit that makes letters small, of ´.
const LONG_APOSTROPHE: u8 = 0xe2;

/// The whole rule, character by character, for runs that are not plain ASCII words.
struct Scanner<'a> {
    text: &'a str,
    turkish: bool,
    consumed: usize,
    folded: &'a mut String,
}

impl Scanner<'_> {
    fn peek(&self, at: usize) -> Option<char> {
        match self.byte(at)? {
            ascii if ascii < 0x80 => Some(ascii.into()),
            _ => self.text[at..].chars().next(),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Emits the tokens of the run of word characters and longer characters that begins at `start`; returns where the
    /// last of them ends (or the run, if that is later).
    #[inline(never)]
    fn run(&mut self, start: usize, each: &mut impl FnMut(Token)) -> usize {
        let mut at = start;
        while let Some(first) = self.peek(at).filter(|&c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '_') {
            let after = at + first.len_utf8();
            if is_printed_mark(first) || is_letter_apostrophe(first) {
                at = after;
            } else if is_digit(first) {
                let percent = at > self.consumed && self.text.as_bytes()[at - 1] == b'%';
                let begin = at - usize::from(percent);
                let base_end = self.figure(at);
                let base = self.folded_hash(begin, base_end);
                let token =
                    Token { hash: base, base, start: begin, base_end, end: base_end, figure: true, capital: false };
                at = self.finish(token, each);
            } else if is_unspaced(first) {
                let mut end = after;
                while let Some(mark) = self.peek(end).filter(|&c| is_mark(c)) {
                    end += mark.len_utf8();
                }
                let base = self.folded_hash(at, end);
                each(Token { hash: base, base, start: at, base_end: end, end, figure: false, capital: false });
                at = end;
                self.consumed = at;
            } else if is_word(first) && first != '_' && !is_mark(first) && !is_invisible(first) {
                let base_end = self.compound(at);
                let base = self.folded_hash(at, base_end);
                let capital = first.is_uppercase();
                at = self.finish(
                    Token { hash: base, base, start: at, base_end, end: base_end, figure: false, capital },
                    each,
                );
            } else {
                at = after;
            }
        }
        at
    }

    /// Adds the suffix, if there is one, and emits the token.
    fn finish(&mut self, mut token: Token, each: &mut impl FnMut(Token)) -> usize {
        if let Some((suffix, end)) = self.suffix(&token) {
            token.end = end;
            token.hash = hash::suffixed(token.hash, self.folded_hash(suffix, end));
        }
        self.consumed = token.end;
        each(token);
        token.end
    }

    /// Where the suffix of a base begins, after its apostrophe, and where it ends.
    fn suffix(&mut self, token: &Token) -> Option<(usize, usize)> {
        let mark = self.peek(token.base_end)?;
        let spaced = matches!(mark, ' ' | '\n');
        let at = token.base_end + usize::from(spaced);
        let apostrophe = if spaced { self.peek(at)? } else { mark };
        if !is_apostrophe(apostrophe) {
            return None;
        }
        let start = at + apostrophe.len_utf8();
        let end = self.word_end(start);
        (end > start && (!spaced || self.is_spaced_suffix(token, start, end))).then_some((start, end))
    }

    /// Is the text after a blank and an apostrophe a suffix, and not the first word of a quotation? In Turkish it must
    /// be one of the suffixes of names and figures, and no quotation may end after it before another one begins;
    /// elsewhere it must be one of the short forms of English.
    #[inline(never)]
    fn is_spaced_suffix(&mut self, token: &Token, start: usize, end: usize) -> bool {
        let suffix = &self.text[start..end];
        if suffix.len() > suffixes::MAX_SUFFIX_BYTES || self.turkish && !(token.capital || token.figure) {
            return false;
        }
        let base = &self.text[token.start..token.base_end];
        if suffix.contains(char::is_uppercase) && !base.ends_with(char::is_uppercase) {
            return false;
        }
        fold(suffix, self.turkish, self.folded);
        let folded = self.folded.as_str();
        match self.turkish {
            true => suffixes::is_turkish(folded) && !self.closes_quotation(end),
            // no quotation begins with these, but a quotation may consist of one
            false => suffixes::is_english(folded) && !self.peek(end).is_some_and(is_apostrophe),
        }
    }

    /// Does the next apostrophe that is at the edge of a word end a quotation?
    fn closes_quotation(&self, from: usize) -> bool {
        let mut before = 'x';
        let mut after = self.text[from..].chars().take(MAX_QUOTATION_CHARS).peekable();
        while let Some(c) = after.next().filter(|&c| c != '\n') {
            let next = after.peek().copied().unwrap_or(' ');
            if is_apostrophe(c) && !(before.is_alphanumeric() && next.is_alphanumeric()) {
                return !before.is_whitespace();
            }
            before = c;
        }
        false
    }

    fn end_of(&self, from: usize, ascii: impl Fn(u8) -> bool, longer: impl Fn(char) -> bool) -> usize {
        let mut at = from;
        loop {
            match self.byte(at) {
                Some(byte) if byte < 0x80 && ascii(byte) => at += 1,
                Some(byte) if byte >= 0x80 => match self.peek(at).filter(|&c| longer(c)) {
                    Some(c) => at += c.len_utf8(),
                    None => return at,
                },
                _ => return at,
            }
        }
    }

    fn word_end(&self, from: usize) -> usize {
        let longer = |c| !is_printed_mark(c) && is_word(c) && !is_letter_apostrophe(c) && !is_unspaced(c);
        self.end_of(from, |byte| byte.is_ascii_alphanumeric() || byte == b'_', longer)
    }

    fn digits_end(&self, from: usize) -> usize {
        self.end_of(from, |byte| byte.is_ascii_digit(), |c| !is_printed_mark(c) && is_digit(c))
    }

    fn figure(&self, from: usize) -> usize {
        let mut end = self.digits_end(from);
        while let Some(mark) = self.peek(end).filter(|&c| is_hyphen(c) || matches!(c, '.' | ',' | ':' | '/' | '．')) {
            let after = end + mark.len_utf8();
            let next = self.digits_end(after);
            if next == after {
                break;
            }
            end = next;
        }
        end + self.peek(end).filter(|c| matches!(c, '%' | '％')).map_or(0, char::len_utf8)
    }

    fn compound(&self, from: usize) -> usize {
        let mut end = self.word_end(from);
        while let Some(hyphen) = self.peek(end).filter(|&c| is_hyphen(c)) {
            let after = end + hyphen.len_utf8();
            let next = self.word_end(after);
            if next == after {
                break;
            }
            end = next;
        }
        end
    }

    #[inline(always)]
    fn folded_hash(&mut self, start: usize, end: usize) -> u64 {
        let word = &self.text[start..end];
        if word.is_ascii() && !(self.turkish && word.contains('I')) {
            return hash::token_in(self.text.as_bytes(), start, end); // its hash folds ASCII itself
        }
        fold(word, self.turkish, self.folded);
        hash::token(self.folded.as_bytes())
    }
}

#[cfg(test)]
mod tests;
