//! Groups by majority: two groups are merged when most of the pairs between them are related.
//!
//! Merges run strongest first, by the mean score of all pairs between two groups (an unrelated pair counts as zero).
//! More than half of the pairs must be related, so that an article between two unrelated others joins one of them, and
//! chains cannot grow. The order of the input does not matter. Groups that are one topic and two events stay apart
//! (topics.rs).
//!
//! An article without a date is compatible with every day, so it may be related to two articles that are too many days
//! apart to be one event. It joins one of them, and does not connect the other.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::mem;

use super::merge_candidate::MergeCandidate;
use crate::base::hash::Numbered;
use crate::base::time::{DAY, NO_TIME};
use crate::engine::cluster::topics::{self, Strength};
use crate::model::certificate::Outside;
use crate::model::decisions::Decisions;
use crate::model::group::Group;
use crate::model::relation::Relation;

/// Scores are summed as integer multiples of 1/this: exact for a double between 1/128 and 1.
const SCORE_UNIT: f64 = (1u64 << 60) as f64;

/// Publication times in microseconds, and the maximum number of days between two related articles.
#[derive(Clone, Copy)]
pub struct Days<'a> {
    pub published: &'a [i64],
    pub most: u32,
}

impl Days<'_> {
    /// The first and the last day of some articles; None if all dates are unknown.
    fn span(&self, articles: &[u32]) -> Option<(i64, i64)> {
        let known = articles.iter().map(|&article| self.published[article as usize]).filter(|&at| at != NO_TIME);
        known.map(|at| at.div_euclid(DAY)).map(|day| (day, day)).reduce(cover)
    }
}

fn cover(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The related pairs between two clusters.
#[derive(Clone, Copy)]
struct Edge {
    pairs: u64,
    /// The sum of their scores, in parts of `SCORE_UNIT`: an integer sum does not depend on the order.
    sum: u128,
    strength: Strength,
    /// The strongest pair, as a position in the relations.
    best: usize,
}

impl Edge {
    /// Whether more than half of the pairs between groups of these sizes are related.
    fn is_majority(&self, one: u64, other: u64) -> bool {
        2 * u128::from(self.pairs) > u128::from(one) * u128::from(other)
    }

    fn add(&mut self, other: &Edge, relations: &[Relation], ranks: &[u32]) {
        self.pairs += other.pairs;
        self.sum += other.sum;
        self.strength.add(other.strength);
        if strength(&relations[other.best], &relations[self.best], ranks).is_gt() {
            self.best = other.best;
        }
    }
}

/// Orders two pairs by strength; of equally strong pairs, the one of the better representatives is greater, so that the
/// result does not depend on the order of relations or merges.
fn strength(one: &Relation, other: &Relation, ranks: &[u32]) -> Ordering {
    let scores = one.overlap.score.total_cmp(&other.overlap.score);
    let shares = one.overlap.share().total_cmp(&other.overlap.share());
    let ranked = |pair: &Relation| {
        let (left, right) = (ranks[pair.left as usize], ranks[pair.right as usize]);
        (left.max(right), left.min(right))
    };
    scores.then(shares).then_with(|| ranked(other).cmp(&ranked(one)))
}

#[derive(Default)]
struct Cluster {
    members: Vec<u32>,
    /// Number of articles, copies counted.
    size: u64,
    /// Number of articles, copies not counted.
    articles: usize,
    /// By neighbour: the number of the edge, which both store.
    edges: Numbered<u32>,
    /// Strength of the pairs inside, pairs of copies not counted.
    inside: Strength,
    rank: u32,
    weakest: Option<Relation>,
    forced: bool,
    /// Its first and its last day; None if unknown or not needed.
    span: Option<(i64, i64)>,
}

struct Assembly<'a> {
    relations: &'a [Relation],
    clusters: Vec<Cluster>,
    /// How many pairs each relation represents; if empty, all.
    pairs: &'a [u64],
    /// Edges of several relations. An edge of one relation is not stored: its number is that of the relation, and those
    /// of the others follow.
    edges: Vec<Edge>,
    /// The cluster of every article.
    cluster: Vec<u32>,
    /// The rank of every article as a representative, 0 for the best.
    ranks: Vec<u32>,
    queue: BinaryHeap<MergeCandidate>,
    decisions: &'a Decisions,
    sizes: &'a [u32],
    days: Option<Days<'a>>,
}

/// Groups the articles of `order`, best representative first, by their relations. `sizes`: how many articles each one
/// represents, itself and its copies; if empty, one. `pairs`: how many pairs of those each relation represents; if
/// empty, all.
pub fn group(order: &[u32], relations: &[Relation], decisions: &Decisions, sizes: &[u32], pairs: &[u64]) -> Vec<Group> {
    group_days(order, relations, decisions, sizes, pairs, None)
}

/// Like `group`, but never merges two groups that are more days apart than `days` allows.
pub fn group_days(
    order: &[u32],
    relations: &[Relation],
    decisions: &Decisions,
    sizes: &[u32],
    pairs: &[u64],
    days: Option<Days>,
) -> Vec<Group> {
    let mut ranks = vec![0u32; order.len()];
    for (rank, &article) in (0..).zip(order) {
        ranks[article as usize] = rank;
    }
    let cluster = vec![u32::MAX; order.len()];
    let (clusters, edges, queue) = (vec![], vec![], BinaryHeap::new());
    let mut assembly = Assembly { relations, pairs, clusters, edges, cluster, ranks, queue, decisions, sizes, days };
    assembly.create_clusters(order);
    assembly.add_relations();
    assembly.merge_all();
    let mut groups: Vec<Group> = vec![];
    let mut clusters: Vec<usize> =
        (0..assembly.clusters.len()).filter(|&p| !assembly.clusters[p].members.is_empty()).collect();
    clusters.sort_unstable_by_key(|&cluster| assembly.clusters[cluster].rank);
    for cluster in clusters {
        groups.push(assembly.certified(cluster as u32));
    }
    groups
}

impl Assembly<'_> {
    fn size(&self, article: u32) -> u64 {
        self.sizes.get(article as usize).map_or(1, |&size| size.into())
    }

    /// Creates one cluster for every block of articles that were decided to be the same.
    fn create_clusters(&mut self, order: &[u32]) {
        for (rank, &article) in (0..).zip(order) {
            if self.cluster[article as usize] != u32::MAX {
                continue;
            }
            let block = self.decisions.block(&article);
            let number = self.clusters.len() as u32;
            block.iter().for_each(|&member| self.cluster[member as usize] = number);
            let forced = block.len() > 1;
            let size = block.iter().map(|&member| self.size(member)).sum();
            let span = self.days.and_then(|days| days.span(block));
            let (members, articles) = (block.to_vec(), block.len());
            self.clusters.push(Cluster { members, size, articles, rank, forced, span, ..Cluster::default() });
        }
    }

    fn add_relations(&mut self) {
        for at in 0..self.relations.len() {
            let Relation { left, right, .. } = self.relations[at];
            let (left, right) = (self.cluster[left as usize], self.cluster[right as usize]);
            if left != right {
                let number = u32::try_from(at).expect("fewer than 2^32 relations fit into memory");
                self.add_edge(left, right, number);
            }
        }
    }

    /// The edge of a number.
    fn edge(&self, number: u32) -> Edge {
        let at = number as usize;
        if at >= self.relations.len() {
            return self.edges[at - self.relations.len()];
        }
        let Relation { left, right, overlap } = self.relations[at];
        let pairs = self.pairs.get(at).copied().unwrap_or_else(|| self.size(left) * self.size(right));
        let sum = u128::from(pairs) * (overlap.score * SCORE_UNIT) as u128;
        Edge { pairs, sum, strength: Strength::new(pairs, overlap.score), best: at }
    }

    /// Adds an edge to the one between two clusters, if there is one.
    fn add_edge(&mut self, one: u32, other: u32, number: u32) {
        let mut number = number;
        if let Some(&known) = self.clusters[one as usize].edges.get(&other) {
            let mut edge = self.edge(known);
            edge.add(&self.edge(number), self.relations, &self.ranks);
            let stored = self.relations.len();
            number = known.max(number);
            match (number as usize).checked_sub(stored) {
                Some(at) => self.edges[at] = edge,
                None => {
                    number = u32::try_from(stored + self.edges.len()).expect("fewer than 2^32 edges fit into memory");
                    self.edges.push(edge);
                }
            }
        }
        self.clusters[one as usize].edges.insert(other, number);
        self.clusters[other as usize].edges.insert(one, number);
    }

    /// Merges the clusters of one connected component after the other: merges in different components do not depend on
    /// each other, and short queues are fast.
    fn merge_all(&mut self) {
        let mut is_reached = vec![false; self.clusters.len()];
        for first in 0..self.clusters.len() as u32 {
            let mut component = vec![];
            if !mem::replace(&mut is_reached[first as usize], true) && !self.clusters[first as usize].edges.is_empty() {
                component.push(first);
            }
            let mut next = 0;
            while let Some(&cluster) = component.get(next) {
                let neighbours = self.clusters[cluster as usize].edges.keys().copied();
                component.extend(neighbours.filter(|&to| !mem::replace(&mut is_reached[to as usize], true)));
                next += 1;
            }
            for cluster in component {
                self.push_candidates(cluster, |other| cluster < other);
            }
            while let Some(merge) = self.queue.pop() {
                self.try_merge(&merge);
            }
        }
    }

    /// Queues the merges of a cluster with each neighbour that has a majority with it.
    fn push_candidates(&mut self, from: u32, wanted: impl Fn(u32) -> bool) {
        let own = &self.clusters[from as usize];
        let mut found = vec![];
        for (&to, &number) in own.edges.iter().filter(|(&to, _)| wanted(to)) {
            let (other, edge) = (&self.clusters[to as usize], self.edge(number));
            let all = own.size as f64 * other.size as f64;
            if edge.is_majority(own.size, other.size) {
                let ranks = (own.rank.min(other.rank), own.rank.max(other.rank));
                let (groups, sizes) = ((from, to), (own.size, other.size));
                found.push(MergeCandidate { mean: edge.sum as f64 / SCORE_UNIT / all, ranks, groups, sizes });
            }
        }
        self.queue.extend(found);
    }

    fn try_merge(&mut self, merge: &MergeCandidate) {
        let (one, other) = merge.groups;
        let sizes = (self.clusters[one as usize].size, self.clusters[other as usize].size);
        // a changed size means that one of them was merged since: a newer candidate exists, if any
        if sizes != merge.sizes || self.are_apart(one, other) || self.are_far(one, other) || self.are_topic(one, other)
        {
            return;
        }
        // the cluster with more edges absorbs the other
        let (into, from) = match self.clusters[one as usize].edges.len().cmp(&self.clusters[other as usize].edges.len())
        {
            Ordering::Less => (other, one),
            _ => (one, other),
        };
        let Cluster { members, size, articles, edges, inside, rank, weakest, forced, span } =
            mem::take(&mut self.clusters[from as usize]);
        let number = self.clusters[into as usize].edges.remove(&from).expect("merge candidates have an edge");
        let edge = self.edge(number);
        let between = edge.strength.among(self.clusters[into as usize].size * size);
        for (&to, &number) in edges.iter().filter(|(&to, _)| to != into) {
            self.clusters[to as usize].edges.remove(&from);
            self.add_edge(into, to, number);
        }
        members.iter().for_each(|&member| self.cluster[member as usize] = into);
        let own = &mut self.clusters[into as usize];
        own.members.extend(members);
        own.size += size;
        // copies are merged first, before any other articles
        own.articles = if between.is_of_copies() { own.articles.max(articles) } else { own.articles + articles };
        own.inside.add(inside);
        own.inside.add(between);
        own.rank = own.rank.min(rank);
        own.forced |= forced;
        own.span = [own.span, span].into_iter().flatten().reduce(cover);
        let links = [own.weakest, weakest, Some(self.relations[edge.best])].into_iter().flatten();
        own.weakest = links.min_by(|one, other| strength(one, other, &self.ranks));
        self.push_candidates(into, |_| true);
    }

    /// Whether a decision keeps members of the two apart.
    fn are_apart(&self, one: u32, other: u32) -> bool {
        let members = self.clusters[one as usize].members.iter();
        self.decisions.has_apart()
            && members
                .copied()
                .any(|m| self.decisions.forbids(m, |other_one| self.cluster[other_one as usize] == other))
    }

    /// Whether the two are too many days apart. Groups whose articles all have dates never are: most of the pairs are
    /// related.
    fn are_far(&self, one: u32, other: u32) -> bool {
        let spans = self.clusters[one as usize].span.zip(self.clusters[other as usize].span);
        spans.zip(self.days).is_some_and(|((one, other), days)| {
            (one.0.saturating_sub(other.1)).max(other.0.saturating_sub(one.1)) > i64::from(days.most)
        })
    }

    /// Whether the two are one topic but two events.
    fn are_topic(&self, one: u32, other: u32) -> bool {
        let (left, right) = (&self.clusters[one as usize], &self.clusters[other as usize]);
        left.articles.min(right.articles) >= topics::MIN_ARTICLES
            && left.edges.get(&other).is_some_and(|&number| {
                let edge = self.edge(number);
                edge.is_majority(left.size, right.size)
                    && edge.strength.among(left.size * right.size).is_topic(&left.inside, &right.inside)
            })
    }

    fn certified(&self, number: u32) -> Group {
        let cluster = &self.clusters[number as usize];
        let representative =
            *cluster.members.iter().min_by_key(|&&m| self.ranks[m as usize]).expect("a cluster has members");
        let mut members = cluster.members.clone();
        members.sort_unstable_by_key(|&member| (member != representative, member));
        let best = cluster.edges.iter().map(|(&to, &number)| (to, self.relations[self.edge(number).best]));
        let nearest = best.max_by(|(_, x), (_, y)| strength(x, y, &self.ranks)).map(|(to, pair)| {
            let is_ours = self.cluster[pair.left as usize] == number;
            (to, if is_ours { pair } else { pair.flipped() })
        });
        let why = |to: u32| match () {
            _ if self.are_apart(number, to) => Outside::Forbidden,
            _ if self.are_topic(number, to) => Outside::Topic,
            _ => Outside::Taken,
        };
        Group {
            representative,
            members,
            weakest: cluster.weakest.map(|link| (link.left, link.right, link.overlap)),
            nearest: nearest.map(|(to, pair)| (pair.right, pair.overlap, why(to))),
            forced: cluster.forced,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::{Kind, Overlap};

    fn related(pairs: &[(u32, u32, f64)]) -> Vec<Relation> {
        let overlap = |score| Overlap::related(score, score, Kind::SameEvent, score);
        pairs.iter().map(|&(left, right, score)| Relation { left, right, overlap: overlap(score) }).collect()
    }

    fn members(count: u32, pairs: &[(u32, u32, f64)], decisions: &Decisions) -> Vec<Vec<u32>> {
        let order: Vec<u32> = (0..count).collect();
        group(&order, &related(pairs), decisions, &[], &[]).into_iter().map(|group| group.members).collect()
    }

    #[test]
    fn one_bridge_joins_no_groups() {
        let pairs = [(0, 1, 0.9), (0, 2, 0.9), (1, 2, 0.9), (3, 4, 0.9), (3, 5, 0.9), (4, 5, 0.9), (2, 3, 0.8)];
        let none = Decisions::default();
        assert_eq!(members(6, &pairs, &none), [vec![0, 1, 2], vec![3, 4, 5]]);
        // nor does a chain grow: each of the others is related to one of two
        assert_eq!(members(4, &[(0, 1, 0.7), (1, 2, 0.9), (2, 3, 0.7)], &none), [vec![0], vec![1, 2], vec![3]]);
    }

    #[test]
    fn decisions_stand_above_majorities() {
        let pairs = [(0, 1, 0.9), (0, 2, 0.9), (1, 2, 0.9)];
        assert_eq!(members(3, &pairs, &Decisions::new(&[], &[(0, 2)])).len(), 2);
        let more = [pairs.as_slice(), &[(1, 3, 0.6)]].concat();
        assert_eq!(members(4, &more, &Decisions::new(&[(0, 3)], &[])), [vec![0, 1, 2, 3]]);
    }

    #[test]
    fn an_article_without_a_date_joins_one_day_and_no_two() {
        let order: Vec<u32> = (0..4).collect();
        let grouped = |published: &[i64], pairs: &[(u32, u32, f64)]| -> Vec<Vec<u32>> {
            let days = Some(Days { published, most: 7 });
            let groups = group_days(&order, &related(pairs), &Decisions::default(), &[], &[], days);
            groups.into_iter().map(|group| group.members).collect()
        };
        // two of three pairs with the last are related
        let bridge = [(0, 1, 0.95), (0, 2, 0.9), (1, 2, 0.9), (0, 3, 0.8), (1, 3, 0.8)];
        assert_eq!(grouped(&[NO_TIME, NO_TIME, 0, 8 * DAY], &bridge), [vec![0, 1, 2], vec![3]]);
        assert_eq!(grouped(&[NO_TIME, NO_TIME, 8 * DAY, 0], &bridge), [vec![0, 1, 2], vec![3]]);
        assert_eq!(grouped(&[NO_TIME, NO_TIME, 0, 8 * DAY - 1], &bridge), [[0, 1, 2, 3]]);
        assert_eq!(grouped(&[NO_TIME, NO_TIME, NO_TIME, 8 * DAY], &bridge), [[0, 1, 2, 3]]);
        // a group of articles with dates may span more days
        assert_eq!(grouped(&[5 * DAY, 5 * DAY, 0, 10 * DAY], &bridge), [[0, 1, 2, 3]]);
    }

    #[test]
    fn the_order_of_the_relations_does_not_matter() {
        let pairs = [(0, 1, 0.6), (1, 2, 0.8), (2, 3, 0.7), (3, 0, 0.6), (4, 1, 0.8), (4, 2, 0.5), (5, 3, 0.9)];
        let none = Decisions::default();
        let wanted = members(6, &pairs, &none);
        for turn in 1..pairs.len() {
            let mut turned = pairs.to_vec();
            turned.rotate_left(turn);
            assert_eq!(members(6, &turned, &none), wanted);
        }
    }

    #[test]
    fn the_certificate_is_the_relation_that_was_reported_in_either_direction() {
        // all pairs of five are equally strong; nine is outside, related to two of them
        let mut pairs: Vec<(u32, u32, f64)> = vec![];
        for left in 0..5 {
            pairs.extend(
                (0..left).map(|right| if (left + right) % 2 == 0 { (left, right, 0.7) } else { (right, left, 0.7) }),
            );
        }
        pairs.extend([(9, 3, 0.7), (1, 9, 0.7)]);
        let order: Vec<u32> = (0..10).collect();
        let certificate = |pairs: &[(u32, u32, f64)]| {
            let groups = group(&order, &related(pairs), &Decisions::default(), &[], &[]);
            let (weakest, nearest) = (groups[0].weakest.unwrap(), groups[0].nearest.unwrap());
            assert_eq!(groups[0].members, [0, 1, 2, 3, 4]);
            ((weakest.0, weakest.1), nearest.0)
        };
        let wanted = certificate(&pairs);
        assert!(pairs.iter().any(|&(left, right, _)| (left, right) == wanted.0));
        for turn in 1..pairs.len() {
            let mut turned = pairs.clone();
            turned.rotate_left(turn);
            assert_eq!(certificate(&turned), wanted, "turned by {turn}");
        }
    }
}
