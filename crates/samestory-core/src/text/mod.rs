//! Article text to tokens, terms and sentences, in any script.

pub mod background;
pub mod calendar;
pub mod cases;
pub mod figures;
pub mod forms;
pub mod genres;
pub mod headlines;
pub mod languages;
pub mod lexemes;
pub mod mutual;
pub mod opposites;
pub mod prepare;
pub mod quantities;
mod remains;
pub mod repair;
pub mod sentences;
pub mod stop_words;
mod suffixes;
pub mod terms;
pub mod tokens;
pub mod word_frequencies;
