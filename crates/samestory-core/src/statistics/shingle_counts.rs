//! The number of articles of a collection that contain each run of words, and the most frequent runs. [gibson2007]
//!
//! Counted in parallel, added up, written and read back. Runs are identified by their 32-bit hashes, as in signatures:
//! the words themselves would take many times the memory, and are not needed to skip a run.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::counter::ArticleCounter;
use crate::base::hash::Hashed;
use crate::statistics::term_counts::CountedArticles;
use crate::text::article::Article;
use crate::text::shingles::runs_of_words;

const HEADING: &str = "samestory shingles 1";

#[derive(Clone, Debug, Default)]
pub struct ShingleCounts {
    /// Words in a run.
    pub shingle: usize,
    pub articles: u64,
    counts: Hashed<u32>,
}

/// What a share of skipped runs is measured in: distinct runs, or (run, article) occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    Shingles,
    Occurrences,
}

/// A 32-bit hash as a map key, with the upper bits set too.
fn key(run: u32) -> u64 {
    u64::from(run) | u64::from(run) << 32
}

impl ShingleCounts {
    pub fn new(shingle: usize) -> Self {
        ShingleCounts { shingle, ..ShingleCounts::default() }
    }

    /// Adds the runs of an article, each counted once.
    pub fn count(&mut self, article: &Article) {
        self.articles += 1;
        for run in runs_of_words(article, self.shingle) {
            *self.counts.entry(key(run)).or_default() += 1;
        }
    }

    pub fn merge(&mut self, other: &ShingleCounts) {
        self.articles += other.articles;
        for (&run, count) in &other.counts {
            *self.counts.entry(run).or_default() += count;
        }
    }

    /// The number of distinct runs.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of articles with a run.
    pub fn get(&self, run: u32) -> u32 {
        self.counts.get(&key(run)).copied().unwrap_or(0)
    }

    /// Every run with its number of articles, the most frequent first, ties by hash.
    pub fn ranked(&self) -> Vec<(u32, u32)> {
        let mut rows: Vec<(u32, u32)> = self.counts.iter().map(|(&run, &count)| (run as u32, count)).collect();
        rows.sort_unstable_by_key(|&(run, count)| (Reverse(count), run));
        rows
    }

    /// The most frequent runs that make up a share of all, sorted by hash; never more than that share.
    pub fn frequent(&self, share: f64, by: Measured) -> Vec<u32> {
        let ranked = self.ranked();
        let weight = |&(_, count): &(u32, u32)| match by {
            Measured::Shingles => 1,
            Measured::Occurrences => u64::from(count),
        };
        let max_weight = share * ranked.iter().map(weight).sum::<u64>() as f64 + 1e-9;
        let mut total = 0;
        let mut out: Vec<u32> = ranked
            .iter()
            .take_while(|row| {
                total += weight(row);
                total as f64 <= max_weight
            })
            .map(|&(run, _)| run)
            .collect();
        out.sort_unstable();
        out
    }

    /// The table as text: a heading, then for every number of articles, the highest first, the runs that occur in so
    /// many. Equal counts produce equal text.
    pub fn write(&self) -> String {
        let mut out = format!("{HEADING}\nshingle\t{}\narticles\t{}\n", self.shingle, self.articles);
        for row in self.ranked().chunk_by(|x, y| x.1 == y.1) {
            let _ = write!(out, "{}\t", row[0].1);
            for (at, (run, _)) in row.iter().enumerate() {
                let _ = write!(out, "{}{run:08x}", if at > 0 { " " } else { "" });
            }
            out.push('\n');
        }
        out
    }

    /// Parses the output of `write`; the error names the problem and the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, line)| line) != Some(HEADING) {
            return Err(format!("at line 1: expected {HEADING:?}"));
        }
        let mut head = |name: &str| {
            let (at, line) = lines.next().ok_or_else(|| format!("the line of {name:?} is missing"))?;
            let number = line.strip_prefix(name).and_then(|rest| rest.strip_prefix('\t')).and_then(|n| n.parse().ok());
            number.ok_or_else(|| format!("at line {at}: expected {name:?} and a number"))
        };
        let (shingle, articles): (u64, u64) = (head("shingle")?, head("articles")?);
        let mut out = ShingleCounts { shingle: shingle as usize, articles, counts: Hashed::default() };
        for (at, line) in lines {
            let wrong = || format!("at line {at}: expected a number of articles and hashes of runs");
            let (count, runs) = line.split_once('\t').ok_or_else(wrong)?;
            let count = count.parse().ok().filter(|&n: &u32| n > 0 && u64::from(n) <= articles).ok_or_else(wrong)?;
            for run in runs.split(' ') {
                let run = u32::from_str_radix(run, 16).ok().filter(|_| run.len() == 8).ok_or_else(wrong)?;
                if out.counts.insert(key(run), count).is_some() {
                    return Err(format!("at line {at}: the run {run:08x} stands there twice"));
                }
            }
        }
        Ok(out)
    }
}

/// Counts the runs of all articles that are read, on all threads.
pub struct ShingleCounter {
    shingle: usize,
    /// One table per working thread, popped while a thread counts.
    tables: Mutex<Vec<ShingleCounts>>,
    counted: CountedArticles,
}

impl ShingleCounter {
    pub fn new(shingle: usize) -> Self {
        ShingleCounter { shingle, tables: Mutex::default(), counted: CountedArticles::default() }
    }

    /// The sum of all tables so far.
    pub fn counts(&self) -> ShingleCounts {
        let mut out = ShingleCounts::new(self.shingle);
        self.tables.lock().expect("no panic while the lock is held").iter().for_each(|table| out.merge(table));
        out
    }
}

impl ArticleCounter for ShingleCounter {
    fn is_counted(&self, id: &str, text: &str) -> bool {
        self.counted.again(id, text)
    }

    fn count(&self, article: &Article) {
        let table = self.tables.lock().expect("no panic while the lock is held").pop();
        let mut table = table.unwrap_or_else(|| ShingleCounts::new(self.shingle));
        table.count(article);
        self.tables.lock().expect("no panic while the lock is held").push(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    fn count(texts: &[&str]) -> ShingleCounts {
        let counter = ShingleCounter::new(2);
        for text in texts {
            let mut tokens = vec![];
            tokenise(text, false, |token| tokens.push(token));
            counter.count(&Article { tokens: &tokens, text, language: "en", ..Article::default() });
        }
        counter.counts()
    }

    fn numbers(counts: &ShingleCounts) -> Vec<u32> {
        counts.ranked().into_iter().map(|(_, count)| count).collect()
    }

    #[test]
    fn an_article_counts_once_and_parts_add_up() {
        let mut one = count(&["a b a b", "a b c"]);
        assert_eq!(numbers(&one), [2, 1, 1]); // "a b"; "b a", "b c"
        one.merge(&count(&["b c d"]));
        assert_eq!((one.articles, numbers(&one)), (3, vec![2, 2, 1, 1]));
        assert_eq!(one.write(), count(&["b c d", "a b c", "a b a b"]).write());
    }

    #[test]
    fn the_most_frequent_go_first_and_never_more_than_the_share() {
        let counts = count(&["a b c", "a b d", "a b e", "b d"]); // "a b" 3, "b d" 2, two of 1
        let first = counts.ranked();
        assert_eq!(numbers(&counts), [3, 2, 1, 1]);
        for (share, by, size) in [
            (0.0, Measured::Shingles, 0),
            (0.24, Measured::Shingles, 0),
            (0.25, Measured::Shingles, 1),
            (0.5, Measured::Shingles, 2),
            (1.0, Measured::Shingles, 4),
            (0.42, Measured::Occurrences, 0), // 3 of 7 are 0.43
            (0.43, Measured::Occurrences, 1),
            (0.72, Measured::Occurrences, 2),
            (1.0, Measured::Occurrences, 4),
        ] {
            let mut wanted: Vec<u32> = first[..size].iter().map(|&(run, _)| run).collect();
            wanted.sort_unstable();
            assert_eq!(counts.frequent(share, by), wanted, "{share} {by:?}");
        }
    }

    #[test]
    fn what_is_written_reads_back_and_damage_is_told_with_its_line() {
        let good = count(&["a b c", "a b d"]).write();
        assert_eq!(ShingleCounts::read(&good).expect("written by write").write(), good);
        assert!(ShingleCounts::read("").is_err());
        for (from, to) in [("2\t", "two\t"), ("2\t", "9\t"), ("2\t", "2\tx"), ("articles", "article"), ("1\t", "2\t0 ")]
        {
            let at = good.rfind(from).expect("it occurs");
            let damaged = format!("{}{to}{}", &good[..at], &good[at + from.len()..]);
            assert!(ShingleCounts::read(&damaged).expect_err("damaged").contains("line"), "{damaged}");
        }
    }
}
