//! Acts with two opposite directions: raised or cut, arrested or released. Two articles that report opposite directions
//! for the same rate are not about the same event, however many words they share.
//!
//! opposites.txt has one line per pair of directions: beginnings of words for the first, and of words for the second.

use std::sync::LazyLock;

use crate::base::hash::{self, Hashed};

/// Letters of the longest beginning; no language has more lines than a mask has bits.
const MAX_BEGINNING_LETTERS: usize = 8;
/// Ends an entry that must match a whole word.
const WHOLE: char = '$';
/// Words that reverse the direction of the next one.
const NOT: [(&str, &str); 4] = [("en", "not"), ("en", "no"), ("en", "never"), ("ru", "не")];

/// Beginning to its lines, one bit each, as first and as second direction.
static WORDS: LazyLock<Hashed<[u32; 2]>> = LazyLock::new(|| {
    let mut words: Hashed<[u32; 2]> = Hashed::default();
    let mut lines: [(&str, u8); 3] = [("en", 0), ("tr", 0), ("ru", 0)];
    for line in include_str!("opposites.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((language, choice)) = line.split_once(' ') else { continue };
        let Some((_, number)) = lines.iter_mut().find(|(known, _)| *known == language) else { continue };
        assert!(*number < 32, "more choices than bits");
        for (side, forms) in choice.split('|').enumerate() {
            for form in forms.split_whitespace() {
                words.entry(key(language, form)).or_default()[side] |= 1 << *number;
            }
        }
        *number += 1;
    }
    words
});

fn key(language: &str, beginning: &str) -> u64 {
    hash::mix(hash::token(language.as_bytes()), hash::token(beginning.as_bytes()))
}

/// Adds the directions of a folded word of a language to a mask for each; `before` is the unfolded word before it.
pub fn note(language: &str, before: &str, word: &str, ways: &mut [u32; 2]) {
    let Some(sides) = sides(language, word) else { return };
    let turned = NOT.iter().any(|&(own, not)| own == language && before.eq_ignore_ascii_case(not));
    ways[usize::from(turned)] |= sides[0];
    ways[usize::from(!turned)] |= sides[1];
}

fn sides(language: &str, word: &str) -> Option<[u32; 2]> {
    let whole = WORDS.get(&key(language, &format!("{word}{WHOLE}")));
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_BEGINNING_LETTERS);
    let begins = ends.filter_map(|end| WORDS.get(&key(language, &word[..end])));
    whole.or_else(|| begins.last()).copied()
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
