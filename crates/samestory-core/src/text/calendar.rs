//! The names of days and months: words that are facts, as figures are.

use std::sync::OnceLock;

use super::tokens::{tokenise, word};

const NAMES: &str = include_str!("calendar.txt");

/// The names as sorted words, behind a bit map that answers nearly every question without a search.
pub struct Calendar {
    bits: [u64; BITS / 64],
    names: Vec<u32>,
}

const BITS: usize = 1 << 14;

fn bit(word: u32) -> (usize, u32) {
    let at = word >> 18;
    (at as usize / 64, at % 64)
}

/// The calendar, for those who ask about many words.
pub fn calendar() -> &'static Calendar {
    static CALENDAR: OnceLock<Calendar> = OnceLock::new();
    CALENDAR.get_or_init(|| {
        let mut calendar = Calendar { bits: [0; BITS / 64], names: vec![] };
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            let (language, names) = line.split_once(':').unwrap_or(("", line));
            tokenise(names, language == "tr", |t| calendar.names.push(word(t.packed())));
        }
        calendar.names.sort_unstable();
        for &name in &calendar.names {
            let (at, shift) = bit(name);
            calendar.bits[at] |= 1 << shift;
        }
        calendar
    })
}

impl Calendar {
    /// Could this (flag-less) word be a name? Answered without a branch, and seldom wrong.
    #[inline(always)]
    pub fn may_have(&self, word: u32) -> bool {
        let (at, shift) = bit(word);
        self.bits[at] >> shift & 1 != 0
    }

    pub fn has(&self, word: u32) -> bool {
        self.may_have(word) && self.names.binary_search(&word).is_ok()
    }
}

/// Is this (flag-less) word the name of a day or a month?
pub fn is_calendar(word: u32) -> bool {
    calendar().has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_are_known_in_any_case_and_other_words_are_not() {
        let mut known = vec![];
        tokenise("Monday thursday СРЕДУ Mayıs may report", false, |t| known.push(is_calendar(word(t.packed()))));
        assert_eq!(known, [true, true, true, true, false, false]);
    }
}
