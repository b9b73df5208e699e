//! The value of a figure or a number word: "1,500", "1.5 thousand" and "bin beş yüz" are equal quantities.
//!
//! numbers.txt has the words of each language with their values, and the words that multiply ("million", "bin", "тыс").

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::base::hash::{self, Hashed};

/// The number words of one language, by hash.
pub type NumberWords = Hashed<Word>;

static LANGUAGES: LazyLock<Vec<(&str, NumberWords)>> = LazyLock::new(|| {
    let mut languages: Vec<(&str, NumberWords)> = vec![];
    for line in include_str!("numbers.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split_whitespace();
        let (Some(language), Some(value)) = (parts.next(), parts.next()) else { continue };
        let number = value.trim_matches(['*', '.']).parse().unwrap_or(0.0);
        let word = match () {
            () if value.starts_with('*') => Word::Times(number),
            () if value.ends_with('.') => Word::Ordinal(number),
            () => Word::Value(number),
        };
        let at = languages.iter().position(|&(known, _)| known == language).unwrap_or_else(|| {
            languages.push((language, NumberWords::default()));
            languages.len() - 1
        });
        languages[at].1.extend(parts.map(|form| (hash::token(form.as_bytes()), word)));
    }
    languages
});

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Word {
    /// A number by itself.
    Value(f64),
    /// Multiplies the number before it.
    Times(f64),
    /// An ordinal number.
    Ordinal(f64),
}

/// The number words of a language, if they are known.
pub fn number_words(language: &str) -> Option<&'static NumberWords> {
    LANGUAGES.iter().find(|(known, _)| *known == language).map(|(_, words)| words)
}

/// A figure in ASCII: Arabic, Indian, Thai, full-width and other digits have their plain ones, and so have separators.
pub fn plain(figure: &str) -> Cow<'_, str> {
    const ZEROS: [u32; 19] = [
        0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
        0x1040, 0x17e0, 0x1810, 0xff10,
    ];
    let plain = |c: char| {
        let zero = ZEROS.iter().find(|&&zero| (zero..zero + 10).contains(&u32::from(c)));
        match (c, zero) {
            (_, Some(zero)) => char::from(b'0' + (u32::from(c) - zero) as u8),
            ('\u{66b}' | '．', _) => '.',
            ('\u{66c}' | '，', _) => ',',
            ('\u{66a}' | '％', _) => '%',
            ('／', _) => '/',
            _ => c,
        }
    };
    if figure.is_ascii() {
        Cow::Borrowed(figure)
    } else {
        Cow::Owned(figure.chars().map(plain).collect())
    }
}

/// The value of a figure in ASCII: separators of thousands are left out, a decimal comma is a point. None for scores, dates and
/// spans, which are no quantities.
pub fn value(figure: &str) -> Option<f64> {
    let digits = figure.trim_matches('%');
    let groups: Vec<&str> = digits.split([',', '.']).collect();
    let thousands =
        |groups: &[&str]| groups.len() > 1 && groups[0].len() <= 3 && groups[1..].iter().all(|g| g.len() == 3);
    if thousands(&groups) && groups[0] != "0" {
        return groups.concat().parse().ok();
    }
    match groups[..] {
        [whole] => whole.parse().ok(),
        [whole, part] => format!("{whole}.{part}").parse().ok(),
        // 1,234,567.8: the last separator is another one
        [ref many @ .., part] if thousands(many) => format!("{}.{part}", many.concat()).parse().ok(),
        _ => None,
    }
}

/// Endings that directly follow a figure and make it an ordinal, in English and Russian.
const ORDINAL_ENDINGS: [&str; 17] =
    ["st", "nd", "rd", "th", "-й", "-ый", "-ой", "-го", "-ого", "-му", "-м", "-я", "-ая", "-ю", "-ую", "-е", "-ое"];

/// Is a figure an ordinal, "12th", "12-й", "12. paket", "12'nci"? `suffix` begins with its apostrophe, and `next` is
/// the text up to the end of the next word.
pub fn is_ordinal(language: &str, suffix: &str, next: &str) -> bool {
    if language == "tr" {
        let counts = |c: char| c.is_lowercase();
        return suffix.contains("nc") || next.strip_prefix(". ").is_some_and(|word| word.starts_with(counts));
    }
    ORDINAL_ENDINGS.contains(&next)
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_of_all_scripts_have_values() {
        for figure in ["1,250.5", "１，２５０．５", "١٬٢٥٠٫٥", "۱٬۲۵۰٫۵", "१,२५०.५", "১,২৫০.৫", "๑,๒๕๐.๕"]
        {
            assert_eq!(value(&plain(figure)), Some(1250.5), "{figure}");
        }
        assert_eq!(plain("１２％"), "12%");
    }

    #[test]
    fn ordinals_are_told_by_what_follows() {
        let yes = [("en", "", "th"), ("ru", "", "-й"), ("tr", "", ". paket"), ("tr", "'nci", " paket")];
        assert!(yes.iter().all(|&(language, suffix, next)| super::is_ordinal(language, suffix, next)));
        let no =
            [("en", "", " people"), ("en", "", ". the"), ("tr", "", ". Polis"), ("tr", "'de", " iki"), ("ru", "", "")];
        assert!(!no.iter().any(|&(language, suffix, next)| super::is_ordinal(language, suffix, next)));
    }

    use super::*;

    #[test]
    fn figures_are_read_as_people_of_either_habit_write_them() {
        for (figure, wanted) in [
            ("12", Some(12.0)),
            ("1,500", Some(1500.0)),
            ("1.500.000", Some(1_500_000.0)),
            ("6.8", Some(6.8)),
            ("6,8", Some(6.8)),
            ("%5", Some(5.0)),
            ("5%", Some(5.0)),
            ("1,234,567.8", Some(1_234_567.8)),
            ("0.125", Some(0.125)),
            ("2-1", None),
            ("14/05", None),
            ("10:30", None),
        ] {
            assert_eq!(value(figure), wanted, "{figure}");
        }
    }

    #[test]
    fn number_words_belong_to_their_language() {
        let of = |language: &str, form: &str| number_words(language)?.get(&hash::token(form.as_bytes())).copied();
        assert_eq!(of("en", "twelve"), Some(Word::Value(12.0)));
        assert_eq!(of("en", "twelfth"), Some(Word::Ordinal(12.0)));
        assert_eq!(of("tr", "on"), Some(Word::Value(10.0)));
        assert_eq!(of("en", "on"), None);
        assert_eq!(of("ru", "млн"), Some(Word::Times(1e6)));
        assert_eq!(of("tr", "milyon"), Some(Word::Times(1e6)));
    }
}
