//! Restores a stream from storage: articles, their groups and their relations.

use std::collections::HashMap;

use super::stream::{Change, Incoming, Stream};
use crate::engine::duplicate_class::Neighbour;

/// An article with the number of its group.
pub struct StoredArticle<'a> {
    pub id: &'a str,
    pub published: i64,
    pub source: u64,
    pub signature: &'a [u32],
    pub group: u64,
}

impl Stream {
    /// Adds articles to given groups without comparing them; those that are in the stream already are moved.
    pub fn restore(&mut self, batch: &[StoredArticle]) {
        let mut places = self.places_of(batch);
        for stored in batch {
            self.remove_without_split(stored.id);
            let place =
                places.get(&stored.group).copied().filter(|&place| self.clusters.get(place).number == stored.group);
            let copied_class = self.live_index.copied(stored.signature, stored.published);
            let copied_class = copied_class.filter(|&class| {
                !self.decided.mentions(stored.id) && Some(self.live_index.classes[class as usize].cluster) == place
            });
            let class = match copied_class {
                Some(class) => {
                    self.live_index.insert(class, stored.published, stored.source);
                    class
                }
                None => self.live_index.open(stored.signature, stored.source, stored.published, false),
            };
            let StoredArticle { id, published, source, signature, .. } = *stored;
            let article = self.enter(&Incoming { id, published, source, signature, related: &[] }, class);
            match place {
                Some(place) => {
                    let cluster = self.clusters.get_mut(place);
                    cluster.members.push(article);
                    cluster.size += 1;
                    if copied_class.is_none() {
                        cluster.classes.push(class);
                        self.live_index.classes[class as usize].cluster = place;
                    }
                }
                None => {
                    let place = self.clusters.open_as(stored.group, vec![article], vec![class]);
                    self.live_index.classes[class as usize].cluster = place;
                    places.insert(stored.group, place);
                }
            }
        }
    }

    /// The slots of the groups of some articles, where they exist. No table of them is stored: it would cost every
    /// stream memory, and only `restore` needs it.
    pub(super) fn places_of(&self, batch: &[StoredArticle]) -> HashMap<u64, u32> {
        if batch.is_empty() || self.is_empty() {
            return HashMap::new();
        }
        let mut wanted: Vec<u64> = batch.iter().map(|stored| stored.group).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let matches =
            (0..).zip(self.clusters.every()).filter(|(_, cluster)| wanted.binary_search(&cluster.number).is_ok());
        matches.map(|(place, cluster)| (cluster.number, place)).collect()
    }

    /// Restores relations between articles and their scores.
    pub fn restore_edges<'a>(&mut self, neighbours: impl IntoIterator<Item = (&'a str, &'a str, f64)>) {
        for (left, right, score) in neighbours {
            if let Some((&left, &right)) = self.by_id.get(left).zip(self.by_id.get(right)) {
                let to = self.articles[right as usize].class;
                self.live_index.report(self.articles[left as usize].class, &[Neighbour::new(to, score)]);
            }
        }
    }

    /// Makes all new groups have numbers greater than this one.
    pub fn begin_after(&mut self, number: u64) {
        self.clusters.begin_after(number);
    }

    /// Removes an article without checking whether its group falls apart.
    pub fn remove_without_split(&mut self, id: &str) -> Vec<Change> {
        match self.by_id.get(id) {
            Some(&article) => self.forget(&[article], false),
            None => vec![],
        }
    }
}
