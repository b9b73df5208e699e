//! An article as detectors, counters and recognisers read it.

use super::languages::is_turkish_case;
use super::tokens::Token;

/// An article whose text is tokenised.
#[derive(Clone, Copy, Debug, Default)]
pub struct Article<'a> {
    /// Empty where it has none.
    pub id: &'a str,
    /// Its packed tokens.
    pub words: &'a [u32],
    /// Its tokens with their offsets, its text and the code of its language: for detectors that need the text.
    pub tokens: &'a [Token],
    pub text: &'a str,
    /// Its headline; empty where it has none.
    pub title: &'a str,
    pub language: &'a str,
    /// Publication time in microseconds; NO_TIME if unknown.
    pub published: i64,
}

impl Article<'_> {
    pub fn is_turkish(&self) -> bool {
        is_turkish_case(self.language)
    }
}
