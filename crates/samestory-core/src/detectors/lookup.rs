//! The terms of one article by hash, to look those of many others up: for signatures whose terms stand in an order of
//! their own, the rarest first.

/// Bits for every term that is loaded: so few of those that are not there pass the first question.
const BITS: usize = 32;

#[derive(Default)]
pub struct Lookup {
    /// Terms with their places, plus one; a term stands in the first free slot behind its own.
    slots: Vec<(u32, u32)>,
    /// A bit for every term, and for some that are not there.
    bits: Vec<u64>,
    /// Room for places.
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

    /// Calls `each` with the place here and there of every term that is in both, in the order of those there. In two
    /// steps, since most are not here: the processor cannot guess which, and need not while the likely ones are noted.
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

    /// How many of these terms are there.
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
        lookup.load(&[16, 0, 32, 7]); // three of them want the same slot
        assert_eq!(found(&mut lookup, &[16, 48, 7, 1, 0, 32]), [(0, 0), (3, 2), (1, 4), (2, 5)]);
        lookup.load(&[]);
        assert_eq!(lookup.common(&[16, 0]), 0);
        let many: Vec<u32> = (0..3000u32).map(|x| x.wrapping_mul(2_654_435_761)).collect();
        lookup.load(&many);
        assert_eq!(lookup.common(&many[1000..]), 2000);
    }
}
