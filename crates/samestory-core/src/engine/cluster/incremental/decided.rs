//! Manual decisions about pairs of articles: same story or not. They override the measured relations, and outlive the
//! articles: an article that is added again is treated as before.
//!
//! Two groups are merged whole when an article of one and an article of the other are decided to be the same story; two
//! articles that are decided apart are never in one group, and majorities decide about the others.

use std::collections::HashSet;
use std::sync::Arc;

use super::decisions::Conflict;
use super::stream::{Change, Edges, Stream, StreamArticle};
use crate::engine::duplicate_class::Neighbour;

impl Stream {
    /// Sets the decision about two articles, which need not be in the stream; `None` removes it. With `split`, groups
    /// that must not be merged whole exchange the two articles instead, unless only decisions forbid it.
    pub fn decide(
        &mut self,
        left: &str,
        right: &str,
        same: Option<bool>,
        split: bool,
    ) -> Result<Vec<Change>, Conflict> {
        let mut changes = vec![];
        let both = self.by_id.get(left).copied().zip(self.by_id.get(right).copied());
        if let Some((one, other)) = both.filter(|_| same == Some(true)) {
            let before = self.decided.set(left, right, None);
            let conflict = self.forbidden(self.cluster(one), self.cluster(other));
            self.decided.set(left, right, before);
            match conflict {
                Some(_) if split => {
                    self.move_decided(one, other, &mut changes)?;
                    self.decided.set(left, right, same);
                    return Ok(changes);
                }
                Some((one, other)) => return Err(Conflict(one, other)),
                None => {}
            }
        }
        if let Some((one, other)) =
            both.filter(|(one, other)| same == Some(false) && self.cluster(*one) == self.cluster(*other))
        {
            if let Some(between) = self.chained(one, other, (left, right)) {
                return Err(Conflict(between.0, between.1));
            }
        }
        let before = self.decided.set(left, right, same);
        let Some((one, other)) = both else {
            return Ok(changes);
        };
        self.isolate(one);
        self.isolate(other);
        let (here, there) = (self.cluster(one), self.cluster(other));
        if same == Some(true) && here != there {
            self.merge(here, there, None, &mut changes);
        } else if same != Some(true) && here == there {
            self.split(here, &mut changes);
        } else if before == Some(false) && same.is_none() {
            let mut edges = Edges::from([(there, Default::default())]);
            self.widen(&mut edges, here);
            self.join_to(here, edges, &mut changes);
        }
        Ok(changes)
    }

    /// Merges two articles, and those decided to be the same story as them, out of groups that must stay apart. The
    /// second article moves if decisions allow it, otherwise the first, otherwise both.
    fn move_decided(&mut self, one: u32, other: u32, changes: &mut Vec<Change>) -> Result<(), Conflict> {
        let blocks = [self.block(one), self.block(other)];
        if let Some(conflict) = self.apart_between(&blocks[0], &blocks[1]) {
            return Err(conflict);
        }
        let groups = [one, other].map(|article| &self.clusters.get(self.cluster(article)).members);
        let moves = if self.apart_between(groups[0], &blocks[1]).is_none() {
            [false, true]
        } else {
            [true, self.apart_between(&blocks[0], groups[1]).is_some()]
        };
        let moving = [one, other].into_iter().zip(blocks).zip(moves).filter(|&(_, moves)| moves);
        for ((article, block), _) in moving {
            block.iter().for_each(|&article| self.isolate(article));
            let place = self.cluster(article);
            let mut rest = self.clusters.get(place).members.clone();
            rest.retain(|article| !block.contains(article));
            if !rest.is_empty() {
                self.separate(place, vec![rest, block], changes);
                self.split(place, changes);
            }
        }
        self.isolate(one);
        self.isolate(other);
        self.merge(self.cluster(one), self.cluster(other), None, changes);
        Ok(())
    }

    /// An article and those of its group that decisions connect with it, in the order of arrival.
    fn block(&self, article: u32) -> Vec<u32> {
        let place = self.cluster(article);
        let inside: Vec<(u32, u32)> = self
            .living(true)
            .map(|(_, left, right)| (left, right))
            .filter(|&(left, right)| self.cluster(left) == place && self.cluster(right) == place)
            .collect();
        let mut reached = HashSet::from([article]);
        while let Some(&(left, right)) =
            inside.iter().find(|(left, right)| reached.contains(left) != reached.contains(right))
        {
            reached.extend([left, right]);
        }
        self.clusters.get(place).members.iter().copied().filter(|member| reached.contains(member)).collect()
    }

    /// A decision that an article of one list and an article of the other are apart.
    fn apart_between(&self, some: &[u32], others: &[u32]) -> Option<Conflict> {
        let (some, others): (HashSet<_>, HashSet<_>) = (some.iter().collect(), others.iter().collect());
        let crosses = |left: &u32, right: &u32| some.contains(left) && others.contains(right);
        let decision = self.living(false).find(|(_, left, right)| crosses(left, right) || crosses(right, left));
        decision.map(|((left, right), ..)| Conflict(left.clone(), right.clone()))
    }

    pub(super) fn join_to(&mut self, place: u32, mut edges: Edges, changes: &mut Vec<Change>) {
        let (size, others) = (self.clusters.get(place).size, &self.clusters);
        edges.retain(|&other, edge| edge.is_majority(size, others.get(other).size));
        self.join(place, None, edges, changes);
    }

    /// A decision that forbids merging two groups, if there is one.
    pub(super) fn forbidden(&self, one: u32, other: u32) -> Option<(Arc<str>, Arc<str>)> {
        let between = |left: u32, right: u32| (left, right) == (one, other) || (left, right) == (other, one);
        let decision = self.living(false).find(|&(_, left, right)| between(self.cluster(left), self.cluster(right)));
        decision.map(|((left, right), ..)| (left.clone(), right.clone()))
    }

    /// The decisions of one kind about articles in the stream.
    pub(super) fn living(&self, same: bool) -> impl Iterator<Item = (&(Arc<str>, Arc<str>), u32, u32)> {
        let pairs = self.decided.pairs.iter().filter(move |&(_, &what)| what == same);
        pairs.filter_map(|(pair, _)| Some((pair, *self.by_id.get(&pair.0)?, *self.by_id.get(&pair.1)?)))
    }

    /// A decision of a chain that makes two articles one story, ignoring the decision about the pair `aside`.
    pub(super) fn chained(&self, one: u32, other: u32, aside: (&str, &str)) -> Option<(Arc<str>, Arc<str>)> {
        let aside = (aside.0.min(aside.1), aside.0.max(aside.1));
        let neighbours: Vec<_> = self.living(true).filter(|(pair, ..)| (&*pair.0, &*pair.1) != aside).collect();
        let mut reached = HashSet::from([one]);
        loop {
            let next = neighbours.iter().find(|(_, left, right)| reached.contains(left) != reached.contains(right));
            let (pair, left, right) = next?;
            reached.extend([left, right]);
            if reached.contains(&other) {
                return Some((pair.0.clone(), pair.1.clone()));
            }
        }
    }

    /// Merges the group of an article with those of the articles decided to be the same story.
    pub(super) fn unite(&mut self, id: &str, changes: &mut Vec<Change>) {
        if !self.decided.mentions(id) {
            return;
        }
        let own = self.by_id[id];
        let named = |&(_, left, right): &(_, u32, u32)| left == own || right == own;
        let mut others: Vec<u32> =
            self.living(true).filter(named).map(|(_, left, right)| if left == own { right } else { left }).collect();
        others.sort_unstable();
        for other in others {
            let (here, there) = (self.cluster(own), self.cluster(other));
            if here != there && self.forbidden(here, there).is_none() {
                self.merge(here, there, None, changes);
            } else if here != there {
                // decisions that contradict each other stay without effect
                let _ = self.move_decided(own, other, changes);
            }
        }
    }

    /// Parts of a group, merged where they contain articles decided to be the same story.
    pub(super) fn united(&self, mut parts: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let mut pairs: Vec<(u32, u32)> = self.living(true).map(|(_, left, right)| (left, right)).collect();
        pairs.sort_unstable();
        for (left, right) in pairs {
            let place = |article: u32| parts.iter().position(|part| part.contains(&article));
            if let Some((one, other)) = place(left).zip(place(right)).filter(|(one, other)| one != other) {
                let apart = self.living(false).any(|(_, a, b)| {
                    let at = (place(a), place(b));
                    at == (Some(one), Some(other)) || at == (Some(other), Some(one))
                });
                if !apart {
                    let moved = parts.swap_remove(one.max(other));
                    parts[one.min(other)].extend(moved);
                }
            }
        }
        parts
    }

    /// Pairs of duplicate classes of those articles that were decided apart.
    pub(super) fn apart(&self, members: &[u32]) -> Vec<(u32, u32)> {
        let inside: HashSet<u32> = members.iter().copied().collect();
        let class = |article: u32| self.articles[article as usize].class;
        let pairs = self.living(false).filter(move |(_, left, right)| inside.contains(left) && inside.contains(right));
        pairs.map(move |(_, left, right)| (class(left), class(right))).collect()
    }

    /// Moves an article out of its duplicate class: a decision about it does not apply to its copies.
    pub(super) fn isolate(&mut self, article: u32) {
        let StreamArticle { class, published, source, .. } = self.articles[article as usize];
        if self.live_index.classes[class as usize].size() < 2 {
            return;
        }
        let signature = self.live_index.classes[class as usize].signature.clone();
        self.live_index.remove(class, published, source);
        let own = self.live_index.open(&signature, source, published, false);
        let place = self.live_index.classes[class as usize].cluster;
        let neighbours = self.live_index.reported(class).to_vec();
        self.live_index.report(own, &neighbours);
        self.live_index.report(own, &[Neighbour::new(class, 1.0)]);
        self.live_index.classes[own as usize].cluster = place;
        self.articles[article as usize].class = own;
        self.clusters.get_mut(place).classes.push(own);
    }
}
