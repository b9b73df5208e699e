//! A trained model: the weights of block features, read from a plain text file.
//!
//! ```text
//! samestory extractor 1          the format
//! features all                   or words, or all entities: which features it was trained on
//! turns 1.3 -2.1 -1.9 1.5        the weights of two successive blocks of which neither is content, only the second
//!                                is, only the first, both; a model of single blocks has no such line
//! shift 0.85                     added to the log odds of content: missing text costs more than an extra line
//! 0.731<TAB>before=p             a weight and its feature; one per line
//! then                           the lines above are the first of two models; the second begins here and has the
//!                                probabilities of the first as features
//! ```
//!
//! With two labels only the difference of their weights matters, so every feature has one: above zero for content.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::text::tokens::tokenise;

/// The first line of a model; the number is the version of the feature definitions.
const FORMAT: &str = "samestory extractor 1";
/// The kinds of features that are computed here, one per line and sorted: the part before `=`.
const KINDS: &str = include_str!("kinds.txt");
/// More features than any useful model has.
const MAX_FEATURES: usize = 5_000_000;

/// A kind of feature; its name is the part before `=`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureKind {
    pub name: &'static str,
    key: u64,
}

/// Words of a block are identified by their hash from the tokeniser, all other values by the hash of their text.
pub(super) const WORDS: FeatureKind = FeatureKind::new("word");
pub(super) const SHORT: FeatureKind = FeatureKind::new("short");

impl FeatureKind {
    pub const fn new(name: &'static str) -> Self {
        FeatureKind { name, key: fnv(FNV_OFFSET, name.as_bytes()) }
    }

    /// The hash of a feature of this kind, from the hash of its value.
    pub fn feature(self, value: u64) -> u64 {
        (self.key ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, which can be extended piece by piece, for short texts.
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
    fnv(FNV_OFFSET, text.as_bytes())
}

/// The identity function: features are hashes already.
#[derive(Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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
    /// The features by their name in a model.
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
    /// A model whose probabilities are features of this one.
    pub first: Option<Box<Model>>,
    pub features: Features,
    /// Transition weights: `turns[a][b]` of label b after label a (0: not content, 1: content).
    pub turns: [[f64; 2]; 2],
    /// Added to the final log odds of content.
    pub shift: f64,
    weights: HashMap<u64, f32, BuildHasherDefault<IdentityHasher>>,
    /// Whether any feature is of a kind in `KINDS`.
    has_known_kind: bool,
}

impl Model {
    fn blank() -> Self {
        Model {
            first: None,
            features: Features::All,
            turns: [[0.0; 2]; 2],
            shift: 0.0,
            weights: HashMap::default(),
            has_known_kind: false,
        }
    }

    /// Parses a model; the error names the line and the problem.
    pub fn read(text: &str) -> Result<Model, String> {
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line.trim_end());
        if head != FORMAT {
            return Err(format!("line 1: expected {FORMAT:?}, got {:?}", head.chars().take(60).collect::<String>()));
        }
        let mut model = Model::blank();
        for (number, line) in lines {
            let wrong = |why: &str| format!("line {}: {why}", number + 1);
            if let Some((weight, feature)) = line.split_once('\t') {
                let weight = number_in(weight).ok_or_else(|| wrong("the weight is no number"))?;
                let (group, text) =
                    feature.split_once('=').ok_or_else(|| wrong("a feature has the form kind=value"))?;
                model.has_known_kind = model.has_known_kind || KINDS.lines().any(|kind| kind == group);
                model.weights.insert(hashed(group, text), weight as f32);
                if model.weights.len() > MAX_FEATURES {
                    return Err(wrong("too many features for a model"));
                }
                continue;
            }
            match line.split_once(' ').unwrap_or((line, "")) {
                ("features", which) => {
                    model.features = Features::named(which)
                        .ok_or_else(|| wrong("expected words, all or all entities behind features"))?;
                }
                ("turns", numbers) => {
                    let numbers: Option<Vec<f64>> = numbers.split(' ').map(number_in).collect();
                    let [none, begins, ends, both] = numbers
                        .and_then(|numbers| numbers.try_into().ok())
                        .ok_or_else(|| wrong("expected four numbers behind turns"))?;
                    model.turns = [[none, begins], [ends, both]];
                }
                ("shift", number) => {
                    model.shift = number_in(number).ok_or_else(|| wrong("expected a number behind shift"))?;
                }
                ("then", "") if model.first.is_none() => {
                    let blank = Model::blank();
                    model = Model { first: Some(Box::new(std::mem::replace(&mut model, blank))), ..Model::blank() };
                }
                ("", _) | ("about", _) => {}
                (other, _) => return Err(wrong(&format!("nothing is called {other:?} in a model"))),
            }
        }
        if !model.has_known_kind {
            // all blocks would have the same score: either all of a page would be content, or nothing
            return Err("none of its features is known here".into());
        }
        Ok(model)
    }

    /// Does this model or the one before it use the names in a block?
    pub fn wants_names(&self) -> bool {
        self.features == Features::AllEntities || self.first.as_ref().is_some_and(|first| first.wants_names())
    }

    /// The weight of a feature; 0 if it did not occur in training.
    pub(super) fn weight(&self, feature: u64) -> f32 {
        self.weights.get(&feature).copied().unwrap_or(0.0)
    }
}

fn number_in(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.abs() < 1e6)
}

fn hashed(group: &str, text: &str) -> u64 {
    let key = fnv(FNV_OFFSET, group.as_bytes());
    let mut hash = value(text);
    if group == WORDS.name || group == SHORT.name {
        let mut words = vec![];
        tokenise(text, false, |token| words.push(token.hash));
        if let [word] = words[..] {
            hash = word;
        }
    }
    FeatureKind { name: "", key }.feature(hash)
}
