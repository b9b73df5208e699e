//! Hash table of the shingles of one article, in which the shingles of many others are looked up.

use crate::base::hash;
use crate::text::tokens::WORD;

/// Marks a shingle that the other article does not have.
pub const ABSENT: u32 = u32::MAX;

/// The shingles of the left article, numbered from 1, and the result of the last look-up. Number 0 represents shingles
/// that are not in the table, so that hits and misses take the same steps.
#[derive(Default)]
pub struct ShingleTable {
    /// Numbers of shingles, by the lowest bits of their hash; 0 is empty.
    table: Vec<u32>,
    /// Upper half of the hash. With the slot in the table, some 40 bits of the hash are compared.
    tags: Vec<u32>,
    /// The first position of each shingle in the left article, and its number of occurrences there.
    places: Vec<u32>,
    counts: Vec<u32>,
    /// The round of the last right article that contains each shingle.
    last_rounds: Vec<u32>,
    round: u32,
    /// The number of the shingle at every position of the left article, and of the right one.
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
        let ShingleTable { table, tags, places, counts, last_rounds, left, .. } = self;
        table.clear();
        table.resize((SLOTS_PER_SHINGLE * tokens.len()).next_power_of_two(), 0);
        left.clear();
        for (column, of_absent) in [(&mut *tags, 0), (places, ABSENT), (counts, 0)] {
            column.clear();
            column.push(of_absent);
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
        last_rounds.clear();
        last_rounds.resize(tags.len(), 0);
        self.round = 0;
    }

    /// Looks up every shingle of the right article. Returns how many positions of the left article have a shingle
    /// of the right one, and how many positions of the right article one of the left.
    pub fn find(&mut self, tokens: &[u32], width: usize) -> (usize, usize) {
        let ShingleTable { table, tags, counts, last_rounds, right, .. } = self;
        right.resize(tokens.len() + 1 - width.min(tokens.len()), 0);
        hash::shingles(tokens, WORD, width, |at, h| right[at] = look_up(table, tags, h).0);
        self.round += 1;
        for &number in right.iter() {
            last_rounds[number as usize] = self.round;
        }
        let found = counts.iter().zip(last_rounds).map(|(&count, last)| if *last == self.round { count } else { 0 });
        (found.sum::<u32>() as usize, right.iter().filter(|&&number| number != 0).count())
    }

    /// The first position in the left article, by number of the shingle.
    pub fn first_in_left(&self) -> &[u32] {
        &self.places
    }

    /// The first position in the right article, or ABSENT, by number of the shingle.
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
