//! Words that carry little information about an article, by language.
//!
//! Turkish: the list of Varol (2012), Table 2.1, the most frequent words of the BilCol-2005 news collection; its
//! caption says 180, the table prints the 182 of our list. English and Russian: our own, in the same spirit.

use std::sync::LazyLock;

use crate::base::hash::{self, Hashed};

/// The languages that have a list.
pub const LANGUAGES: [&str; 3] = ["tr", "en", "ru"];

/// Every stop word with the languages that have it, a bit each.
static WORDS: LazyLock<Hashed<u8>> = LazyLock::new(|| {
    let mut words = Hashed::default();
    for (bit, language) in LANGUAGES.iter().enumerate() {
        for word in list(language).lines() {
            *words.entry(hash::token(word.as_bytes())).or_insert(0) |= 1 << bit;
        }
    }
    words
});

/// The list of a language, one word a line; empty for languages without one.
pub fn list(language: &str) -> &'static str {
    match language {
        "tr" => include_str!("stop_words/tr.txt"),
        "en" => include_str!("stop_words/en.txt"),
        "ru" => include_str!("stop_words/ru.txt"),
        _ => "",
    }
}

/// The languages, a bit each, that have a word, given by its hash, among their stop words.
#[inline]
pub fn languages_of(word: u64) -> u8 {
    WORDS.get(&word).copied().unwrap_or(0)
}

/// The bit of a language; 0 where it has no list.
pub fn bit(language: &str) -> u8 {
    LANGUAGES.iter().position(|&known| known == language).map_or(0, |at| 1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turkish_list_has_every_word_that_is_printed() {
        assert_eq!(list("tr").lines().count(), 182);
        let has = |language: &str, word: &str| languages_of(hash::token(word.as_bytes())) & bit(language) != 0;
        assert!(has("tr", "çünkü") && has("en", "the") && has("ru", "что") && !has("en", "çünkü"));
        assert!(!has("xx", "the"));
    }
}
