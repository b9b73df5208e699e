//! The groups of a stream: their numbers, their members, and what is between them.
//!
//! Between two groups lie related pairs; of those only the number is kept and the sum of their scores, in whole numbers,
//! so that what is added and taken back again leaves nothing behind.

use std::cmp::Ordering;

/// A score of one, as it is added up: fine enough to tell scores apart, and a hundred thousand copies of one article
/// related to as many of another do not come to the end of 64 bits.
pub const ONE: f64 = (1u32 << 24) as f64;

struct Bond {
    to: u32,
    pairs: u64,
    sum: u64,
}

#[derive(Default)]
pub struct Party {
    pub number: u64,
    /// Articles, in the order in which they came.
    pub members: Vec<u32>,
    /// How many of them have not been taken away.
    pub size: u64,
    /// Sorted by group.
    bonds: Vec<Bond>,
}

impl Party {
    fn at(&self, other: u32) -> Result<usize, usize> {
        self.bonds.binary_search_by_key(&other, |bond| bond.to)
    }
}

#[derive(Default)]
pub struct Parties {
    /// Those without members are free to be used again; numbers never are.
    places: Vec<Party>,
    free: Vec<u32>,
    last: u64,
}

impl Parties {
    pub fn get(&self, place: u32) -> &Party {
        &self.places[place as usize]
    }

    pub fn get_mut(&mut self, place: u32) -> &mut Party {
        &mut self.places[place as usize]
    }

    /// The groups that have members.
    pub fn all(&self) -> impl Iterator<Item = &Party> {
        self.places.iter().filter(|party| !party.members.is_empty())
    }

    pub fn open(&mut self, members: Vec<u32>) -> u32 {
        self.last += 1;
        let size = members.len() as u64;
        let party = Party { number: self.last, members, size, bonds: vec![] };
        match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = party;
                place
            }
            None => {
                self.places.push(party);
                self.places.len() as u32 - 1
            }
        }
    }

    /// Gives a place free.
    pub fn close(&mut self, place: u32) -> Party {
        self.free.push(place);
        self.loose(place);
        std::mem::take(&mut self.places[place as usize])
    }

    /// Forgets what is between a group and all others.
    pub fn loose(&mut self, place: u32) {
        for bond in std::mem::take(&mut self.places[place as usize].bonds) {
            let other = &mut self.places[bond.to as usize];
            if let Ok(at) = other.at(place) {
                other.bonds.remove(at);
            }
        }
    }

    /// Notes related pairs between two groups, all with one score.
    pub fn bind(&mut self, one: u32, other: u32, pairs: u64, score: u32) {
        if pairs > 0 {
            self.add(one, other, pairs, pairs * u64::from(score));
        }
    }

    fn add(&mut self, one: u32, other: u32, pairs: u64, sum: u64) {
        for (here, there) in [(one, other), (other, one)] {
            let party = &mut self.places[here as usize];
            match party.at(there) {
                Ok(at) => {
                    party.bonds[at].pairs += pairs;
                    party.bonds[at].sum += sum;
                }
                Err(at) => party.bonds.insert(at, Bond { to: there, pairs, sum }),
            }
        }
    }

    /// Takes them back.
    pub fn unbind(&mut self, one: u32, other: u32, pairs: u64, score: u32) {
        for (here, there) in [(one, other), (other, one)] {
            let party = &mut self.places[here as usize];
            let Ok(at) = party.at(there) else { continue };
            party.bonds[at].pairs -= pairs;
            party.bonds[at].sum -= pairs * u64::from(score);
            if party.bonds[at].pairs == 0 {
                party.bonds.remove(at);
            }
        }
    }

    /// The group that this one should join, if any: the greatest mean of those with a majority, the older first.
    pub fn best(&self, place: u32) -> Option<u32> {
        let own = self.get(place);
        let offers = own.bonds.iter().filter_map(|bond| {
            let pairs = u128::from(own.size) * u128::from(self.get(bond.to).size);
            (2 * u128::from(bond.pairs) >= pairs).then_some((bond, pairs))
        });
        // sum / pairs, compared without dividing
        let order = |(one, all): &(&Bond, u128), (other, those): &(&Bond, u128)| {
            let means: Ordering = (u128::from(one.sum) * those).cmp(&(u128::from(other.sum) * all));
            means.then_with(|| self.get(other.to).number.cmp(&self.get(one.to).number))
        };
        offers.max_by(order).map(|(bond, _)| bond.to)
    }

    /// Puts the members of one group behind those of another.
    pub fn merge(&mut self, kept: u32, gone: u32) {
        let bonds = std::mem::take(&mut self.places[gone as usize].bonds);
        for bond in bonds {
            let other = &mut self.places[bond.to as usize];
            if let Ok(at) = other.at(gone) {
                other.bonds.remove(at);
            }
            if bond.to != kept {
                self.add(kept, bond.to, bond.pairs, bond.sum);
            }
        }
        let party = self.close(gone);
        let own = &mut self.places[kept as usize];
        own.members.extend(party.members);
        own.size += party.size;
    }

    /// What lies between any two groups, by their numbers: pairs and the sum of their scores.
    pub fn bonds(&self) -> Vec<(u64, u64, u64, f64)> {
        let mut out = vec![];
        for party in self.all() {
            let later = party.bonds.iter().filter(|bond| self.get(bond.to).number > party.number);
            out.extend(later.map(|bond| (party.number, self.get(bond.to).number, bond.pairs, bond.sum as f64 / ONE)));
        }
        out.sort_by_key(|&(one, other, ..)| (one, other));
        out
    }
}
