//! The part of an index in memory: the articles added since the last segment was written.

use std::collections::HashMap;
use std::sync::Arc;

use super::rows::SignedArticle;
use crate::base::free_list;
use crate::base::small_list::SmallList;
use crate::detectors::Detector;
use crate::engine::live_index::LiveIndex;

pub(super) struct IndexedArticle {
    pub id: Arc<str>,
    pub published: i64,
    pub source: u64,
    pub class: u32,
    /// Position in the order of insertion, counted over all articles ever inserted.
    pub sequence: u64,
}

pub(super) struct FreshPart {
    pub live_index: LiveIndex,
    articles: Vec<IndexedArticle>,
    free: Vec<u32>,
    pub by_id: HashMap<Arc<str>, u32>,
    /// The articles of every duplicate class, in order of insertion.
    members: Vec<SmallList<u32>>,
    /// The same, by source and then in order of insertion.
    members_by_source: Vec<SmallList<u32>>,
}

impl FreshPart {
    pub fn new(detector: Arc<dyn Detector>, window: Option<i64>) -> Self {
        FreshPart {
            live_index: LiveIndex::new(Some(detector), window),
            articles: vec![],
            free: vec![],
            by_id: HashMap::new(),
            members: vec![],
            members_by_source: vec![],
        }
    }

    pub fn article(&self, number: u32) -> &IndexedArticle {
        &self.articles[number as usize]
    }

    /// The articles of a class, in order of insertion.
    pub fn members(&self, class: u32) -> &[u32] {
        self.members[class as usize].as_slice()
    }

    /// The articles of a class and a source, in order of insertion.
    pub fn members_of(&self, class: u32, source: u64) -> impl Iterator<Item = u32> + '_ {
        let from = self.position_by_source(class, source, 0);
        let by_source = &self.members_by_source[class as usize].as_slice()[from..];
        by_source.iter().copied().take_while(move |&number| self.article(number).source == source)
    }

    /// Inserts an article that is not in this part, with its position in the order of insertion.
    pub fn insert(&mut self, new: SignedArticle, sequence: u64, is_singleton: bool) {
        let SignedArticle { signature, source, published, .. } = new;
        let class = match self.live_index.copied(signature, published).filter(|_| !is_singleton) {
            Some(class) => {
                self.live_index.insert(class, published, source);
                class
            }
            None => self.live_index.open(signature, source, published, is_singleton),
        };
        let id: Arc<str> = new.id.into();
        let article = IndexedArticle { id: id.clone(), published, source, class, sequence };
        let number = free_list::store(&mut self.articles, &mut self.free, article);
        if class as usize == self.members.len() {
            self.members.push(SmallList::One(number));
            self.members_by_source.push(SmallList::One(number));
        } else {
            let members = &mut self.members[class as usize];
            members.insert(members.as_slice().len(), number);
            let at = self.position_by_source(class, source, sequence);
            self.members_by_source[class as usize].insert(at, number);
        }
        self.by_id.insert(id, number);
    }

    /// Removes an article; returns whether it was there. `compact` must be called after some removals.
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(number) = self.by_id.remove(id) else {
            return false;
        };
        let IndexedArticle { class, published, source, sequence, .. } = self.articles[number as usize];
        self.live_index.remove(class, published, source);
        let members = self.members[class as usize].as_slice();
        let at = members.partition_point(|&member| self.article(member).sequence < sequence);
        self.members[class as usize].remove(at);
        let at = self.position_by_source(class, source, sequence);
        self.members_by_source[class as usize].remove(at);
        self.articles[number as usize].id = "".into();
        self.articles[number as usize].class = u32::MAX;
        self.free.push(number);
        true
    }

    /// Renumbers duplicate classes after the live index has dropped empty ones.
    pub fn compact(&mut self) {
        let Some(numbers) = self.live_index.compact() else {
            return;
        };
        for lists in [&mut self.members, &mut self.members_by_source] {
            let mut classes = 0..;
            lists.retain(|_| classes.next().is_some_and(|class: usize| numbers[class] != u32::MAX));
            lists.shrink_to_fit();
        }
        let indexed = self.articles.iter_mut().filter(|article| article.class != u32::MAX);
        indexed.for_each(|article| article.class = numbers[article.class as usize]);
    }

    /// The position of an article with this source and sequence number in `members_by_source`, present or not.
    fn position_by_source(&self, class: u32, source: u64, sequence: u64) -> usize {
        self.members_by_source[class as usize].as_slice().partition_point(|&number| {
            let other = self.article(number);
            (other.source, other.sequence) < (source, sequence)
        })
    }
}
