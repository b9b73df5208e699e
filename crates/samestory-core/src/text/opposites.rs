//! What happens the one way or the other: raised or cut, arrested or released. Two articles about the same rate that say
//! opposite things of it are not about the same event, however many words they share.
//!
//! opposites.txt has a line for every such choice: beginnings of words that say the one, and of words that say the other.

use std::sync::LazyLock;

use crate::hash::{self, Hashed};

/// The longest beginning; no language has more lines than a mask has bits.
const LONGEST: usize = 8;

static WORDS: LazyLock<Hashed<(u8, bool)>> = LazyLock::new(|| {
    let mut words = Hashed::default();
    let mut lines: [(&str, u8); 3] = [("en", 0), ("tr", 0), ("ru", 0)];
    for line in include_str!("opposites.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((language, choice)) = line.split_once(' ') else { continue };
        let Some((_, number)) = lines.iter_mut().find(|(known, _)| *known == language) else { continue };
        for (side, forms) in choice.split('|').enumerate() {
            for form in forms.split_whitespace() {
                words.entry(key(language, form)).or_insert((*number, side == 1));
            }
        }
        *number += 1;
        assert!(*number <= 32, "more choices than bits");
    }
    words
});

fn key(language: &str, beginning: &str) -> u64 {
    hash::mix(hash::token(language.as_bytes()), hash::token(beginning.as_bytes()))
}

/// Notes, in a mask for either way, what a folded word of a language says.
pub fn note(language: &str, word: &str, ways: &mut [u32; 2]) {
    let ends: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST).collect();
    for &end in ends.iter().rev().take_while(|&&end| end > 1) {
        // short beginnings stand for themselves alone: "up" is no "upper"
        if end < word.len() && word[..end].chars().count() < 3 {
            break;
        }
        if let Some(&(number, other)) = WORDS.get(&key(language, &word[..end])) {
            ways[usize::from(other)] |= 1 << number;
            return;
        }
    }
}

/// How many choices two articles make the opposite way, of those that each makes one way only.
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
        text.split(' ').for_each(|word| note(language, word, &mut ways));
        ways
    }

    #[test]
    fn opposite_acts_conflict_and_the_same_acts_do_not() {
        let conflict = |language, one, other| conflicts(ways(language, one), ways(language, other));
        assert_eq!(conflict("en", "bank raises key rate", "bank cuts key rate"), 1);
        assert_eq!(conflict("en", "bank raises key rate", "bank increased its rate"), 0);
        assert_eq!(conflict("tr", "merkez bankası faizi artırdı", "merkez bankası faizi düşürdü"), 1);
        assert_eq!(conflict("ru", "банк повысил ставку", "банк снизил ставку"), 1);
        assert_eq!(conflict("ru", "банк повысил ставку", "банк увеличил ставку"), 0);
        // who says both says neither
        assert_eq!(conflict("en", "police arrest and release him", "police released him"), 0);
    }
}
