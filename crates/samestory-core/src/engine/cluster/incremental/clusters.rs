//! The groups of a stream: their numbers and their members.

use std::cmp::Ordering;

use crate::engine::cluster::topics::Strength;
use crate::engine::postings::live::ONE;

#[derive(Default)]
pub struct Cluster {
    pub number: u64,
    /// Articles, in the order in which they came.
    pub members: Vec<u32>,
    /// The lots they are in.
    pub classes: Vec<u32>,
    /// How many of them have not been taken away.
    pub size: u64,
}

#[derive(Default)]
pub struct Clusters {
    /// Those without members are free to be used again; numbers never are.
    places: Vec<Cluster>,
    free: Vec<u32>,
    last: u64,
}

impl Clusters {
    pub fn get(&self, place: u32) -> &Cluster {
        &self.places[place as usize]
    }

    pub fn get_mut(&mut self, place: u32) -> &mut Cluster {
        &mut self.places[place as usize]
    }

    /// Gives lots other numbers.
    pub fn rename(&mut self, numbers: &[u32]) {
        self.places
            .iter_mut()
            .flat_map(|cluster| &mut cluster.classes)
            .for_each(|class| *class = numbers[*class as usize]);
    }

    /// The groups by their places, those that are free among them.
    pub fn every(&self) -> &[Cluster] {
        &self.places
    }

    /// The groups that have members.
    pub fn all(&self) -> impl Iterator<Item = &Cluster> {
        self.places.iter().filter(|cluster| !cluster.members.is_empty())
    }

    pub fn open(&mut self, members: Vec<u32>, classes: Vec<u32>) -> u32 {
        self.last += 1;
        self.open_as(self.last, members, classes)
    }

    /// No new group has a number up to this one.
    pub fn begin_after(&mut self, number: u64) {
        self.last = self.last.max(number);
    }

    /// Opens a group whose number is known.
    pub fn open_as(&mut self, number: u64, members: Vec<u32>, classes: Vec<u32>) -> u32 {
        self.begin_after(number);
        let size = members.len() as u64;
        let cluster = Cluster { number, members, classes, size };
        match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = cluster;
                place
            }
            None => {
                self.places.push(cluster);
                self.places.len() as u32 - 1
            }
        }
    }

    /// Gives a place free.
    pub fn close(&mut self, place: u32) -> Cluster {
        self.free.push(place);
        std::mem::take(&mut self.places[place as usize])
    }

    /// Puts the members of one group behind those of another.
    pub fn merge(&mut self, kept: u32, gone: u32) {
        let cluster = self.close(gone);
        let own = &mut self.places[kept as usize];
        own.members.extend(cluster.members);
        own.classes.extend(cluster.classes);
        own.size += cluster.size;
    }
}

/// What is between a group and another one: how many pairs are related, and the sum of their scores, in whole numbers, so
/// that the order in which they are added does not matter.
#[derive(Clone, Copy, Default)]
pub struct Edge {
    pub pairs: u64,
    pub sum: u64,
    pub strength: Strength,
}

impl Edge {
    pub fn add(&mut self, pairs: u64, score: u32) {
        self.pairs += pairs;
        self.sum += pairs * u64::from(score);
        self.strength.add(Strength::of(pairs, f64::from(score) / ONE));
    }

    /// Are more than half of all pairs related?
    pub fn is_majority(&self, one: u64, other: u64) -> bool {
        2 * u128::from(self.pairs) > u128::from(one) * u128::from(other)
    }

    /// By their means over all pairs, those of groups of these sizes with one and the same group: compared without
    /// dividing.
    pub fn compare(&self, size: u64, other: &Edge, other_size: u64) -> Ordering {
        (u128::from(self.sum) * u128::from(other_size)).cmp(&(u128::from(other.sum) * u128::from(size)))
    }
}
