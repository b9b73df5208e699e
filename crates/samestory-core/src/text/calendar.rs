//! The names of days and months: words that are facts, as figures are.

use std::sync::OnceLock;

use super::tokens::{tokenise, word};

const NAMES: &str = include_str!("calendar.txt");

/// The names as sorted words, behind a bit map that answers nearly every question without a search.
struct Table {
    bits: Vec<u64>,
    names: Vec<u32>,
}

const BITS: usize = 1 << 14;

fn bit(word: u32) -> (usize, u64) {
    let at = (word >> 18) as usize % BITS;
    (at / 64, 1 << (at % 64))
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { bits: vec![0; BITS / 64], names: vec![] };
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            let (language, names) = line.split_once(':').unwrap_or(("", line));
            tokenise(names, language == "tr", |t| table.names.push(word(t.packed())));
        }
        table.names.sort_unstable();
        for &name in &table.names {
            let (at, mask) = bit(name);
            table.bits[at] |= mask;
        }
        table
    })
}

/// Is this (flag-less) word the name of a day or a month?
pub fn is_calendar(word: u32) -> bool {
    let table = table();
    let (at, mask) = bit(word);
    table.bits[at] & mask != 0 && table.names.binary_search(&word).is_ok()
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
