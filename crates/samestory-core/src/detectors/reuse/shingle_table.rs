//! Hash table of the shingles of one article, in which the shingles of many others are looked up.

use crate::base::hash;
use crate::text::tokens::WORD;

/// Marks a shingle that the other article does not have.
pub const ABSENT: u32 = u32::MAX;

/// The shingles of the left article, numbered from 1, and the result of the last look-up. Number 0 stands for shingles
/// that are not in the table, so that found and not found take the same steps.
#[derive(Default)]
pub struct ShingleTable {
    /// Numbers of shingles, by the lowest bits of their hash; 0 is empty.
    table: Vec<u32>,
    /// Upper half of the hash. With the place in the table some 40 bits of the hash are compared.
    tags: Vec<u32>,
    /// Where each shingle stands first in the left article, and how often it stands there.
    places: Vec<u32>,
    counts: Vec<u32>,
    /// The last right article in which each was found.
    seen: Vec<u32>,
    round: u32,
    /// The number of the shingle at every place of the left article, and of the right one.
    pub left: Vec<u32>,
    pub right: Vec<u32>,
}

/// Slots in the table for each shingle, at least: most look-ups end at the first slot.
const SLOTS_PER_SHINGLE: usize = 8;

/// The number of the shingle with this hash, or 0, and the slot where the search ended.
#[inline(always)]
fn look_up(table: &[u32], tags: &[u32], h: u64) -> (u32, usize) {
    let mask = table.len() - 1;
    let mut at = h as usize & mask;
    let mut number = table[at];
    // occupied, and by another shingle: one comparison, which is nearly always false
    while number.min(tags[number as usize] ^ (h >> 32) as u32) != 0 {
        at = (at + 1) & mask;
        number = table[at];
    }
    (number, at)
}

impl ShingleTable {
    /// Fills the table with the shingles of the left article.
    pub fn load(&mut self, tokens: &[u32], width: usize) {
        let ShingleTable { table, tags, places, counts, seen, left, .. } = self;
        table.clear();
        table.resize((SLOTS_PER_SHINGLE * tokens.len()).next_power_of_two(), 0);
        left.clear();
        for (column, of_none) in [(&mut *tags, 0), (places, ABSENT), (counts, 0)] {
            column.clear();
            column.push(of_none);
        }
        hash::shingles(tokens, WORD, width, |place, h| {
            let (mut number, at) = look_up(table, tags, h);
            if number == 0 {
                number = tags.len() as u32;
                table[at] = number;
                tags.push((h >> 32) as u32);
                places.push(place as u32);
                counts.push(0);
            }
            counts[number as usize] += 1;
            left.push(number);
        });
        seen.clear();
        seen.resize(tags.len(), 0);
        self.round = 0;
    }

    /// Looks up every shingle of the right article. Returns how many places of the left article have a shingle of the
    /// right one, and how many places of the right article one of the left.
    pub fn find(&mut self, tokens: &[u32], width: usize) -> (usize, usize) {
        let ShingleTable { table, tags, counts, seen, right, .. } = self;
        right.resize(tokens.len() + 1 - width.min(tokens.len()), 0);
        hash::shingles(tokens, WORD, width, |at, h| right[at] = look_up(table, tags, h).0);
        self.round += 1;
        for &number in right.iter() {
            seen[number as usize] = self.round;
        }
        let found = counts.iter().zip(seen).map(|(&count, seen)| if *seen == self.round { count } else { 0 });
        (found.sum::<u32>() as usize, right.iter().filter(|&&number| number != 0).count())
    }

    /// By number of a shingle, its first place in the left article.
    pub fn first_in_left(&self) -> &[u32] {
        &self.places
    }

    /// By number of a shingle, its first place in the right article, or ABSENT.
    pub fn first_in_right<'a>(&self, room: &'a mut Vec<u32>) -> &'a [u32] {
        room.clear();
        room.resize(self.tags.len(), ABSENT);
        for (place, &number) in self.right.iter().enumerate().rev() {
            room[number as usize] = place as u32;
        }
        room[0] = ABSENT;
        room
    }
}
