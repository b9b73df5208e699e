//! A counter in place of a detector: the population reads and tokenises for both, and a counter leaves no signatures.

use std::sync::Arc;

use crate::detectors::api::{Comparer, Detector, Overlap, Wants, Why};
use crate::statistics::counter::ArticleCounter;
use crate::text::article::Article;

pub struct Counting(pub Arc<dyn ArticleCounter>);

impl Detector for Counting {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, _signature: &mut Vec<u32>) {
        if !self.0.is_counted(article.id, article.text) {
            self.0.count(article);
        }
    }

    fn keys(&self, _signature: &[u32], _keys: &mut Vec<u64>) {}

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(NoComparer)
    }
}

/// Without signatures nothing is compared.
struct NoComparer;

impl Comparer for NoComparer {
    fn load(&mut self, _left: &[u32]) {}

    fn compare(&mut self, _right: &[u32]) -> Overlap {
        Overlap::apart(0.0, 0.0, Why::Apart)
    }
}
