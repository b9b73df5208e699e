//! The rows of batches: articles, queries, and the relations found.

use std::sync::Arc;

use crate::detectors::Overlap;
use crate::engine::prepared_query::{Query, QueryCounter};
use crate::engine::segments::search::SegmentScratch;
use crate::engine::updates::SourceAndTime;

/// An article to index or to query.
#[derive(Clone, Copy)]
pub struct SignedArticle<'a> {
    pub id: &'a str,
    pub published: i64,
    /// 0 if unknown.
    pub source: u64,
    pub signature: &'a [u32],
}

/// The relations of a batch.
#[derive(Default)]
pub struct RelatedRows {
    pub found: Vec<RelatedRow>,
    /// Rows whose query read samples of posting lists, so that they may have more related articles.
    pub sampled: Vec<u32>,
}

/// A row of the batch, a related article, and their overlap.
#[derive(Clone, Debug)]
pub struct RelatedRow {
    pub row: u32,
    pub id: Arc<str>,
    pub published: i64,
    pub source: u64,
    pub overlap: Overlap,
}

/// The buffers of a thread that queries.
#[derive(Default)]
pub struct SearchBuffers {
    pub live: QueryCounter,
    pub segments: SegmentScratch,
}

/// A query: a text with its source and time, and the articles it is compared with.
pub struct RowQuery<'a> {
    pub row: u32,
    pub query: Query<'a>,
    pub about: SourceAndTime,
    pub wanted: Wanted<'a>,
    /// Whether all articles of a class are returned.
    pub every: bool,
}

/// Which articles a query is compared with.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// Those inserted before this one.
    Before(u64),
    /// Those with another id.
    Another(&'a str),
}
