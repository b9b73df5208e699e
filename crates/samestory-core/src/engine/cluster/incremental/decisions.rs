//! Decisions about pairs of articles by their ids.

use std::collections::HashMap;
use std::sync::Arc;

/// Whether two articles are one story, by their ids, the smaller first.
#[derive(Default)]
pub struct Decided {
    pub(super) pairs: HashMap<(Arc<str>, Arc<str>), bool>,
    /// Number of decisions that name each article.
    pub(super) named: HashMap<Arc<str>, u32>,
}

/// The articles of an existing decision that contradicts a new one.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict(pub Arc<str>, pub Arc<str>);

impl Decided {
    pub fn mentions(&self, id: &str) -> bool {
        self.named.contains_key(id)
    }

    /// Sets a decision, or removes it; returns the previous one.
    pub(super) fn set(&mut self, left: &str, right: &str, same: Option<bool>) -> Option<bool> {
        let pair: (Arc<str>, Arc<str>) = (left.min(right).into(), left.max(right).into());
        let before = match same {
            Some(same) => self.pairs.insert(pair.clone(), same),
            None => self.pairs.remove(&pair),
        };
        for id in [pair.0, pair.1] {
            match (before, same) {
                (None, Some(_)) => *self.named.entry(id).or_default() += 1,
                (Some(_), None) => {
                    let count = self.named.get_mut(&id).map_or(0, |count| {
                        *count -= 1;
                        *count
                    });
                    if count == 0 {
                        self.named.remove(&id);
                    }
                }
                _ => {}
            }
        }
        before
    }
}
