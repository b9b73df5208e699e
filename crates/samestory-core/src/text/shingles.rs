//! Terms of an article as hashes, and the runs of them.

use super::article::Article;
use super::terms::Preparation;
use crate::base::hash;
use crate::base::sorted::sorted;

/// The hashes of an article's terms, in order.
pub fn terms(preparation: Preparation, article: &Article) -> Vec<u32> {
    let mut out = Vec::with_capacity(article.tokens.len());
    preparation.terms(article, |term| out.push((term.hash >> 32) as u32));
    out
}

/// The set of all runs of `width` values; of all values together where there are fewer.
pub fn shingles(values: &[u32], width: usize) -> Vec<u32> {
    let mut out = Vec::with_capacity(values.len());
    hash::shingles(values, u32::MAX, width, |_, shingle| out.push((shingle >> 32) as u32));
    sorted(out)
}

/// The set of all runs of `shingle` words of an article.
pub fn runs_of_words(article: &Article, shingle: usize) -> Vec<u32> {
    shingles(&terms(Preparation::default(), article), shingle)
}
