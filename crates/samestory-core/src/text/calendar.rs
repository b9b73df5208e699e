//! The names of days and months: words that are facts, as figures are.

use std::sync::OnceLock;

use super::tokens::{tokenise, word};

const NAMES: &str = include_str!("calendar.txt");

/// The days and months that a text names: bits 0 to 6 are Monday to Sunday, bits 7 to 18 January to December.
pub type Mask = u32;
pub const DAYS: Mask = 0x7F;
pub const MONTHS: Mask = 0xFFF << MONTH_BITS;
const MONTH_BITS: u32 = 7;

/// The names, sorted by word, behind a bitmap that rejects nearly all other words without a search.
pub struct Calendar {
    bits: [u64; BITS / 64],
    names: Vec<(u32, Mask)>,
}

const BITS: usize = 1 << 14;

fn bit(word: u32) -> (usize, u32) {
    let at = word >> 18;
    (at as usize / 64, at % 64)
}

/// The calendar of all languages.
pub fn calendar() -> &'static Calendar {
    static CALENDAR: OnceLock<Calendar> = OnceLock::new();
    CALENDAR.get_or_init(|| {
        let mut calendar = Calendar { bits: [0; BITS / 64], names: vec![] };
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            let (about, names) = line.split_once(':').unwrap_or(("", line));
            let first = if about.ends_with("months") { MONTH_BITS } else { 0 };
            for (place, forms) in (first..).zip(names.split_whitespace()) {
                for form in forms.split('/') {
                    tokenise(form, about.starts_with("tr"), |t| calendar.names.push((word(t.packed()), 1 << place)));
                }
            }
        }
        calendar.names.sort_unstable();
        for &(name, _) in &calendar.names {
            let (at, shift) = bit(name);
            calendar.bits[at] |= 1 << shift;
        }
        calendar
    })
}

impl Calendar {
    /// Could this (flag-less) word be a name? Computed without a branch, with few false positives.
    #[inline(always)]
    pub fn may_have(&self, word: u32) -> bool {
        let (at, shift) = bit(word);
        self.bits[at] >> shift & 1 != 0
    }

    /// The day or month that this (flag-less) word names; 0 for any other word.
    pub fn mask(&self, word: u32) -> Mask {
        if !self.may_have(word) {
            return 0;
        }
        let from = self.names.partition_point(|&(name, _)| name < word);
        self.names[from..].iter().take_while(|&&(name, _)| name == word).fold(0, |all, &(_, mask)| all | mask)
    }
}

/// Months whose names are common words too: the language, the name as it is written, the number of the month from 0, and
/// the words that introduce it. Without one of them, or a figure beside it, it is not read as a month.
const AMBIGUOUS_MONTHS: [(&str, &str, u32, &[&str]); 8] = [
    ("en", "March", 2, ENGLISH_INTRODUCTIONS),
    ("en", "May", 4, ENGLISH_INTRODUCTIONS),
    ("fr", "mars", 2, &["en", "de", "du", "début", "fin", "mi", "depuis"]),
    ("es", "marzo", 2, &["en", "de", "desde", "hasta"]),
    ("it", "marzo", 2, &["in", "a", "di", "da", "nel", "fine"]),
    ("pt", "março", 2, &["em", "de", "desde", "até"]),
    ("nl", "maart", 2, &["in", "van", "sinds", "tot", "eind", "begin"]),
    ("nl", "mei", 4, &["in", "van", "sinds", "tot", "eind", "begin"]),
];
const ENGLISH_INTRODUCTIONS: &[&str] =
    &["in", "of", "since", "until", "till", "by", "from", "through", "last", "next", "this", "early", "late", "mid"];

/// The month that a word names by its neighbours, if its name is also a common word of the language; 0 otherwise.
pub fn ambiguous_month(language: &str, word: &str, before: &str, is_beside_figure: bool) -> Mask {
    let mut months = AMBIGUOUS_MONTHS.iter().filter(|(known, name, ..)| *known == language && *name == word);
    let is_introduced = |by: &[&str]| is_beside_figure || by.iter().any(|known| before.eq_ignore_ascii_case(known));
    months.find(|(.., by)| is_introduced(by)).map_or(0, |&(.., month, _)| 1 << (MONTH_BITS + month))
}

/// Is this (flag-less) word the name of a day or a month?
pub fn is_calendar(word: u32) -> bool {
    calendar().mask(word) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(text: &str, turkish: bool) -> Vec<Mask> {
        let mut masks = vec![];
        tokenise(text, turkish, |t| masks.push(calendar().mask(word(t.packed()))));
        masks
    }

    #[test]
    fn days_and_months_are_known_in_any_case_and_other_words_are_not() {
        let known: Vec<bool> = masks("Monday thursday СРЕДУ Mayıs may report", false).iter().map(|&m| m != 0).collect();
        assert_eq!(known, [true, true, true, true, false, false]);
    }

    #[test]
    fn one_day_is_one_day_in_every_language_and_form() {
        for (text, turkish, day) in [
            ("Tuesday salı вторника dienstag mardi martes martedì dinsdag wtorek tiistaina", true, 1),
            ("Sunday sonntag dimanche domenica niedzielę", false, 6),
        ] {
            assert!(masks(text, turkish).iter().all(|&mask| mask == 1 << day), "{text}");
        }
        for (text, turkish, month) in [
            ("July temmuz июля juli juillet julio luglio lipca heinäkuuta", true, 6),
            ("Dec December aralık декабре dezember grudnia", true, 11),
        ] {
            assert!(masks(text, turkish).iter().all(|&mask| mask == 1 << (MONTH_BITS + month)), "{text}");
        }
    }

    #[test]
    fn months_that_are_common_words_are_known_by_their_neighbours() {
        let march = 1 << (MONTH_BITS + 2);
        assert_eq!(ambiguous_month("en", "March", "in", false), march);
        assert_eq!(ambiguous_month("en", "March", "14", true), march);
        assert_eq!(ambiguous_month("en", "March", "the", false), 0);
        assert_eq!(ambiguous_month("en", "march", "in", false), 0);
        assert_eq!(ambiguous_month("en", "May", "Theresa", false), 0);
        assert_eq!(ambiguous_month("fr", "mars", "en", false), march);
        assert_eq!(ambiguous_month("de", "mars", "en", false), 0);
    }

    #[test]
    fn every_line_has_seven_days_or_twelve_months() {
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            let (about, names) = line.split_once(": ").expect("a name before the list");
            let wanted = if about.ends_with("months") { 12 } else { 7 };
            assert_eq!(names.split_whitespace().count(), wanted, "{about}");
        }
        assert_eq!(DAYS & MONTHS, 0);
        assert_eq!((DAYS | MONTHS).count_ones(), 19);
    }
}
