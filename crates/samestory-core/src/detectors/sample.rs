//! The sample of a collection on which detectors are calibrated.

use crate::base::hash;

/// A sample of a collection: the articles with the smallest id hashes.
#[derive(Clone)]
pub struct Sample<'a> {
    pub ids: Vec<&'a str>,
    pub signatures: Vec<&'a [u32]>,
    /// The source of every article, 0 if unknown; empty if no sources are given.
    pub sources: Vec<u64>,
    /// Number of articles of the collection.
    pub total: usize,
    /// Whether texts are compared as they are, without repairs.
    pub as_is: bool,
    /// A limit of days between compared articles, in addition to that of the detector.
    pub days: Option<u32>,
}

impl<'a> Sample<'a> {
    pub const MAX_ARTICLES: usize = 20_000;

    /// Draws a sample from (id, signature, source) of all articles.
    pub fn draw(articles: impl Iterator<Item = (&'a str, &'a [u32], u64)>, as_is: bool) -> Self {
        let hashed = articles.map(|(id, signature, source)| (hash::token(id.as_bytes()), signature, source, id));
        let mut articles: Vec<(u64, &[u32], u64, &str)> = hashed.collect();
        let total = articles.len();
        if total > Self::MAX_ARTICLES {
            articles.select_nth_unstable(Self::MAX_ARTICLES);
            articles.truncate(Self::MAX_ARTICLES);
        }
        articles.sort_unstable();
        let ids = articles.iter().map(|&(_, _, _, id)| id).collect();
        let (signatures, sources) = articles.into_iter().map(|(_, signature, source, _)| (signature, source)).unzip();
        Sample { ids, signatures, sources, total, as_is, days: None }
    }
}
