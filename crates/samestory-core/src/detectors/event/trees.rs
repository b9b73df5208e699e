//! The probability that two items report one event, by the numbers of their agreement: a sum of small decision trees
//! per language, learned from pairs that people judged (benchmarks/event_trees.py).
//!
//! A line of trees.txt is a language and either `base` with a number or a tree: a split (`cosine<=0.25`), then the
//! subtree for yes, then the subtree for no; a number is a leaf. The trees were grown so that more in common never
//! counts against two items, and a contradiction never for them.
//!
//! The trees are not walked from the root, since every split would be a branch that the processor mispredicts. The
//! splits of all trees are evaluated number by number, smallest threshold first, until one is not exceeded; an exceeded
//! threshold masks out the leaves of its yes subtree, and the first remaining leaf of a tree is its value (QuickScorer)
//! [lucchese2015].

use std::sync::LazyLock;

use super::item::Family;
use super::numbers::{Numbers, NAMES};

static TREES: LazyLock<[Trees; Family::ALL.len()]> = LazyLock::new(|| {
    let mut all = Family::ALL.map(|_| Trees::default());
    for line in include_str!("trees.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let language = words.next().unwrap_or_default();
        let (_, family) = Family::ALL.iter().find(|(known, _)| *known == language).expect("a known language");
        all[*family as usize].read(&mut words);
    }
    all
});

#[derive(Default)]
struct Trees {
    base: f64,
    /// The splits on every number of the agreement, by ascending threshold.
    splits: Vec<Vec<Split>>,
    /// The leaves of one tree after the other, those for yes first.
    leaves: Vec<f64>,
    /// Index of the first leaf of every tree.
    starts: Vec<u32>,
}

struct Split {
    threshold: f64,
    tree: u32,
    /// Bit mask of the leaves of the tree that remain if the threshold is exceeded.
    remaining: u32,
}

/// The leaves of a tree are the bits of a mask.
const MAX_LEAVES: usize = 32;
const MAX_TREES: usize = 256;

impl Trees {
    fn read<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let mut words = words.peekable();
        if words.peek() == Some(&"base") {
            self.base = words.nth(1).and_then(|word| word.parse().ok()).expect("a number");
        } else {
            self.splits.resize_with(NAMES.len(), Vec::new);
            self.starts.push(self.leaves.len() as u32);
            assert!(self.starts.len() <= MAX_TREES, "a language has at most {MAX_TREES} trees");
            self.grow(&mut words);
            assert!(self.last_tree_leaves() <= MAX_LEAVES, "a tree has at most {MAX_LEAVES} leaves");
            self.splits.iter_mut().for_each(|splits| splits.sort_by(|x, y| x.threshold.total_cmp(&y.threshold)));
        }
    }

    /// Number of leaves of the last tree.
    fn last_tree_leaves(&self) -> usize {
        self.leaves.len() - self.starts.last().map_or(0, |&start| start as usize)
    }

    fn grow<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let word = words.next().expect("a split or a leaf");
        let Some((name, threshold)) = word.split_once("<=") else {
            self.leaves.push(word.parse().expect("a number"));
            return;
        };
        let number = NAMES.iter().position(|&known| known == name).expect("a number of the agreement");
        let first_leaf = self.last_tree_leaves();
        self.grow(words);
        let yes_leaves = first_leaf..self.last_tree_leaves();
        let remaining = yes_leaves.fold(u32::MAX, |remaining, leaf| remaining & !(1u32 << leaf));
        let tree = self.starts.len() as u32 - 1;
        self.splits[number].push(Split { threshold: threshold.parse().expect("a number"), tree, remaining });
        self.grow(words);
    }

    fn sum(&self, numbers: &Numbers) -> f64 {
        let mut masks = [u32::MAX; MAX_TREES];
        let masks = &mut masks[..self.starts.len()];
        for (number, splits) in numbers.iter().zip(&self.splits) {
            for split in splits.iter().take_while(|split| *number > split.threshold) {
                masks[split.tree as usize] &= split.remaining;
            }
        }
        let leaf = |(&start, mask): (&u32, &mut u32)| self.leaves[(start + mask.trailing_zeros()) as usize];
        self.base + self.starts.iter().zip(masks).map(leaf).sum::<f64>()
    }
}

/// The probability that two news items with this agreement report one event.
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

    /// The value of a tree, by a walk from its root.
    fn walked<'a>(words: &mut impl Iterator<Item = &'a str>, numbers: &Numbers) -> f64 {
        let word = words.next().unwrap();
        let Some((name, limit)) = word.split_once("<=") else { return word.parse().unwrap() };
        let (yes, no) = (walked(words, numbers), walked(words, numbers));
        let number = numbers[NAMES.iter().position(|&known| known == name).unwrap()];
        if number > limit.parse().unwrap() {
            no
        } else {
            yes
        }
    }

    #[test]
    fn asking_number_by_number_comes_to_what_walks_come_to() {
        let mut state = 1u64;
        let mut draw = || {
            state = crate::base::hash::numbered(7, state);
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        for (name, family) in Family::ALL {
            let lines = include_str!("trees.txt").lines().filter(|line| line.split(' ').next() == Some(name));
            let trees: Vec<&str> = lines.filter(|line| !line.contains(" base ")).collect();
            for _ in 0..200 {
                let high = 4.0 * draw();
                let numbers: Numbers = std::array::from_fn(|_| high * draw());
                let walks = trees.iter().map(|tree| walked(&mut tree.split(' ').skip(1), &numbers)).sum::<f64>();
                let trees = &TREES[family as usize];
                assert_eq!(trees.sum(&numbers), trees.base + walks);
            }
        }
    }

    #[test]
    fn every_language_has_trees() {
        for (name, family) in Family::ALL {
            assert!(TREES[family as usize].starts.len() > 10, "{name}");
        }
    }
}
