//! The algorithms of samestory, on slices and numbers. This crate has never heard of Python.

pub mod hash;
pub mod text;
pub mod detectors;
pub mod article;
pub mod parallel;
pub mod readers;
pub mod corpus;
pub mod find;
pub mod groups;
pub mod meetings;
pub mod relate;
