//! Acts with two opposite directions: raised or cut, arrested or released. Two articles that report opposite directions
//! for the same rate are not about the same event, however many words they share.
//!
//! opposites.txt has one line per pair of directions: beginnings of words for the first, and of words for the second.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::base::hash::{self, Hashed};

/// Letters of the longest beginning; no language has more lines than a mask has bits.
const MAX_BEGINNING_LETTERS: usize = 8;
/// Ends an entry that must match a whole word.
const WHOLE: char = '$';
/// Words that reverse the direction of the next one.
const NOT: [(&str, &str); 4] = [("en", "not"), ("en", "no"), ("en", "never"), ("ru", "не")];

/// The words of one language.
#[derive(Default)]
struct Opposites {
    /// The first two letters of every entry: most words of a text are rejected by these.
    openings: HashSet<[char; 2]>,
    /// Beginning to its lines, one bit each, as first and as second direction; and whole words to theirs.
    beginnings: Hashed<[u32; 2]>,
    words: Hashed<[u32; 2]>,
    lines: u8,
}

static LANGUAGES: LazyLock<[(&str, Opposites); 3]> = LazyLock::new(|| {
    let mut languages = ["en", "tr", "ru"].map(|language| (language, Opposites::default()));
    for line in include_str!("opposites.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((language, choice)) = line.split_once(' ') else { continue };
        let Some((_, opposites)) = languages.iter_mut().find(|(known, _)| *known == language) else { continue };
        opposites.add(choice);
    }
    languages
});

impl Opposites {
    /// Adds one pair of directions.
    fn add(&mut self, choice: &str) {
        assert!(self.lines < 32, "more choices than bits");
        for (side, forms) in choice.split('|').enumerate() {
            for form in forms.split_whitespace() {
                let word = form.strip_suffix(WHOLE);
                let table = if word.is_some() { &mut self.words } else { &mut self.beginnings };
                let form = word.unwrap_or(form);
                table.entry(hash::token(form.as_bytes())).or_default()[side] |= 1 << self.lines;
                self.openings.insert(opening(form));
            }
        }
        self.lines += 1;
    }

    fn sides(&self, word: &str) -> Option<[u32; 2]> {
        if !self.openings.contains(&opening(word)) {
            return None;
        }
        let whole = self.words.get(&hash::token(word.as_bytes()));
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_BEGINNING_LETTERS);
        let begins = ends.filter_map(|end| self.beginnings.get(&hash::token(&word.as_bytes()[..end])));
        whole.or_else(|| begins.last()).copied()
    }
}

/// The first two letters of a word; an entry of one letter can only be that word.
fn opening(word: &str) -> [char; 2] {
    let mut letters = word.chars();
    [(); 2].map(|()| letters.next().unwrap_or('\0'))
}

/// Adds the directions of a folded word of a language to a mask for each; `before` is the unfolded word before it.
pub fn note(language: &str, before: &str, word: &str, ways: &mut [u32; 2]) {
    let opposites = LANGUAGES.iter().find(|(known, _)| *known == language);
    let Some(sides) = opposites.and_then(|(_, opposites)| opposites.sides(word)) else { return };
    let turned = NOT.iter().any(|&(own, not)| own == language && before.eq_ignore_ascii_case(not));
    ways[usize::from(turned)] |= sides[0];
    ways[usize::from(!turned)] |= sides[1];
}

/// On how many lines two articles have opposite directions, among those where each has only one.
pub fn conflicts(left: [u32; 2], right: [u32; 2]) -> u32 {
    let only = |ways: [u32; 2]| [ways[0] & !ways[1], ways[1] & !ways[0]];
    let (left, right) = (only(left), only(right));
    ((left[0] & right[1]) | (left[1] & right[0])).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(language: &str, text: &str) -> [u32; 2] {
        let mut ways = [0, 0];
        let mut before = "";
        for word in text.split(' ') {
            note(language, before, word, &mut ways);
            before = word;
        }
        ways
    }

    #[test]
    fn a_whole_word_is_no_beginning_of_another() {
        let says = |language, word| ways(language, word) != [0, 0];
        assert!(says("en", "won") && !says("en", "wonder") && !says("en", "winter") && !says("en", "denmark"));
        assert!(says("tr", "yendi") && !says("tr", "yeni") && !says("tr", "açıkladı") && !says("tr", "zaman"));
        assert!(says("ru", "роста") && !says("ru", "ростов") && !says("ru", "начальник"));
    }

    #[test]
    fn beginnings_are_no_longer_than_what_is_looked_at() {
        for form in
            include_str!("opposites.txt").lines().filter(|line| !line.starts_with('#')).flat_map(|l| l.split(' '))
        {
            assert!(form.ends_with(WHOLE) || form.chars().count() <= MAX_BEGINNING_LETTERS, "{form}");
        }
    }

    #[test]
    fn opposite_acts_conflict_and_the_same_acts_do_not() {
        let conflict = |language, one, other| conflicts(ways(language, one), ways(language, other));
        assert_eq!(conflict("en", "bank raises key rate", "bank cuts key rate"), 1);
        assert_eq!(conflict("en", "bank raises key rate", "bank increased its rate"), 0);
        assert_eq!(conflict("tr", "merkez bankası faizi artırdı", "merkez bankası faizi düşürdü"), 1);
        assert_eq!(conflict("ru", "банк повысил ставку", "банк снизил ставку"), 1);
        assert_eq!(conflict("ru", "банк повысил ставку", "банк увеличил ставку"), 0);
        assert_eq!(conflict("en", "jury finds him not guilty", "jury acquits him"), 0);
        assert_eq!(conflict("ru", "сеул не подтвердил испытание", "сеул подтвердил испытание"), 1);
        // a text with both directions counts for neither
        assert_eq!(conflict("en", "police arrest and release him", "police released him"), 0);
    }
}
