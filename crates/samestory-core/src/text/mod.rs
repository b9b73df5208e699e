//! Article text to tokens, terms and sentences, in any script.

pub mod article;
pub mod background;
pub mod beginnings;
pub mod calendar;
pub mod cases;
pub mod differences;
pub mod figures;
pub mod forms;
pub mod genres;
pub mod headlines;
pub mod languages;
pub mod lexemes;
pub mod mutual;
pub mod opposites;
pub mod passages;
pub mod prepare;
pub mod quantities;
mod remains;
pub mod repair;
mod repair_pass;
pub mod sentences;
pub mod shingles;
pub mod stop_words;
mod suffixes;
pub mod terms;
pub mod tokens;
pub mod word_frequencies;
