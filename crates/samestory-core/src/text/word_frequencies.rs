//! How frequent words are in 43 languages, by their first letters (benchmarks/word_frequencies.py; NOTICE names the
//! source of the counts). They were counted in no collection of news that detectors are measured on.

use std::sync::OnceLock;

use crate::base::hash::{self, Hashed};

/// The tables: a line is a frequency, as minus a hundred times its logarithm to base ten, and the beginnings of words
/// that have it.
const TABLES: [(&str, &str); 43] = [
    ("ar", include_str!("word_frequencies/ar.txt")),
    ("bg", include_str!("word_frequencies/bg.txt")),
    ("bn", include_str!("word_frequencies/bn.txt")),
    ("ca", include_str!("word_frequencies/ca.txt")),
    ("cs", include_str!("word_frequencies/cs.txt")),
    ("da", include_str!("word_frequencies/da.txt")),
    ("de", include_str!("word_frequencies/de.txt")),
    ("el", include_str!("word_frequencies/el.txt")),
    ("en", include_str!("word_frequencies/en.txt")),
    ("es", include_str!("word_frequencies/es.txt")),
    ("fa", include_str!("word_frequencies/fa.txt")),
    ("fi", include_str!("word_frequencies/fi.txt")),
    ("fil", include_str!("word_frequencies/fil.txt")),
    ("fr", include_str!("word_frequencies/fr.txt")),
    ("he", include_str!("word_frequencies/he.txt")),
    ("hi", include_str!("word_frequencies/hi.txt")),
    ("hu", include_str!("word_frequencies/hu.txt")),
    ("id", include_str!("word_frequencies/id.txt")),
    ("is", include_str!("word_frequencies/is.txt")),
    ("it", include_str!("word_frequencies/it.txt")),
    ("ja", include_str!("word_frequencies/ja.txt")),
    ("ko", include_str!("word_frequencies/ko.txt")),
    ("lt", include_str!("word_frequencies/lt.txt")),
    ("lv", include_str!("word_frequencies/lv.txt")),
    ("mk", include_str!("word_frequencies/mk.txt")),
    ("ms", include_str!("word_frequencies/ms.txt")),
    ("nb", include_str!("word_frequencies/nb.txt")),
    ("nl", include_str!("word_frequencies/nl.txt")),
    ("pl", include_str!("word_frequencies/pl.txt")),
    ("pt", include_str!("word_frequencies/pt.txt")),
    ("ro", include_str!("word_frequencies/ro.txt")),
    ("ru", include_str!("word_frequencies/ru.txt")),
    ("sh", include_str!("word_frequencies/sh.txt")),
    ("sk", include_str!("word_frequencies/sk.txt")),
    ("sl", include_str!("word_frequencies/sl.txt")),
    ("sv", include_str!("word_frequencies/sv.txt")),
    ("ta", include_str!("word_frequencies/ta.txt")),
    ("th", include_str!("word_frequencies/th.txt")),
    ("tr", include_str!("word_frequencies/tr.txt")),
    ("uk", include_str!("word_frequencies/uk.txt")),
    ("ur", include_str!("word_frequencies/ur.txt")),
    ("vi", include_str!("word_frequencies/vi.txt")),
    ("zh", include_str!("word_frequencies/zh.txt")),
];

/// Codes of languages that are written nearly as another one is.
const ALIASES: [(&str, &str); 8] =
    [("bs", "sh"), ("hr", "sh"), ("in", "id"), ("iw", "he"), ("nn", "nb"), ("no", "nb"), ("sr", "sh"), ("tl", "fil")];

/// How many letters of a word its beginning has.
pub const BEGINNING: usize = 5;
/// Frequency of a beginning in no table, relative to the rarest one in it: a new name.
const UNKNOWN_FACTOR: f64 = 0.1;

/// Words of the text for which a word's share of texts is computed, and the term added so that no word is too rare.
const WORDS_PER_TEXT: f64 = 300.0;
const SMOOTHING: f64 = 0.001;

/// How frequent words of one language are, by their beginnings, and how rare that makes them.
pub struct WordFrequencies {
    frequencies: Hashed<(f64, f64)>,
    unknown: (f64, f64),
}

/// How rare words of a frequency are: 1 + ln 1 / (p + 0.001), where p is the share of texts of 300 words that have one.
pub fn rarity(frequency: f64) -> f64 {
    rarity_of_share(-(-WORDS_PER_TEXT * frequency).exp_m1())
}

/// How rare words are that this share of texts has.
pub fn rarity_of_share(share: f64) -> f64 {
    1.0 - (share + SMOOTHING).ln()
}

static LANGUAGES: [OnceLock<WordFrequencies>; TABLES.len()] = [const { OnceLock::new() }; TABLES.len()];

/// The table of a language, if it has one.
pub fn of(language: &str) -> Option<&'static WordFrequencies> {
    let code = ALIASES.iter().find(|(alias, _)| *alias == language).map_or(language, |&(_, code)| code);
    let at = TABLES.binary_search_by_key(&code, |&(code, _)| code).ok()?;
    Some(LANGUAGES[at].get_or_init(|| WordFrequencies::read(TABLES[at].1)))
}

impl WordFrequencies {
    fn read(table: &str) -> Self {
        let (mut frequencies, mut least) = (Hashed::default(), 1.0);
        for line in table.lines() {
            let mut parts = line.split(' ');
            let Some(Ok(step)) = parts.next().map(str::parse::<f64>) else { continue };
            least = 10f64.powf(-step / 100.0);
            let known = (least, rarity(least));
            frequencies.extend(parts.map(|beginning| (hash::token(beginning.as_bytes()), known)));
        }
        WordFrequencies { frequencies, unknown: (UNKNOWN_FACTOR * least, rarity(UNKNOWN_FACTOR * least)) }
    }

    /// How frequent words with a beginning are together, as a share of all words; the beginning is given by its hash.
    pub fn frequency(&self, beginning: u64) -> f64 {
        self.frequencies.get(&beginning).unwrap_or(&self.unknown).0
    }

    /// The rarity of words with a beginning, given by its hash.
    pub fn rarity(&self, beginning: u64) -> f64 {
        self.frequencies.get(&beginning).unwrap_or(&self.unknown).1
    }
}

/// The same for a word of so many letters of a language without a table: in every language short words are common.
pub fn frequency_by_length(letters: usize) -> f64 {
    10f64.powf(-2.0 - 0.7 * letters.min(BEGINNING) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequency(language: &str, beginning: &str) -> f64 {
        of(language).unwrap().frequency(hash::token(beginning.as_bytes()))
    }

    #[test]
    fn every_language_has_a_table_of_common_and_rare_words() {
        assert!(TABLES.len() >= 40);
        assert!(TABLES.windows(2).all(|two| two[0].0 < two[1].0), "sorted by code");
        for (language, text) in TABLES {
            assert!(of(language).unwrap().frequencies.len() >= 2000, "{language}");
            let first = text.split_whitespace().nth(1).unwrap();
            assert!(frequency(language, first) > 0.005, "{language}: {first}");
            assert!(frequency(language, "qzxw") < 1e-5, "{language}");
        }
    }

    #[test]
    fn common_words_are_more_frequent() {
        for (language, common, rare) in [
            ("de", "nicht", "feuer"),
            ("fr", "dans", "incen"),
            ("es", "para", "incen"),
            ("vi", "của", "cháy"),
            ("zh", "的", "震"),
            ("th", "ที่", "น้ำท่วม"),
        ] {
            assert!(frequency(language, common) > 5.0 * frequency(language, rare), "{language}");
        }
        assert_eq!(frequency("no", "ikke"), frequency("nb", "ikke"));
        assert!(of("xx").is_none() && of("").is_none());
        assert!(frequency_by_length(2) > frequency_by_length(5));
    }
}
