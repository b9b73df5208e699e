//! A stream as it was: articles, their groups and what was said about them come back from where they were kept.

use std::collections::HashMap;

use super::stream::{Change, Incoming, Stream};
use crate::engine::postings::live::Neighbour;

/// An article with the number of its group.
pub struct StoredArticle<'a> {
    pub id: &'a str,
    pub published: i64,
    pub source: u64,
    pub signature: &'a [u32],
    pub group: u64,
}

impl Stream {
    /// Takes in articles whose groups are known, and asks nobody; those that are here already are moved.
    pub fn restore(&mut self, batch: &[StoredArticle]) {
        let mut places = self.places_of(batch);
        for kept in batch {
            self.drop_quietly(kept.id);
            let place = places.get(&kept.group).copied().filter(|&place| self.clusters.get(place).number == kept.group);
            let like = self.live_index.copied(kept.signature, kept.published);
            let like = like.filter(|&class| {
                !self.decided.mentions(kept.id) && Some(self.live_index.classes[class as usize].cluster) == place
            });
            let class = match like {
                Some(class) => {
                    self.live_index.take_in(class, kept.published, kept.source);
                    class
                }
                None => self.live_index.open(kept.signature, kept.source, kept.published, false),
            };
            let StoredArticle { id, published, source, signature, .. } = *kept;
            let article = self.enter(&Incoming { id, published, source, signature, related: &[] }, class);
            match place {
                Some(place) => {
                    let cluster = self.clusters.get_mut(place);
                    cluster.members.push(article);
                    cluster.size += 1;
                    if like.is_none() {
                        cluster.classes.push(class);
                        self.live_index.classes[class as usize].cluster = place;
                    }
                }
                None => {
                    let place = self.clusters.open_as(kept.group, vec![article], vec![class]);
                    self.live_index.classes[class as usize].cluster = place;
                    places.insert(kept.group, place);
                }
            }
        }
    }

    /// Where the groups of some articles are, as far as they are known. Nobody keeps a table of that: it would take memory
    /// of every stream, and only those that are restored ask.
    pub(super) fn places_of(&self, batch: &[StoredArticle]) -> HashMap<u64, u32> {
        if batch.is_empty() || self.is_empty() {
            return HashMap::new();
        }
        let mut wanted: Vec<u64> = batch.iter().map(|kept| kept.group).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let found =
            (0..).zip(self.clusters.every()).filter(|(_, cluster)| wanted.binary_search(&cluster.number).is_ok());
        found.map(|(place, cluster)| (cluster.number, place)).collect()
    }

    /// Notes who is related to whom, and how much.
    pub fn restore_ties<'a>(&mut self, neighbours: impl IntoIterator<Item = (&'a str, &'a str, f64)>) {
        for (left, right, score) in neighbours {
            if let Some((&left, &right)) = self.by_id.get(left).zip(self.by_id.get(right)) {
                let to = self.articles[right as usize].class;
                self.live_index.tell(self.articles[left as usize].class, &[Neighbour::new(to, score)]);
            }
        }
    }

    /// No new group has a number up to this one.
    pub fn begin_after(&mut self, number: u64) {
        self.clusters.begin_after(number);
    }

    /// Takes articles away without asking what becomes of their groups.
    pub fn drop_quietly(&mut self, id: &str) -> Vec<Change> {
        match self.by_id.get(id) {
            Some(&article) => self.forget(&[article], false),
            None => vec![],
        }
    }
}
