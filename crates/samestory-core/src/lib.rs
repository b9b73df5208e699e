//! The algorithms of samestory, on slices and numbers. This crate does not depend on Python.
//!
//! Layers; a module imports from its own layer and from those above it in this list, and there are no import cycles
//! (`tests/test_layers.py`):
//!
//! ```text
//! base         hashes, threads, small containers
//! text         tokens, languages, numbers, sentences, shared passages
//! input        records and readers: files to articles
//! entities     names of persons, places and organisations
//! html         pages to text
//! model        kinds of relations, relations, groups
//! statistics   counts of terms and shingles in a collection
//! detectors    one file per method: signatures, keys, comparisons
//! engine       population, postings, candidates, comparison, clusters: articles to relations and groups
//! output       relations and groups as lines
//! search       articles in columns; matching articles collapsed to stories, ranked and counted
//! ```

pub mod base;
pub mod detectors;
pub mod engine;
pub mod entities;
pub mod html;
pub mod input;
pub mod model;
pub mod output;
pub mod search;
pub mod statistics;
pub mod text;
