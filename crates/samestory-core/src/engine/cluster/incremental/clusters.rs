//! The clusters of a stream: their numbers and their members.

use std::cmp::Ordering;

use crate::base::free_list;
use crate::engine::cluster::topics::Strength;
use crate::engine::duplicate_class::ONE;

#[derive(Default)]
pub struct Cluster {
    pub number: u64,
    /// Articles, in the order of arrival.
    pub members: Vec<u32>,
    /// The duplicate classes of the articles.
    pub classes: Vec<u32>,
    /// Number of members that have not been removed.
    pub size: u64,
}

#[derive(Default)]
pub struct Clusters {
    /// Slots of clusters without members are reused; numbers never are.
    places: Vec<Cluster>,
    free: Vec<u32>,
    last_number: u64,
}

impl Clusters {
    pub fn get(&self, place: u32) -> &Cluster {
        &self.places[place as usize]
    }

    pub fn get_mut(&mut self, place: u32) -> &mut Cluster {
        &mut self.places[place as usize]
    }

    /// Renumbers duplicate classes.
    pub fn rename(&mut self, numbers: &[u32]) {
        self.places
            .iter_mut()
            .flat_map(|cluster| &mut cluster.classes)
            .for_each(|class| *class = numbers[*class as usize]);
    }

    /// All slots, free ones included.
    pub fn every(&self) -> &[Cluster] {
        &self.places
    }

    /// The clusters that have members.
    pub fn all(&self) -> impl Iterator<Item = &Cluster> {
        self.places.iter().filter(|cluster| !cluster.members.is_empty())
    }

    pub fn open(&mut self, members: Vec<u32>, classes: Vec<u32>) -> u32 {
        self.last_number += 1;
        self.open_as(self.last_number, members, classes)
    }

    /// Makes all new clusters have numbers greater than this one.
    pub fn begin_after(&mut self, number: u64) {
        self.last_number = self.last_number.max(number);
    }

    /// Opens a cluster with a given number.
    pub fn open_as(&mut self, number: u64, members: Vec<u32>, classes: Vec<u32>) -> u32 {
        self.begin_after(number);
        let size = members.len() as u64;
        let cluster = Cluster { number, members, classes, size };
        free_list::store(&mut self.places, &mut self.free, cluster)
    }

    /// Frees a slot.
    pub fn close(&mut self, place: u32) -> Cluster {
        self.free.push(place);
        std::mem::take(&mut self.places[place as usize])
    }

    /// Appends the members of one cluster to those of another and frees its slot.
    pub fn merge(&mut self, kept: u32, absorbed: u32) {
        let cluster = self.close(absorbed);
        let own = &mut self.places[kept as usize];
        own.members.extend(cluster.members);
        own.classes.extend(cluster.classes);
        own.size += cluster.size;
    }
}

/// The related pairs between two clusters: their number, and the sum of their scores, in integers, so that the order of
/// addition does not matter.
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
        self.strength.add(Strength::new(pairs, f64::from(score) / ONE));
    }

    /// Whether more than half of all pairs are related.
    pub fn is_majority(&self, one: u64, other: u64) -> bool {
        2 * u128::from(self.pairs) > u128::from(one) * u128::from(other)
    }

    /// Compares the mean scores over all pairs of two clusters of these sizes with one and the same third, without
    /// division.
    pub fn compare(&self, size: u64, other: &Edge, other_size: u64) -> Ordering {
        (u128::from(self.sum) * u128::from(other_size)).cmp(&(u128::from(other.sum) * u128::from(size)))
    }
}
