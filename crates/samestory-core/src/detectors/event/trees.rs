//! How likely two items are one event, by the numbers of their agreement: a sum of small decision trees for every
//! language, learned from pairs that people judged (benchmarks/event_trees.py).
//!
//! A line of trees.txt is a language and either `base` with a number or a tree: a question (`cosine<=0.25`), then the tree
//! for yes, then the tree for no; a number is an answer. The trees were grown so that more in common never counts against
//! two items, and a contradiction never for them.
//!
//! Nobody walks through them, since every question would be a guess of the processor. The questions of all trees are asked
//! number by number, smallest limit first, until one is not exceeded; whoever exceeds a limit rules out the answers that
//! lie behind its yes, and the first answer of a tree that is left is the one (QuickScorer) [lucchese2015].

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
    /// About every number of the agreement, by their limits.
    questions: Vec<Vec<Question>>,
    /// The answers of one tree after the other, those for yes first.
    answers: Vec<f64>,
    /// Where the answers of every tree begin.
    starts: Vec<u32>,
}

struct Question {
    limit: f64,
    tree: u32,
    /// The answers of the tree that are left when the limit is exceeded.
    left: u32,
}

/// As many answers a tree may have as there are bits.
const MOST_ANSWERS: usize = 32;
const MOST_TREES: usize = 256;

impl Trees {
    fn read<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let mut words = words.peekable();
        if words.peek() == Some(&"base") {
            self.base = words.nth(1).and_then(|word| word.parse().ok()).expect("a number");
        } else {
            self.questions.resize_with(NAMES.len(), Vec::new);
            self.starts.push(self.answers.len() as u32);
            assert!(self.starts.len() <= MOST_TREES, "a language has at most {MOST_TREES} trees");
            self.grow(&mut words);
            assert!(self.grown() <= MOST_ANSWERS, "a tree has at most {MOST_ANSWERS} answers");
            self.questions.iter_mut().for_each(|asked| asked.sort_by(|x, y| x.limit.total_cmp(&y.limit)));
        }
    }

    /// How many answers the last tree has.
    fn grown(&self) -> usize {
        self.answers.len() - self.starts.last().map_or(0, |&start| start as usize)
    }

    fn grow<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        let word = words.next().expect("a question or an answer");
        let Some((name, limit)) = word.split_once("<=") else {
            self.answers.push(word.parse().expect("a number"));
            return;
        };
        let number = NAMES.iter().position(|&known| known == name).expect("a number of the agreement");
        let from = self.grown();
        self.grow(words);
        let left = (from..self.grown()).fold(u32::MAX, |left, answer| left & !(1u32 << answer));
        let tree = self.starts.len() as u32 - 1;
        self.questions[number].push(Question { limit: limit.parse().expect("a number"), tree, left });
        self.grow(words);
    }

    fn sum(&self, numbers: &Numbers) -> f64 {
        let mut room = [u32::MAX; MOST_TREES];
        let left = &mut room[..self.starts.len()];
        for (number, asked) in numbers.iter().zip(&self.questions) {
            for question in asked.iter().take_while(|question| *number > question.limit) {
                left[question.tree as usize] &= question.left;
            }
        }
        let answer = |(&start, left): (&u32, &mut u32)| self.answers[(start + left.trailing_zeros()) as usize];
        self.base + self.starts.iter().zip(left).map(answer).sum::<f64>()
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

    /// What a walk from the root of a tree comes to.
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
