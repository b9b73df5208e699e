//! The algorithms of samestory, on slices and numbers. This crate has never heard of Python.

pub mod article;
pub mod corpus;
pub mod cuts;
pub mod detectors;
pub mod entities;
pub mod find;
pub mod frequencies;
pub mod gist;
pub mod groups;
pub mod hash;
pub mod html;
pub mod lines;
pub mod majority;
pub mod meetings;
pub mod parallel;
pub mod passages;
pub mod rabin;
pub mod readers;
pub mod relate;
mod seeking;
mod shard;
pub mod shingle_counts;
mod signing;
pub mod store;
pub mod stream;
pub mod text;
pub mod tree;
