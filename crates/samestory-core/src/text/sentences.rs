//! Text to sentences: at . ! ? … (and their equivalents in other scripts) and at line ends.
//!
//! A full stop does not end a sentence inside a number, after a known abbreviation, after a single capital letter, or
//! after a number when a lower-case word follows (the Turkish ordinal of "19. yüzyıl").

use wide::u8x16;

use super::characters::fold;
use super::languages::abbreviations;

/// Bytes that may begin the end of a sentence; all others are skipped without decoding their character.
const MAY_END: [bool; 256] = {
    let mut table = [false; 256];
    // line ends and . ! ?, then the first bytes of … U+2028 U+2029 。 ！ ？ ؟ । ۔
    let bytes = *b"\n\r.!?\xe2\xe3\xef\xd8\xe0\xdb";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// Byte spans of the sentences, trimmed of white space; none is empty.
pub fn sentences(text: &str, language: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut out = vec![];
    let (mut start, mut at) = (0, 0);
    while let Some(next) = may_end(bytes, at) {
        at = next;
        let c = text[at..].chars().next().unwrap_or(' ');
        let after = at + c.len_utf8();
        if c == '\n' || c == '\r' || c == '\u{2028}' || c == '\u{2029}' {
            push(text, start, at, &mut out);
            start = after;
        }
        if !is_terminator(c) {
            at = after;
            continue;
        }
        let mut end = after;
        // further stops and closing quotes belong to this sentence
        for next in text[after..].chars() {
            if !is_terminator(next) && !matches!(next, '"' | '”' | '’' | '\'' | ')' | ']' | '»' | '」' | '』') {
                break;
            }
            end += next.len_utf8();
        }
        let wide = matches!(c, '。' | '！' | '？' | '।' | '۔');
        let following = text[end..].chars().next();
        let spaced = following.is_none_or(char::is_whitespace);
        if (wide || spaced) && !(c == '.' && end == after && continues(text, start, at, end, language)) {
            push(text, start, end, &mut out);
            start = end;
        }
        at = end;
    }
    push(text, start, text.len(), &mut out);
    out
}

/// The next byte from `at` on that may begin the end of a sentence. Sixteen bytes are tested at once: those of plain
/// text by five comparisons, and bytes of longer characters by their highest bit.
fn may_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..at + 16) {
        let block = u8x16::new(block.try_into().expect("16 bytes"));
        let is = |byte| block.simd_eq(u8x16::splat(byte));
        let some = (is(b'.') | is(b'!') | is(b'?') | is(b'\n') | is(b'\r') | block).to_bitmask();
        let mut rest = some;
        while rest != 0 {
            let place = at + rest.trailing_zeros() as usize;
            if MAY_END[usize::from(bytes[place])] {
                return Some(place);
            }
            rest &= rest - 1;
        }
        at += 16;
    }
    bytes[at..].iter().position(|&byte| MAY_END[usize::from(byte)]).map(|skipped| at + skipped)
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '؟' | '।' | '۔')
}

/// Is the full stop at `stop` part of the sentence, not its end?
fn continues(text: &str, start: usize, stop: usize, end: usize, language: &str) -> bool {
    let before = &text[start..stop];
    let last =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“' | '«' | '\'')).next().unwrap_or("");
    let next = text[end..].trim_start_matches([' ', '\t', '\u{a0}']).chars().next();
    if last.is_empty() {
        return false;
    }
    if last.chars().all(|c| c.is_numeric()) {
        return next.is_some_and(|c| c.is_numeric() || c.is_lowercase());
    }
    let mut letters = last.chars();
    if letters.next().is_some_and(char::is_uppercase) && letters.next().is_none() {
        return true;
    }
    let mut folded = String::new();
    fold(last, language == "tr" || language == "az", &mut folded);
    abbreviations(language).contains(&folded.as_str())
}

fn push(text: &str, start: usize, end: usize, out: &mut Vec<(usize, usize)>) {
    let part = &text[start..end];
    let trimmed = part.trim();
    if !trimmed.is_empty() {
        let from = start + (part.len() - part.trim_start().len());
        out.push((from, from + trimmed.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
        sentences(text, language).into_iter().map(|(a, b)| &text[a..b]).collect()
    }

    #[test]
    fn stops_end_sentences_but_not_inside_numbers_or_abbreviations() {
        assert_eq!(
            split("Dr. Smith paid 3.5 million. J. Doe left! Really? \"Yes.\" Then…\nA line", "en"),
            ["Dr. Smith paid 3.5 million.", "J. Doe left!", "Really?", "\"Yes.\"", "Then…", "A line"]
        );
        assert_eq!(
            split("Bu 19. yüzyılda oldu. 3. Lig başladı.", "tr"),
            ["Bu 19. yüzyılda oldu.", "3.", "Lig başladı."]
        );
        assert_eq!(
            split("В 2020 г. ставка выросла. Так сказал А. Б. Иванов.", "ru"),
            ["В 2020 г. ставка выросла.", "Так сказал А. Б. Иванов."]
        );
        assert_eq!(split("東京は晴れ。明日は雨？", "ja"), ["東京は晴れ。", "明日は雨？"]);
    }

    #[test]
    fn every_character_that_ends_a_sentence_may_begin_with_its_byte() {
        let ends = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        for c in ends.filter(|&c| is_terminator(c) || matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')) {
            assert!(MAY_END[usize::from(c.to_string().as_bytes()[0])], "{c:?}");
        }
    }

    #[test]
    fn nothing_but_space_is_lost() {
        let text = "  One.  Two!\n\n Three  ";
        let kept: String = split(text, "en").concat();
        assert_eq!(kept.replace(char::is_whitespace, ""), text.replace(char::is_whitespace, ""));
        assert!(split("", "en").is_empty() && split(" \n ", "en").is_empty());
    }
}
