//! Articles to relations and groups.

pub mod cluster;
pub mod compare;
pub mod corpus_tree;
pub mod counting;
pub mod duplicates;
pub mod find;
pub mod index;
pub mod population;
pub mod postings;
pub mod rank;
pub mod relate;
pub mod settings;
pub(crate) mod shard;
pub(crate) mod signing;
