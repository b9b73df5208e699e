//! The first letters of a word, by which detectors of events compare words: endings seldom matter.

use super::background::STEM;
use super::characters::fold;
use super::tokens::Token;
use super::unspaced::is_letter_of_word;
use super::word_frequencies::BEGINNING;
use crate::base::hash;

/// What is kept of one word of a text.
#[derive(Clone, Copy)]
pub struct WordBeginning {
    /// The hash of its first four letters, folded; 0 for a figure.
    pub stem: u64,
    /// The hash of its first five letters, folded; of a figure, all of it.
    pub beginning: u64,
    /// The number of letters hashed in `beginning`; None for a figure.
    pub letters: Option<u8>,
    /// Whether its hashes are those of the written word, since hashes ignore the case of ASCII letters.
    pub is_plain: bool,
}

impl WordBeginning {
    /// Reads a token of the text; `room` is overwritten.
    #[inline]
    pub fn new(text: &str, token: &Token, turkish: bool, room: &mut String) -> Self {
        let word = &text[token.start..token.base_end];
        if token.figure {
            return WordBeginning { stem: 0, beginning: token.base, letters: None, is_plain: false };
        }
        // words of scripts without spaces have no endings
        if is_letter_of_word(word) {
            let letters = Some(word.chars().count().min(BEGINNING) as u8);
            return WordBeginning { stem: token.base, beginning: token.base, letters, is_plain: false };
        }
        if !turkish {
            let hashes = hash::ascii_prefixes(text.as_bytes(), token.start, token.base_end, STEM, BEGINNING);
            if let Some((stem, beginning)) = hashes {
                let letters = Some(word.len().min(BEGINNING) as u8);
                return WordBeginning { stem, beginning, letters, is_plain: true };
            }
        }
        if word.is_ascii() && !(turkish && word.contains('I')) {
            let letters = word.len().min(BEGINNING);
            let first = |letters: usize| hash::token_in(text.as_bytes(), token.start, token.start + letters);
            let beginning = first(letters);
            return WordBeginning {
                stem: if letters > STEM { first(STEM) } else { beginning },
                beginning,
                letters: Some(letters as u8),
                is_plain: true,
            };
        }
        fold(word, turkish, room);
        let stem = first_letters(room, STEM);
        let beginning = first_letters(room, BEGINNING);
        WordBeginning {
            stem: hash::token(stem.as_bytes()),
            beginning: hash::token(beginning.as_bytes()),
            letters: Some(beginning.chars().count() as u8),
            is_plain: false,
        }
    }
}

/// The first so many letters of a word, or all of it.
pub fn first_letters(word: &str, letters: usize) -> &str {
    word.char_indices().nth(letters).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenise;
    use super::*;

    #[test]
    fn hashes_are_those_of_the_folded_letters_in_every_script() {
        let text = "Quakes IRAK İzmir'de Москва the 7,5 ΑΘΗΝΑ ışık a ﬁrst STOP";
        for turkish in [false, true] {
            let (mut room, mut folded, mut read) = (String::new(), String::new(), 0);
            tokenise(text, turkish, |token| {
                read += 1;
                let found = WordBeginning::new(text, &token, turkish, &mut room);
                if token.figure {
                    assert_eq!((found.beginning, found.letters), (token.base, None));
                    return;
                }
                fold(&text[token.start..token.base_end], turkish, &mut folded);
                assert_eq!(found.stem, hash::token(first_letters(&folded, STEM).as_bytes()), "{folded}");
                assert_eq!(found.beginning, hash::token(first_letters(&folded, BEGINNING).as_bytes()), "{folded}");
                assert_eq!(found.letters, Some(folded.chars().take(BEGINNING).count() as u8), "{folded}");
            });
            assert_eq!(read, 11);
        }
    }
}
