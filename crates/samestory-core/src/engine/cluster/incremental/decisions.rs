//! Decisions about pairs of articles by their ids.

use std::collections::HashMap;
use std::sync::Arc;

/// By the ids of two articles, the smaller first: are they one story?
#[derive(Default)]
pub struct Decided {
    pub(super) pairs: HashMap<(Arc<str>, Arc<str>), bool>,
    /// How many decisions name an article.
    pub(super) named: HashMap<Arc<str>, u32>,
}

/// A decision that another one speaks against: that of these two articles.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict(pub Arc<str>, pub Arc<str>);

impl Decided {
    pub fn mentions(&self, id: &str) -> bool {
        self.named.contains_key(id)
    }

    /// Notes a decision, or that there is none any more; gives what was decided before.
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
