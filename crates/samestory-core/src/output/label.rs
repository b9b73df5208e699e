//! The label of a group: the headline that shares most with the headlines of the other members, and the words that most
//! of them have in common.

use std::collections::HashMap;

use crate::base::hash;
use crate::text::background::{self, rarity_by_length, STEM};
use crate::text::characters::fold;
use crate::text::headlines::feedless;
use crate::text::languages::{detect, is_turkish_case};
use crate::text::stop_words;
use crate::text::tokens::tokenise;

/// Maximum number of words of a label.
const MAX_WORDS: usize = 6;
/// Maximum number of headlines that are read: more of them add nothing new.
const MAX_HEADLINES: usize = 200;

#[derive(Debug, Default, PartialEq)]
pub struct Label {
    /// Index of the headline; none if all are empty.
    pub headline: Option<usize>,
    /// Words of at least half of the headlines, in the order and the form of the chosen one.
    pub words: Vec<String>,
}

struct Word {
    stem: u64,
    rarity: f64,
    form: String,
}

/// The label of headlines; empty ones are ignored. `language`: their language code, if known; detecting it from the
/// headlines takes longer than all the rest.
pub fn label(headlines: &[&str], language: Option<&str>) -> Label {
    if let [one] = headlines {
        // most groups have one member
        return Label { headline: (!one.is_empty()).then_some(0), words: vec![] };
    }
    let read: Vec<&str> = headlines.iter().take(MAX_HEADLINES).map(|headline| feedless(headline)).collect();
    let language = language.unwrap_or_else(|| detect(&read.join(". ")));
    let items: Vec<Vec<Word>> = read.iter().map(|headline| words(headline, language)).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for word in items.iter().flatten() {
        *counts.entry(word.stem).or_default() += 1;
    }
    let non_empty = items.iter().filter(|words| !words.is_empty()).count();
    // the rarity of words that other headlines have too, normalised by the rarity of all its words
    let score = |words: &[Word]| {
        let all: f64 = words.iter().map(|word| word.rarity).sum();
        words.iter().map(|word| word.rarity * (counts[&word.stem] - 1) as f64).sum::<f64>() / (all + 10.0)
    };
    let best = (0..items.len()).filter(|&at| !items[at].is_empty());
    let best = best.reduce(|x, y| if score(&items[y]) > score(&items[x]) { y } else { x });
    let headline = best.or_else(|| read.iter().position(|headline| !headline.is_empty()));
    let Some(at) = best.filter(|_| non_empty > 1) else {
        return Label { headline, words: vec![] };
    };
    let mut shared: Vec<usize> =
        (0..items[at].len()).filter(|&w| 2 * counts[&items[at][w].stem] >= non_empty).collect();
    let worth = |&w: &usize| items[at][w].rarity * counts[&items[at][w].stem] as f64;
    shared.retain(|&w| counts[&items[at][w].stem] > 1);
    shared.sort_by(|x, y| worth(y).total_cmp(&worth(x)));
    shared.truncate(MAX_WORDS);
    shared.sort_unstable();
    Label { headline, words: shared.into_iter().map(|w| items[at][w].form.clone()).collect() }
}

/// The distinct words of a headline, without stop words.
fn words(headline: &str, language: &str) -> Vec<Word> {
    let (turkish, stops, table) = (is_turkish_case(language), stop_words::bit(language), background::of(language));
    let mut out: Vec<Word> = vec![];
    let mut folded = String::new();
    // where the last figure ended: a suffix attached to it ("12th", "12-й") is no word
    let mut figure_end = None;
    tokenise(headline, turkish, |token| {
        let is_attached = figure_end.is_some_and(|end| matches!(&headline[end..token.start], "" | "-"));
        figure_end = token.figure.then_some(token.end);
        if is_attached && token.end - token.start <= 4 || stop_words::languages_of(token.base) & stops != 0 {
            return;
        }
        let form = &headline[token.start..token.base_end];
        fold(form, turkish, &mut folded);
        let stem = if token.figure {
            &folded
        } else {
            folded.char_indices().nth(STEM).map_or(&folded[..], |(end, _)| &folded[..end])
        };
        let stem = hash::token(stem.as_bytes());
        if out.iter().all(|word| word.stem != stem) {
            let by_length = || rarity_by_length(folded.chars().count());
            let rarity = table.map_or_else(by_length, |table| table.rarity(stem));
            out.push(Word { stem, rarity, form: form.to_owned() });
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(headlines: &[&str]) -> Label {
        super::label(headlines, None)
    }

    #[test]
    fn the_headline_says_what_the_others_say() {
        let found = label(&[
            "You will not believe what happened to this mill",
            "Fire destroys historic mill in Oldmere - Westbrook News",
            "Oldmere mill destroyed by fire",
            "",
            "Historic Oldmere mill lost to fire, owner blames wiring and the council",
        ]);
        assert!(matches!(found.headline, Some(1 | 2)), "{found:?}");
        for word in ["mill", "Oldmere"] {
            assert!(found.words.iter().any(|w| w.eq_ignore_ascii_case(word)), "{found:?}");
        }
        assert!(!found.words.iter().any(|w| w == "Westbrook" || w == "in"));
    }

    #[test]
    fn one_headline_or_none_has_no_words_to_hold_together() {
        assert_eq!(label(&["Fire in Oldmere"]), Label { headline: Some(0), words: vec![] });
        assert_eq!(label(&["", ""]), Label::default());
        assert_eq!(label(&[]), Label::default());
        assert_eq!(label(&["", "…"]), Label { headline: Some(1), words: vec![] });
    }

    #[test]
    fn what_hangs_on_a_figure_is_no_word() {
        let found = label(&["Council approves 12th package", "12th package approved by council"]);
        assert!(found.words.contains(&"12".to_owned()) && !found.words.contains(&"th".to_owned()), "{found:?}");
    }

    #[test]
    fn words_are_told_in_any_form() {
        let found = label(&["Karlıova'da sel iki köprüyü yıktı", "Karlıova'yı sel vurdu: iki köprü yıkıldı"]);
        assert!(found.words.iter().any(|word| word == "Karlıova"), "{found:?}");
        assert!(found.words.iter().any(|word| word == "sel"), "{found:?}");
        let both = ["Karlıova'da sel iki köprüyü yıktı", "Karlıova'yı sel vurdu: iki köprü yıkıldı"];
        assert_eq!(super::label(&both, Some("tr")), found);
    }
}
