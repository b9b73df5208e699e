//! The terms of one article by hash, to look those of many others up: for signatures whose terms stand in an order of
//! their own, the rarest first.

#[derive(Default)]
pub struct Lookup {
    /// Places, plus one; a term stands in the first free slot behind its own.
    slots: Vec<u32>,
    terms: Vec<u32>,
}

impl Lookup {
    pub fn load(&mut self, terms: &[u32]) {
        self.terms.clear();
        self.terms.extend_from_slice(terms);
        self.slots.clear();
        self.slots.resize((4 * terms.len()).next_power_of_two(), 0);
        let mask = self.slots.len() - 1;
        for (place, &term) in (1..).zip(terms) {
            let mut at = term as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = place;
        }
    }

    /// The place of a term.
    #[inline]
    pub fn find(&self, term: u32) -> Option<usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = term as usize & mask;
        while let Some(place) = self.slots.get(at).and_then(|&place| (place as usize).checked_sub(1)) {
            if self.terms[place] == term {
                return Some(place);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// How many of these terms are there.
    pub fn common(&self, terms: &[u32]) -> usize {
        terms.iter().filter(|&&term| self.find(term).is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_where_they_stand() {
        let mut lookup = Lookup::default();
        assert_eq!(lookup.find(3), None);
        lookup.load(&[16, 0, 32, 7]); // three of them want the same slot
        assert_eq!(
            [16, 0, 32, 7, 48, 1].map(|term| lookup.find(term)),
            [Some(0), Some(1), Some(2), Some(3), None, None]
        );
        lookup.load(&[]);
        assert_eq!(lookup.common(&[16, 0]), 0);
    }
}
