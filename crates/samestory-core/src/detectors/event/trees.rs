//! How likely two items are one event, by the numbers of their agreement: a sum of small decision trees for every
//! language, learned from pairs that people judged (benchmarks/event_trees.py).
//!
//! A line of trees.txt is a language and either `base` with a number or a tree: a question (`cosine<=0.25`), then the tree
//! for yes, then the tree for no; a number is an answer. The trees were grown so that more in common never counts against
//! two items, and a contradiction never for them.

use std::sync::LazyLock;

use super::agreement::{Numbers, NAMES};
use super::item::Family;

static TREES: LazyLock<[Trees; Family::ALL.len()]> = LazyLock::new(|| {
    let mut all = Family::ALL.map(|_| Trees::default());
    for line in include_str!("trees.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let language = words.next().unwrap_or_default();
        let (_, family) = Family::ALL.iter().find(|(known, _)| *known == language).expect("a language that is known");
        all[*family as usize].read(&mut words);
    }
    all
});

#[derive(Default)]
struct Trees {
    base: f64,
    roots: Vec<u32>,
    nodes: Vec<Node>,
}

/// A question about a number: what is not greater than the limit goes on at the next node, what is, at `greater`. An
/// answer has no number.
struct Node {
    number: u16,
    greater: u32,
    limit: f64,
}

const ANSWER: u16 = u16::MAX;

impl Trees {
    fn read<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let mut words = words.peekable();
        if words.peek() == Some(&"base") {
            self.base = words.nth(1).and_then(|word| word.parse().ok()).expect("a number");
        } else {
            self.roots.push(self.nodes.len() as u32);
            self.grow(&mut words);
        }
    }

    fn grow<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let word = words.next().expect("a question or an answer");
        let Some((name, limit)) = word.split_once("<=") else {
            self.nodes.push(Node { number: ANSWER, greater: 0, limit: word.parse().expect("a number") });
            return;
        };
        let number = NAMES.iter().position(|&known| known == name).expect("a number of the agreement") as u16;
        let at = self.nodes.len();
        self.nodes.push(Node { number, greater: 0, limit: limit.parse().expect("a number") });
        self.grow(words);
        self.nodes[at].greater = self.nodes.len() as u32;
        self.grow(words);
    }

    fn sum(&self, numbers: &Numbers) -> f64 {
        let answer = |&root: &u32| {
            let mut at = root as usize;
            loop {
                let node = &self.nodes[at];
                if node.number == ANSWER {
                    return node.limit;
                }
                let greater = numbers[node.number as usize] > node.limit;
                at = if greater { node.greater as usize } else { at + 1 };
            }
        };
        self.base + self.roots.iter().map(answer).sum::<f64>()
    }
}

/// How likely two items of news with this agreement are about one event.
pub fn likelihood(family: Family, numbers: &Numbers) -> f64 {
    1.0 / (1.0 + (-TREES[family as usize].sum(numbers)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_asked_from_its_root_and_all_answers_are_added() {
        let mut trees = Trees::default();
        for line in ["base 0.5", "cosine<=0.25 -1 held_most<=0.5 2 3", "names_apart<=0 0.25 -4"] {
            trees.read(&mut line.split(' '));
        }
        let asked = |cosine, held, apart| {
            let mut numbers = [0.0; NAMES.len()];
            (numbers[0], numbers[1], numbers[12]) = (cosine, held, apart);
            trees.sum(&numbers)
        };
        assert_eq!(asked(0.25, 0.9, 0.0), -0.25);
        assert_eq!(asked(0.3, 0.5, 0.0), 2.75);
        assert_eq!(asked(0.3, 0.6, 1.0), -0.5);
    }

    #[test]
    fn every_language_has_trees() {
        for (name, family) in Family::ALL {
            assert!(TREES[family as usize].roots.len() > 10, "{name}");
        }
    }
}
