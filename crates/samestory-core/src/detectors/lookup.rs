//! Hash table of the terms of one article, in which those of many others are looked up: for signatures whose terms are
//! not sorted by value but by rarity.

/// Bits of the filter per loaded term: few terms that are not loaded pass it.
const BITS: usize = 32;

#[derive(Default)]
pub struct Lookup {
    /// Terms with their index plus one; open addressing with linear probing.
    slots: Vec<(u32, u32)>,
    /// Filter: a bit for every term, with some false positives.
    bits: Vec<u64>,
    /// Buffer for indexes.
    likely: Vec<u32>,
}

impl Lookup {
    pub fn load(&mut self, terms: &[u32]) {
        self.slots.clear();
        self.slots.resize((4 * terms.len()).next_power_of_two(), (0, 0));
        self.bits.clear();
        self.bits.resize((BITS * terms.len()).next_power_of_two().div_ceil(64), 0);
        let (mask, bits) = (self.slots.len() - 1, 64 * self.bits.len() - 1);
        for (place, &term) in (1..).zip(terms) {
            let bit = (term >> 1) as usize & bits;
            self.bits[bit / 64] |= 1 << (bit % 64);
            let mut at = term as usize & mask;
            while self.slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = (term, place);
        }
    }

    /// Calls `each` with the index in the loaded and in the given terms of every common term, in the order of the given
    /// ones. In two steps, since most are not common: the first notes those that pass the filter, without branches.
    pub fn matches(&mut self, terms: &[u32], mut each: impl FnMut(usize, usize)) {
        let Lookup { slots, bits, likely } = self;
        if bits.is_empty() {
            return;
        }
        if likely.len() < terms.len() {
            likely.resize(terms.len(), 0);
        }
        let mask = 64 * bits.len() - 1;
        let mut count = 0;
        for (place, &term) in (0..).zip(terms) {
            let bit = (term >> 1) as usize & mask;
            likely[count] = place;
            count += (bits[bit / 64] >> (bit % 64) & 1) as usize;
        }
        let mask = slots.len() - 1;
        for &there in &likely[..count] {
            let term = terms[there as usize];
            let mut at = term as usize & mask;
            while slots[at].1 != 0 && slots[at].0 != term {
                at = (at + 1) & mask;
            }
            if slots[at].1 != 0 {
                each(slots[at].1 as usize - 1, there as usize);
            }
        }
    }

    /// How many of these terms are loaded.
    pub fn common(&mut self, terms: &[u32]) -> usize {
        let mut common = 0;
        self.matches(terms, |_, _| common += 1);
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lookup: &mut Lookup, terms: &[u32]) -> Vec<(usize, usize)> {
        let mut out = vec![];
        lookup.matches(terms, |here, there| out.push((here, there)));
        out
    }

    #[test]
    fn terms_are_found_where_they_stand() {
        let mut lookup = Lookup::default();
        assert_eq!(found(&mut lookup, &[3]), []);
        lookup.load(&[16, 0, 32, 7]); // three of them hash to the same slot
        assert_eq!(found(&mut lookup, &[16, 48, 7, 1, 0, 32]), [(0, 0), (3, 2), (1, 4), (2, 5)]);
        lookup.load(&[]);
        assert_eq!(lookup.common(&[16, 0]), 0);
        let many: Vec<u32> = (0..3000u32).map(|x| x.wrapping_mul(2_654_435_761)).collect();
        lookup.load(&many);
        assert_eq!(lookup.common(&many[1000..]), 2000);
    }
}
