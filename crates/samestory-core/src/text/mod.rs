//! Article text to tokens and sentences, in any script.

pub mod calendar;
pub mod languages;
pub mod prepare;
pub mod sentences;
pub mod tokens;
