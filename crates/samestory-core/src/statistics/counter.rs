//! Counting articles while a collection is read.

use crate::text::article::Article;

/// Counts the articles of a collection, on several threads.
pub trait ArticleCounter: Send + Sync {
    /// Whether this very article was counted before: a collection that is read twice must not count twice.
    fn is_counted(&self, id: &str, text: &str) -> bool;

    fn count(&self, article: &Article);
}
