//! How rare words are in news in general, by their first letters. The articles of a single day cannot show this, since
//! the words of that day's events are frequent in them.
//!
//! The tables were counted in collections of news (benchmarks/background.py); a line is a stem and how many of the
//! articles have it. A stem that is mostly a name is capitalised there. Words of languages without a table are weighed
//! by their length: in every language the short words are the common ones.

use std::sync::LazyLock;

use super::characters::fold;
use crate::base::hash::{self, Hashed};

/// Letters kept in a stem: enough to distinguish most words, few enough that endings seldom matter.
pub const STEM: usize = 4;
/// Upper bound of a rarity: a new name and a typing error cannot be distinguished.
pub const RAREST: f64 = 9.0;
const LANGUAGES: [&str; 3] = ["en", "ru", "tr"];

/// The counts of one language.
pub struct Background {
    /// How rare a stem is, and whether it is mostly a name.
    stems: Hashed<(f64, bool)>,
    /// The rarity of a stem without a count.
    unknown: f64,
}

static TABLES: LazyLock<[Background; 3]> =
    LazyLock::new(|| LANGUAGES.map(|language| Background::read(list(language), language == "tr")));

fn list(language: &str) -> &'static str {
    match language {
        "en" => include_str!("background/en.txt"),
        "ru" => include_str!("background/ru.txt"),
        _ => include_str!("background/tr.txt"),
    }
}

/// The table of a language, if it has one.
pub fn of(language: &str) -> Option<&'static Background> {
    LANGUAGES.iter().position(|&known| known == language).map(|at| &TABLES[at])
}

impl Background {
    fn read(table: &str, turkish: bool) -> Self {
        let mut lines = table.lines().filter(|line| !line.starts_with('#'));
        let articles: f64 = lines.next().and_then(|line| line.parse().ok()).unwrap_or(1.0);
        let pairs = lines.filter_map(|line| line.split_once(' '));
        let mut folded = String::new();
        let rarity = |count: f64| (articles / count).ln().clamp(0.0, RAREST);
        let stems = pairs.filter_map(|(stem, count)| {
            fold(stem, turkish, &mut folded);
            let count: u32 = count.parse().ok()?;
            Some((hash::token(folded.as_bytes()), (rarity(f64::from(count)), folded != stem)))
        });
        Background { stems: stems.collect(), unknown: rarity(0.5) }
    }

    /// The idf of a stem, given by its hash.
    pub fn rarity(&self, stem: u64) -> f64 {
        self.stems.get(&stem).map_or(self.unknown, |&(rarity, _)| rarity)
    }

    /// Is a word with this stem, given by its hash, mostly a name? A stem without a count is one if it is capitalised.
    pub fn is_named(&self, stem: u64) -> bool {
        self.stems.get(&stem).is_none_or(|&(_, named)| named)
    }
}

/// The same for a word of so many letters of a language without a table.
pub fn rarity_by_length(letters: usize) -> f64 {
    [0.0, 1.0, 1.5, 2.0, 4.0, 5.5, 6.5, 7.0][letters.min(7)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_weigh_less_than_rare_ones_and_unknown_ones_most() {
        for (language, common, rare) in [("en", "said", "quak"), ("tr", "başk", "depr"), ("ru", "росс", "земл")]
        {
            let table = of(language).unwrap();
            let rarity = |stem: &str| table.rarity(hash::token(stem.as_bytes()));
            assert!(rarity(common) < rarity(rare), "{language}: {} {}", rarity(common), rarity(rare));
            assert!(rarity(rare) < rarity("qzxw"));
            assert!(rarity("qzxw") <= RAREST);
        }
        assert!(of("de").is_none());
    }

    #[test]
    fn longer_words_are_rarer_where_nothing_else_is_known() {
        let all: Vec<f64> = (0..12).map(rarity_by_length).collect();
        assert!(all.windows(2).all(|two| two[0] <= two[1]) && all[11] <= RAREST);
    }
}
