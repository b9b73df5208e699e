//! The words of one article outside common runs, looked up in another.

use crate::text::tokens::word;

/// Hash set of words, refilled for every pair whose remaining words are compared.
#[derive(Default)]
pub struct WordSet {
    /// Words with the bit FILLED; 0 is empty. The lowest bits of a word are free.
    slots: Vec<u32>,
    /// Number of distinct words.
    pub len: usize,
}

const FILLED: u32 = 1;
const FOUND: u32 = 2;

impl WordSet {
    /// The slot of a word, or the empty slot where the search for it ends.
    #[inline(always)]
    fn slot(&self, word: u32) -> usize {
        let mut at = (word.wrapping_mul(0x9E37_79B9) as usize) >> (32 - self.slots.len().trailing_zeros());
        while self.slots[at] != 0 && self.slots[at] & !(FILLED | FOUND) != word {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    pub fn fill(&mut self, words: &[u32]) {
        self.slots.clear();
        self.slots.resize((4 * words.len()).next_power_of_two().max(16), 0);
        self.len = 0;
        for &word in words {
            let at = self.slot(word);
            self.len += usize::from(self.slots[at] == 0);
            self.slots[at] = word | FILLED;
        }
    }

    /// How many of the words occur in these tokens; each counts once. Can be called once per `fill`.
    pub fn found_in(&mut self, tokens: &[u32]) -> usize {
        let mut found = 0;
        for &token in tokens {
            let at = self.slot(word(token));
            if self.slots[at] & (FILLED | FOUND) == FILLED {
                self.slots[at] |= FOUND;
                found += 1;
                if found == self.len {
                    break;
                }
            }
        }
        found
    }
}
