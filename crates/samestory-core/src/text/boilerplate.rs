//! Boilerplate: lines that a source prints in article after article, whatever they are about.
//!
//! They are learned from a sample of the articles that are read, by source. An article of which most lines are in many
//! others is a copy or comes from a template, and does not vote: a story that one source printed twenty times is no
//! boilerplate, and neither are the fixed lines of a daily report on markets.

use std::collections::HashMap;

use memchr::memchr_iter;

use super::repair::{Pass, Repair};
use crate::hash::{self, Hashed};

/// The articles of a collection from which its boilerplate is learned: its first.
pub const SAMPLE: usize = 2_000;
/// The fewest articles that have a line, and the least share of the articles of their source, for it to be boilerplate.
/// What is printed under every article of a section reaches that; a paragraph of background in all reports of one affair
/// hardly ever does.
const MIN_ARTICLES: u32 = 10;
const MIN_SHARE: f64 = 0.1;
/// The fewest words of a line that is looked at. Shorter ones ("By Jane Doe", "Sports") make no passage.
const MIN_WORDS: usize = 4;
/// An article with more of its text in lines that repeat is a copy, or a report from a template.
const MAX_REPEATED: f64 = 0.5;
/// The fewest words that are left of an article without its boilerplate.
const MIN_LEFT: usize = 4;

/// The lines that are boilerplate. They are learned by source and taken out wherever they stand: a copy that another source
/// has printed, boilerplate and all, stays the same text.
#[derive(Clone, Debug, Default)]
pub struct Boilerplate {
    lines: Hashed<()>,
}

/// The lines of some articles, each once: their keys and their bytes.
#[derive(Debug, Default)]
pub struct Sample {
    articles: Vec<(u64, Vec<(u64, usize)>)>,
}

/// The key of a line.
fn key(line: &str) -> u64 {
    hash::token(line.as_bytes())
}

/// The lines of a text that may be boilerplate: where each begins and ends, without blanks around it.
fn lines(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = 0;
    memchr_iter(b'\n', text.as_bytes()).chain([text.len()]).filter_map(move |end| {
        let line = &text[start..end];
        let from = start + line.len() - line.trim_start().len();
        start = end + 1;
        let line = line.trim();
        (line.split_whitespace().nth(MIN_WORDS - 1).is_some()).then_some((from, from + line.len()))
    })
}

impl Sample {
    pub fn is_full(&self) -> bool {
        self.articles.len() >= SAMPLE
    }

    /// Adds an article, unless there are enough. One without a source, or of a single line, only counts.
    pub fn add(&mut self, source: u64, text: &str) {
        if self.is_full() {
            return;
        }
        let mut own = vec![];
        if source != 0 && text.contains('\n') {
            own.extend(lines(text).map(|(from, to)| (key(&text[from..to]), to - from)));
            own.sort_unstable();
            own.dedup();
        }
        self.articles.push((source, own));
    }

    /// The boilerplate of the articles that were added.
    pub fn learn(&self) -> Boilerplate {
        let mut articles: Hashed<u32> = Hashed::default();
        let mut counts: HashMap<(u64, u64), u32> = HashMap::new();
        for (source, lines) in &self.articles {
            *articles.entry(*source).or_default() += 1;
            lines.iter().for_each(|&(key, _)| *counts.entry((key, *source)).or_default() += 1);
        }
        counts.retain(|_, count| *count >= MIN_ARTICLES);
        let mut votes: HashMap<(u64, u64), u32> = HashMap::new();
        for (source, lines) in self.articles.iter().filter(|_| !counts.is_empty()) {
            let bytes: usize = lines.iter().map(|&(_, bytes)| bytes).sum();
            let again = || lines.iter().filter(|(key, _)| counts.contains_key(&(*key, *source)));
            let repeated: usize = again().map(|&(_, bytes)| bytes).sum();
            if repeated as f64 <= MAX_REPEATED * bytes as f64 {
                again().for_each(|&(key, _)| *votes.entry((key, *source)).or_default() += 1);
            }
        }
        let is_enough = |source: u64, count: u32| {
            count >= MIN_ARTICLES && f64::from(count) >= MIN_SHARE * f64::from(articles[&source])
        };
        Boilerplate::of(
            votes.into_iter().filter(|&((_, source), count)| is_enough(source, count)).map(|((key, _), _)| key),
        )
    }
}

impl Boilerplate {
    /// Lines by their keys, as `keys` gave them.
    pub fn of(keys: impl IntoIterator<Item = u64>) -> Self {
        Boilerplate { lines: keys.into_iter().map(|key| (key, ())).collect() }
    }

    /// The keys of the lines, sorted.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.lines.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn extend(&mut self, other: Boilerplate) {
        self.lines.extend(other.lines);
    }

    /// Takes boilerplate out of a text, unless hardly anything would be left.
    pub(super) fn remove(&self, pass: &mut Pass) {
        let text = pass.text;
        let is_boilerplate = |&(from, to): &(usize, usize)| self.lines.contains_key(&key(&text[from..to]));
        let found: Vec<(usize, usize)> = lines(text).filter(is_boilerplate).collect();
        let words = |text: &str| text.split_whitespace().count();
        let removed: usize = found.iter().map(|&(from, to)| words(&text[from..to])).sum();
        if !found.is_empty() && words(text) >= removed + MIN_LEFT {
            found.into_iter().for_each(|(from, to)| pass.replace(from, to, ' ', Repair::Boilerplate));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::repair::Repaired;
    use super::*;

    const FOOTER: &str = "Follow our newsroom for more from the coast";

    fn story(n: usize) -> String {
        format!("Ferry number {n} left the harbour at {n} past noon.\nIts master of {n} years had seen no worse sea.")
    }

    fn learned(articles: &[(u64, String)]) -> Boilerplate {
        let mut sample = Sample::default();
        articles.iter().for_each(|(source, text)| sample.add(*source, text));
        sample.learn()
    }

    fn without(known: &Boilerplate, text: &str) -> String {
        Repaired::clean(text, known).text.into_owned()
    }

    #[test]
    fn a_line_under_every_article_of_a_source_is_taken_out() {
        let articles: Vec<(u64, String)> = (0..12).map(|n| (7, format!("{}\n  {FOOTER} ", story(n)))).collect();
        let known = learned(&articles);
        assert_eq!(known.keys().len(), 1);
        let text = format!("{FOOTER}\nNews of the day that is new.\n{FOOTER}\n");
        assert_eq!(without(&known, &text), " \nNews of the day that is new.\n \n");
        assert_eq!(without(&known, FOOTER), FOOTER, "something must be left");
        let spread: Vec<(u64, String)> =
            articles.into_iter().zip(1..).map(|((_, text), source)| (source, text)).collect();
        assert!(learned(&spread).is_empty(), "what many sources print once each is a story");
    }

    #[test]
    fn copies_of_one_story_are_no_boilerplate() {
        let copies: Vec<(u64, String)> = (0..40).map(|n| (7, format!("{}\nCopy {n} of it", story(1)))).collect();
        assert!(learned(&copies).is_empty());
    }

    #[test]
    fn few_lines_or_a_small_share_are_no_boilerplate() {
        let few: Vec<(u64, String)> = (0..9).map(|n| (7, format!("{}\n{FOOTER}", story(n)))).collect();
        assert!(learned(&few).is_empty());
        let rare = |n: usize| if n < 25 { format!("{}\n{FOOTER}", story(n)) } else { story(n) };
        assert!(learned(&(0..400).map(|n| (7, rare(n))).collect::<Vec<_>>()).is_empty());
        assert_eq!(learned(&(0..200).map(|n| (7, rare(n))).collect::<Vec<_>>()).keys().len(), 1);
    }

    #[test]
    fn the_order_of_articles_does_not_matter() {
        let mut articles: Vec<(u64, String)> =
            (0..60).map(|n| (7 + n as u64 % 3, format!("{}\n{FOOTER} {}", story(n), n % 2))).collect();
        let known = learned(&articles);
        assert!(!known.is_empty());
        articles.reverse();
        assert_eq!(learned(&articles).keys(), known.keys());
        assert_eq!(Boilerplate::of(known.keys()).keys(), known.keys());
    }
}
