//! A trained model: what every feature of a block weighs, read from a file of plain text.
//!
//! ```text
//! samestory extractor 1          the format
//! features all                   or words, or all entities: which features it was trained on
//! turns 1.3 -2.1 -1.9 1.5        what it weighs that of two blocks in a row neither is content, only the second
//!                                is, only the first, both; a model of single blocks has no such line
//! shift 0.85                     how much likelier content is taken to be than all this says: who misses text loses
//!                                more than who takes a line too many
//! 0.731<TAB>before=p             a weight, and the feature; one a line
//! then                           what stands before was the first of two models; the second begins here, and
//!                                knows what the first thinks of every block
//! ```
//!
//! With two labels only the difference of their weights matters, so every feature has one: above zero for content.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::text::tokens::tokenise;

/// What a model begins with; another number would mean that features are made in another way.
const FORMAT: &str = "samestory extractor 1";
/// The kinds of features that are made here, one a line and sorted: what stands before `=`.
const KINDS: &str = include_str!("kinds.txt");
/// More than any model has that is worth loading.
const MOST: usize = 5_000_000;

/// A kind of feature; its name stands before `=`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub name: &'static str,
    key: u64,
}

/// The words of a block are known by the hash that the tokeniser gives them, all other values by that of their text.
pub(super) const WORDS: Group = Group::new("word");
pub(super) const SHORT: Group = Group::new("short");

impl Group {
    pub const fn new(name: &'static str) -> Self {
        Group { name, key: fnv(START, name.as_bytes()) }
    }

    /// The number of a feature of this kind, from the hash of its value.
    pub fn feature(self, value: u64) -> u64 {
        (self.key ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: short texts, hashed while they are built.
pub(super) const fn fnv(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

/// The hash of a value.
pub(super) fn value(text: &str) -> u64 {
    fnv(START, text.as_bytes())
}

/// Features are hashes already.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The features that a model was trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// Words alone: CE-SIMPLE of the study.
    Words,
    /// All but names.
    All,
    /// All, and the names of persons, places and organisations: CE-BEST of the study.
    AllEntities,
}

impl Features {
    /// Those that go by a name in a model.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "words" => Some(Features::Words),
            "all" => Some(Features::All),
            "all entities" => Some(Features::AllEntities),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub struct Model {
    /// A model that is asked before this one.
    pub first: Option<Box<Model>>,
    pub features: Features,
    /// What it weighs that a label (0: not content, 1: content) follows a label.
    pub turns: [[f64; 2]; 2],
    /// Added to the logarithm of the odds of content, when all is weighed.
    pub shift: f64,
    weights: HashMap<u64, f32, BuildHasherDefault<AsItIs>>,
    /// Whether any feature is of a kind that is made here.
    known: bool,
}

impl Model {
    fn blank() -> Self {
        Model {
            first: None,
            features: Features::All,
            turns: [[0.0; 2]; 2],
            shift: 0.0,
            weights: HashMap::default(),
            known: false,
        }
    }

    /// Reads a model; says what is wrong with it.
    pub fn read(text: &str) -> Result<Model, String> {
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line.trim_end());
        if head != FORMAT {
            return Err(format!("line 1: {FORMAT:?} is wanted, got {:?}", head.chars().take(60).collect::<String>()));
        }
        let mut model = Model::blank();
        for (number, line) in lines {
            let wrong = |why: &str| format!("line {}: {why}", number + 1);
            if let Some((weight, feature)) = line.split_once('\t') {
                let weight = number_in(weight).ok_or_else(|| wrong("the weight is no number"))?;
                let (group, text) =
                    feature.split_once('=').ok_or_else(|| wrong("a feature has the form kind=value"))?;
                model.known = model.known || KINDS.lines().any(|kind| kind == group);
                model.weights.insert(hashed(group, text), weight as f32);
                if model.weights.len() > MOST {
                    return Err(wrong("too many features for a model"));
                }
                continue;
            }
            match line.split_once(' ').unwrap_or((line, "")) {
                ("features", which) => {
                    model.features = Features::named(which)
                        .ok_or_else(|| wrong("words, all or all entities are wanted behind features"))?;
                }
                ("turns", numbers) => {
                    let numbers: Option<Vec<f64>> = numbers.split(' ').map(number_in).collect();
                    let [none, begins, ends, both] = numbers
                        .and_then(|numbers| numbers.try_into().ok())
                        .ok_or_else(|| wrong("four numbers are wanted behind turns"))?;
                    model.turns = [[none, begins], [ends, both]];
                }
                ("shift", number) => {
                    model.shift = number_in(number).ok_or_else(|| wrong("a number is wanted behind shift"))?;
                }
                ("then", "") if model.first.is_none() => {
                    let blank = Model::blank();
                    model = Model { first: Some(Box::new(std::mem::replace(&mut model, blank))), ..Model::blank() };
                }
                ("", _) | ("about", _) => {}
                (other, _) => return Err(wrong(&format!("nothing is called {other:?} in a model"))),
            }
        }
        if !model.known {
            // all blocks would be worth the same: a page would be content as a whole, or not at all
            return Err("none of its features is known here".into());
        }
        Ok(model)
    }

    /// Does it, or the model before it, weigh the names in a block?
    pub fn wants_names(&self) -> bool {
        self.features == Features::AllEntities || self.first.as_ref().is_some_and(|first| first.wants_names())
    }

    /// What a feature weighs; nothing if training never saw it.
    pub(super) fn weight(&self, feature: u64) -> f32 {
        self.weights.get(&feature).copied().unwrap_or(0.0)
    }
}

fn number_in(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.abs() < 1e6)
}

fn hashed(group: &str, text: &str) -> u64 {
    let key = fnv(START, group.as_bytes());
    let mut hash = value(text);
    if group == WORDS.name || group == SHORT.name {
        let mut words = vec![];
        tokenise(text, false, |token| words.push(token.hash));
        if let [word] = words[..] {
            hash = word;
        }
    }
    Group { name: "", key }.feature(hash)
}
