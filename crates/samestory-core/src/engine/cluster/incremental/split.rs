//! Splits a group after articles are removed: `majority` groups the remaining ones again.
//!
//! Of a large group not all relations are known: posting lists are sampled, and archives keep the strongest relations of
//! an article. Such a group falls apart only where no relation holds it together.

use std::collections::{HashMap, HashSet};

use super::clusters::Cluster;
use super::stream::{Change, ChangeKind, Stream, StreamArticle};
use crate::detectors::{Kind, Overlap};
use crate::engine::cluster::components::components;
use crate::engine::cluster::majority;
use crate::engine::duplicate_class::{Neighbour, ONE};
use crate::model::decisions::Decisions;
use crate::model::relation::Relation;

/// The most duplicate classes of a group in which most pairs must be related. An archive keeps half as many relations of
/// each article, which are more than half of the pairs of so many articles.
const MAX_MAJORITY_CLASSES: usize = 100;

impl Stream {
    /// Regroups the remaining articles of a group: the part with the oldest article keeps the number. Age is by
    /// publication time, ties by id, not by arrival: restored articles arrive in another order.
    pub(super) fn split(&mut self, place: u32, changes: &mut Vec<Change>) {
        let cluster = self.clusters.get(place);
        if cluster.classes.len() < 2 {
            return;
        }
        let (members, classes) = (cluster.members.clone(), cluster.classes.clone());
        let at: HashMap<u32, u32> = classes.iter().copied().zip(0..).collect();
        let neighbours = self.inside(place, &classes);
        let part = self.parts(&members, &classes, &at, &neighbours);
        let mut parts: Vec<Vec<u32>> = vec![];
        let mut number: HashMap<u32, usize> = HashMap::new();
        for &article in &members {
            let own = part[at[&self.articles[article as usize].class] as usize];
            let next = number.len();
            let place = *number.entry(own).or_insert(next);
            parts.resize_with(number.len(), Vec::new);
            parts[place].push(article);
        }
        let mut parts = self.united(parts);
        // parts by their oldest article, members in the order of arrival
        let order: HashMap<u32, usize> = members.iter().copied().zip(0..).collect();
        parts.iter_mut().for_each(|part| part.sort_unstable_by_key(|article| order[article]));
        let age = |&article: &u32| {
            let StreamArticle { published, ref id, .. } = self.articles[article as usize];
            (published, id.clone())
        };
        parts.sort_by_cached_key(|part| part.iter().map(age).min());
        if parts.len() > 1 {
            self.separate(place, parts, changes);
        }
    }

    /// The relations between the duplicate classes of a group, each once.
    pub(super) fn inside(&mut self, place: u32, classes: &[u32]) -> Vec<(u32, Neighbour)> {
        let mut out = vec![];
        for &class in classes {
            let neighbours = self.live_index.related(class, |there, other| there.cluster == place && other < class);
            out.extend(neighbours.into_iter().map(|neighbour| (class, neighbour)));
        }
        out
    }

    /// The number of the part of every duplicate class of a group.
    pub(super) fn parts(
        &self,
        members: &[u32],
        classes: &[u32],
        at: &HashMap<u32, u32>,
        neighbours: &[(u32, Neighbour)],
    ) -> Vec<u32> {
        let mut named: Vec<(&str, u32)> = members
            .iter()
            .map(|&article| {
                let StreamArticle { id, class, .. } = &self.articles[article as usize];
                (&**id, at[class])
            })
            .collect();
        // ties between merges go to the smallest ids
        named.sort_unstable();
        let mut seen = HashSet::new();
        let order: Vec<u32> = named.into_iter().map(|(_, class)| class).filter(|&class| seen.insert(class)).collect();
        let sizes: Vec<u32> = classes.iter().map(|&class| self.live_index.classes[class as usize].size()).collect();
        let (mut relations, mut pairs) = (vec![], vec![]);
        for &(class, neighbour) in neighbours {
            let count = self.live_index.all_pairs(class, neighbour);
            let score = f64::from(neighbour.score()) / ONE;
            if count > 0 {
                let overlap = Overlap::related(1.0, 1.0, Kind::Near, score);
                relations.push(Relation { left: at[&class], right: at[&neighbour.to], overlap });
                pairs.push(count);
            }
        }
        let mut part = vec![0; classes.len()];
        let apart: Vec<(u32, u32)> =
            self.apart(members).into_iter().map(|(one, other)| (at[&one], at[&other])).collect();
        if classes.len() > MAX_MAJORITY_CLASSES {
            return loosely(classes.len(), &relations, &apart);
        }
        let groups = majority::group(&order, &relations, &Decisions::new(&[], &apart), &sizes, &pairs);
        for (number, group) in (0..).zip(groups) {
            group.members.iter().for_each(|&class| part[class as usize] = number);
        }
        part
    }

    /// Opens a group for every part but the first, which keeps the slot and number.
    pub(super) fn separate(&mut self, place: u32, parts: Vec<Vec<u32>>, changes: &mut Vec<Change>) {
        let number = self.clusters.get(place).number;
        for (at, members) in parts.into_iter().enumerate() {
            let mut classes: Vec<u32> = members.iter().map(|&article| self.articles[article as usize].class).collect();
            classes.sort_unstable();
            classes.dedup();
            if at == 0 {
                let size = members.len() as u64;
                *self.clusters.get_mut(place) = Cluster { number, members, classes, size };
                continue;
            }
            let articles = self.ids(&members);
            let part = self.clusters.open(members, classes.clone());
            for class in classes {
                self.live_index.classes[class as usize].cluster = part;
            }
            let other = Some(self.clusters.get(part).number);
            changes.push(Change { other, ..Change::new(ChangeKind::Split, number, articles) });
        }
    }
}

/// The part of every class: connected ones are together, except the later class of each pair that was decided apart.
fn loosely(classes: usize, relations: &[Relation], apart: &[(u32, u32)]) -> Vec<u32> {
    let alone: HashSet<u32> = apart.iter().map(|&(one, other)| one.max(other)).collect();
    let edges = relations.iter().map(|relation| (relation.left, relation.right));
    components(classes, edges.filter(|(left, right)| !alone.contains(left) && !alone.contains(right)))
}
