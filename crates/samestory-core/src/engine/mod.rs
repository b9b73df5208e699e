//! Articles to relations and groups.

pub mod candidates;
pub mod cluster;
pub mod compare;
pub mod compared_pairs;
pub mod corpus_tree;
pub mod counting;
pub mod deduplicate;
pub(crate) mod duplicate_class;
pub mod duplicates;
pub mod exchange;
pub mod find;
pub mod index;
pub(crate) mod live_index;
pub mod population;
pub mod postings;
mod prepared_query;
pub mod rank;
pub mod relate;
mod reported_relations;
pub mod segments;
pub mod settings;
pub(crate) mod shard;
pub(crate) mod signing;
pub mod strongest;
pub mod updates;
