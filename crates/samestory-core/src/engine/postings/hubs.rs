//! Hubs: the articles of a long posting list that stand for it.
//!
//! Reading a list of n articles for each of them costs n². An article is crowded if at least half of its keys have lists
//! that are too long for that: it reads their hubs instead, at most a fixed number of each, and a hub, which is one of the
//! crowded articles of the list, reads all of these: in O(n), every crowded article is compared with every hub, whichever
//! of the two is the later one. Hubs are the best representatives, so that star grouping, which begins with these, finds
//! all articles of a large story; and they are taken evenly from all sources. Articles that are not crowded are found by
//! their other keys: if a long article read the hubs of a story that it contains, it would take them away from the others.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::fair;
use crate::engine::population::Corpus;
use crate::engine::rank::Representative;

pub struct Hubs<'a> {
    corpus: &'a Corpus,
    size: usize,
    /// What is read of every long list, by its id; found when the list is first read.
    lists: HashMap<u32, OnceLock<SampledList>>,
    /// Position of every article in the order of representatives, best first.
    ranks: OnceLock<Vec<u32>>,
    /// Whether an article is crowded; empty without long lists.
    is_crowded: Vec<bool>,
}

/// The crowded articles of a long list, and the hubs among them; both sorted.
struct SampledList {
    crowded: Box<[u32]>,
    hubs: Box<[u32]>,
}

impl<'a> Hubs<'a> {
    /// `order`: all articles, best representative first; by default the longest first.
    /// `is_crowded`: by article; empty without long lists.
    pub fn new(
        corpus: &'a Corpus,
        size: usize,
        long_lists: &[u32],
        is_crowded: Vec<bool>,
        order: Option<&[u32]>,
    ) -> Self {
        let lists = long_lists.iter().map(|&list| (list, OnceLock::new())).collect();
        let ranks = order.map_or_else(OnceLock::new, |order| OnceLock::from(positions(order)));
        Hubs { corpus, size, lists, ranks, is_crowded }
    }

    pub fn is_crowded(&self, article: u32) -> bool {
        self.is_crowded[article as usize]
    }

    /// What a crowded article of a long list reads of it: the hubs, or all crowded articles if it is a hub itself.
    pub fn list_of(&self, article: u32, list: u32, members: &[u32]) -> &[u32] {
        let SampledList { crowded, hubs } = self.lists[&list].get_or_init(|| {
            let ranks = self.ranks.get_or_init(|| positions(&self.corpus.ranked(Representative::Longest, &[])));
            let crowded: Box<[u32]> = members.iter().copied().filter(|&member| self.is_crowded(member)).collect();
            let mut hubs = crowded.to_vec();
            let source = |&article: &u32| self.corpus.source(article as usize);
            fair::keep(&mut hubs, self.size, source, |&article| ranks[article as usize].into());
            hubs.sort_unstable();
            SampledList { crowded, hubs: hubs.into() }
        });
        match hubs.binary_search(&article) {
            Ok(_) => crowded,
            Err(_) => hubs,
        }
    }
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut positions = vec![0; order.len()];
    for (position, &article) in (0..).zip(order) {
        positions[article as usize] = position;
    }
    positions
}
