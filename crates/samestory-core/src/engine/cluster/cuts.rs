//! Groups at many thresholds: pairs are scored once and cut at each threshold.
//!
//! The groups are those of `groups` without decisions, and have no certificates.

use crate::detectors::{Kind, Overlap};
use crate::engine::cluster::majority;
use crate::model::decisions::Decisions;
use crate::model::group::Method;
use crate::model::relation::Relation;

/// Two articles and the score up to which they are related.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub score: f64,
}

/// For every threshold the group of every article; `order` names the articles, best representative first.
pub fn cuts(pairs: &[Pair], order: &[u32], method: Method, thresholds: &[f64]) -> Vec<Vec<u32>> {
    match method {
        Method::Star => {
            let links = Links::new(pairs, order.len());
            thresholds.iter().map(|&threshold| links.stars(order, threshold)).collect()
        }
        Method::Components => thresholds.iter().map(|&threshold| components(pairs, order, threshold)).collect(),
        Method::Majority => thresholds.iter().map(|&threshold| majorities(pairs, order, threshold)).collect(),
    }
}

const NO_GROUP: u32 = u32::MAX;

/// Adjacency lists of the articles, concatenated.
struct Links {
    ends: Vec<usize>,
    others: Vec<(u32, f64)>,
}

impl Links {
    fn new(pairs: &[Pair], count: usize) -> Self {
        let mut next = vec![0usize; count + 1];
        for pair in pairs {
            next[pair.left as usize + 1] += 1;
            next[pair.right as usize + 1] += 1;
        }
        for article in 0..count {
            next[article + 1] += next[article];
        }
        let mut others = vec![(0, 0.0); 2 * pairs.len()];
        for pair in pairs {
            for (from, to) in [(pair.left, pair.right), (pair.right, pair.left)] {
                others[next[from as usize]] = (to, pair.score);
                next[from as usize] += 1;
            }
        }
        // every offset has advanced to the beginning of the next list
        Links { ends: next, others }
    }

    fn of(&self, article: u32) -> &[(u32, f64)] {
        let start = if article == 0 { 0 } else { self.ends[article as usize - 1] };
        &self.others[start..self.ends[article as usize]]
    }

    fn stars(&self, order: &[u32], threshold: f64) -> Vec<u32> {
        let mut labels = vec![NO_GROUP; order.len()];
        let mut number = 0;
        for &article in order {
            if labels[article as usize] != NO_GROUP {
                continue;
            }
            labels[article as usize] = number;
            for &(other, score) in self.of(article) {
                if score >= threshold && labels[other as usize] == NO_GROUP {
                    labels[other as usize] = number;
                }
            }
            number += 1;
        }
        labels
    }
}

fn majorities(pairs: &[Pair], order: &[u32], threshold: f64) -> Vec<u32> {
    let related = |pair: &Pair| {
        let overlap = Overlap::related(pair.score, pair.score, Kind::SameEvent, pair.score);
        Relation { left: pair.left, right: pair.right, overlap }
    };
    let relations: Vec<Relation> = pairs.iter().filter(|pair| pair.score >= threshold).map(related).collect();
    let mut labels = vec![NO_GROUP; order.len()];
    for (number, group) in (0..).zip(majority::group(order, &relations, &Decisions::default(), &[], &[])) {
        group.members.iter().for_each(|&member| labels[member as usize] = number);
    }
    labels
}

fn components(pairs: &[Pair], order: &[u32], threshold: f64) -> Vec<u32> {
    let above = pairs.iter().filter(|pair| pair.score >= threshold);
    crate::engine::cluster::components::components(order.len(), above.map(|pair| (pair.left, pair.right)))
}
