//! The different stems of an item, in the order of the text, each with its note.

use super::item::{CAPITAL, MAX_DISTINCT_WORDS};

/// At most a quarter full.
const SLOTS: usize = 512;
const _: () = assert!(SLOTS >= 4 * MAX_DISTINCT_WORDS && MAX_DISTINCT_WORDS < 256);

pub struct Stems {
    pub stems: Vec<u32>,
    pub notes: Vec<u32>,
    /// Hash table with open addressing: positions in `stems`, plus 1.
    slots: [u8; SLOTS],
}

impl Default for Stems {
    fn default() -> Self {
        Stems { stems: vec![], notes: vec![], slots: [0; SLOTS] }
    }
}

impl Stems {
    /// The slot of a stem, or the empty one where it belongs.
    fn slot(&self, stem: u32) -> usize {
        let mut slot = stem as usize % SLOTS;
        while self.slots[slot] != 0 && self.stems[usize::from(self.slots[slot]) - 1] != stem {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    /// The position of a stem, given by its hash.
    pub fn find(&self, stem: u64) -> Option<usize> {
        usize::from(self.slots[self.slot((stem >> 32) as u32)]).checked_sub(1)
    }

    /// Adds a new stem with its note, unless there are too many.
    pub fn push(&mut self, stem: u64, note: u32) {
        if self.stems.len() < MAX_DISTINCT_WORDS {
            let stem = (stem >> 32) as u32;
            let slot = self.slot(stem);
            self.stems.push(stem);
            self.notes.push(note);
            self.slots[slot] = self.stems.len() as u8;
        }
    }

    /// Adds the flags and the capital of another occurrence to the note at a position.
    pub fn merge(&mut self, at: usize, flags: u32, low: u32) {
        self.notes[at] |= flags << 16 | low & CAPITAL;
    }
}
