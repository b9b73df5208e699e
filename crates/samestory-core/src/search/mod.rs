//! Search collapsed to stories: the articles of an archive in columns, and what a query ranks and counts in them.

pub mod article_table;
pub mod story_search;
