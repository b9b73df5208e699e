//! Words in the alphabets without spaces between words: Thai, Lao, Khmer and Burmese.
//!
//! Tokens of these scripts are single letters, which suffices to compare wording. Detectors that weigh words need
//! them whole; a dictionary finds them (Unicode Standard Annex 29, by icu_segmenter). A character of Chinese or
//! Japanese is about a word by itself: on our own news of both languages, whole words relate fewer reports of one event.

use std::borrow::Cow;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::characters::{fold, is_unspaced};
use super::tokens::Token;
use crate::base::hash;

/// As fast as tokens are read; the neural models of the same library, which need less space, take 160 times as long.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// The tokens of a text, with words in place of the letters of these scripts.
pub fn words<'a>(text: &str, tokens: &'a [Token]) -> Cow<'a, [Token]> {
    if !tokens.iter().any(|token| may_be_unspaced(text.as_bytes()[token.start])) {
        return Cow::Borrowed(tokens);
    }
    let is_letter = |token: &Token| is_letter_of_word(&text[token.start..token.end]);
    let (mut out, mut folded) = (Vec::with_capacity(tokens.len()), String::new());
    for run in tokens.chunk_by(|one, next| one.end == next.start && is_letter(one) && is_letter(next)) {
        match run {
            [one] => out.push(*one),
            [first, .., last] => {
                let written = &text[first.start..last.end];
                let ends: Vec<usize> = SEGMENTER.segment_str(written).skip(1).collect();
                let mut start = 0;
                for end in ends {
                    fold(&written[start..end], false, &mut folded);
                    let hash = hash::token(folded.as_bytes());
                    let [start_in_text, end_in_text] = [start, end].map(|at| first.start + at);
                    out.push(Token {
                        hash,
                        base: hash,
                        start: start_in_text,
                        base_end: end_in_text,
                        end: end_in_text,
                        figure: false,
                        capital: false,
                    });
                    start = end;
                }
            }
            [] => {}
        }
    }
    Cow::Owned(out)
}

/// Whether a word that begins with this byte may be of one of these scripts.
fn may_be_unspaced(byte: u8) -> bool {
    matches!(byte, 0xe0 | 0xe1)
}

/// Whether a word, or a letter of one, is of one of these scripts.
pub fn is_letter_of_word(word: &str) -> bool {
    let letter = word.chars().next().filter(|_| word.bytes().next().is_some_and(may_be_unspaced));
    letter.is_some_and(is_unspaced)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenise;
    use super::*;

    fn read(text: &str) -> Vec<&str> {
        let mut tokens = vec![];
        tokenise(text, false, |token| tokens.push(token));
        let words = words(text, &tokens);
        assert!(words.windows(2).all(|two| two[0].end <= two[1].start));
        words.iter().map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn words_replace_letters_and_all_else_stays() {
        assert_eq!(read("The bank's rate, 4.5 %"), ["The", "bank's", "rate", "4.5"]);
        assert_eq!(read("央行5月 ECB"), ["央", "行", "5", "月", "ECB"]);
        assert_eq!(read("นายกรัฐมนตรี เปิดเผยว่า 5.4"), ["นายก", "รัฐมนตรี", "เปิด", "เผย", "ว่า", "5.4"]);
    }

    #[test]
    fn every_letter_is_in_one_word() {
        for text in ["中", "中A中文", "ไทยABCไทย", "カタカナ語ｶﾀｶﾅ", "ဝန်ကြီးချုပ်က ပြော", "រដ្ឋមន្ត្រី", "𠀀𠀁字"]
        {
            let mut tokens = vec![];
            tokenise(text, false, |token| tokens.push(token));
            let letters =
                |tokens: &[Token]| tokens.iter().map(|token| &text[token.start..token.end]).collect::<String>();
            assert_eq!(letters(&words(text, &tokens)), letters(&tokens), "{text}");
        }
    }
}
