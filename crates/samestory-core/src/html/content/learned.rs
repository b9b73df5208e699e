//! Features to scores, by a model; or to lists for training a model.

use super::super::blocks::Blocks;
use super::chain::probabilities;
use super::features::{features, MARK};
use super::model::{value, FeatureKind, Features, Model};
use super::names::Names;
use super::sink::Sink;
use super::surroundings::Surroundings;
use crate::entities::Recogniser;

/// The probability of content for every block. The labels of some blocks may be `known`; they influence their
/// neighbours through the chain like scores of the model.
pub(super) fn label(
    model: &Model,
    recogniser: Option<&Recogniser>,
    blocks: &Blocks,
    known: &[(usize, bool)],
) -> Vec<f32> {
    let page = Surroundings::new(blocks);
    let names = recogniser.filter(|_| model.wants_names()).map(|recogniser| Names::new(&page, recogniser));
    let first = model.first.as_ref().map(|first| scored(first, &page, names.as_ref(), None, known));
    scored(model, &page, names.as_ref(), first.as_deref(), known)
}

fn scored(
    model: &Model,
    page: &Surroundings,
    names: Option<&Names>,
    first: Option<&[f32]>,
    known: &[(usize, bool)],
) -> Vec<f32> {
    let words = page.blocks.names.iter().map(|name| model.weight(MARK.feature(value(name)))).collect();
    let marks = vec![None; page.blocks.elements.len()];
    let mut scores = Scores { model, blocks: page.blocks, words, marks, sum: 0.0, all: vec![] };
    features(page, model.features, names, first, &mut scores);
    for &(at, content) in known {
        if let Some(score) = scores.all.get_mut(at) {
            *score = if content { KNOWN_SCORE } else { -KNOWN_SCORE };
        }
    }
    probabilities(&scores.all, model.turns, model.shift)
}

/// The score of a block with a known label: no neighbour outweighs it.
const KNOWN_SCORE: f64 = 50.0;

/// The features of every block, by their names in a model.
pub(super) fn listed(
    which: Features,
    recogniser: Option<&Recogniser>,
    first: Option<&[f32]>,
    blocks: &Blocks,
) -> Vec<Vec<String>> {
    let page = Surroundings::new(blocks);
    let names = recogniser.map(|recogniser| Names::new(&page, recogniser));
    let mut lists = Lists { blocks, list: vec![], all: vec![] };
    features(&page, which, names.as_ref(), first, &mut lists);
    lists.all
}

/// Maximum number of enclosing elements whose words are read, and of words of each: some pages have thousands.
const MAX_LEVELS: usize = 8;
const MAX_WORDS_PER_ELEMENT: usize = 12;

/// The distinct words of an element and of those around it.
fn marks(blocks: &Blocks, element: u32) -> Vec<u32> {
    let mut distinct = vec![];
    let mut next = blocks.elements.get(element as usize);
    for _ in 0..MAX_LEVELS {
        let Some(element) = next else { break };
        let words = &blocks.words[element.words.start as usize..element.words.end as usize];
        for word in &words[..words.len().min(MAX_WORDS_PER_ELEMENT)] {
            if !distinct.contains(word) {
                distinct.push(*word);
            }
        }
        next = blocks.elements.get(element.parent as usize);
    }
    distinct
}

struct Scores<'a> {
    model: &'a Model,
    blocks: &'a Blocks,
    /// The weight of every word, and per element the cached sum over its words and those around it: most blocks share
    /// them.
    words: Vec<f32>,
    marks: Vec<Option<f32>>,
    sum: f64,
    all: Vec<f64>,
}

impl Sink for Scores<'_> {
    fn put(&mut self, group: FeatureKind, value: u64, _: &dyn Fn(&mut String)) {
        self.sum += f64::from(self.model.weight(group.feature(value)));
    }

    fn marks(&mut self, element: u32) {
        let Some(cached) = self.marks.get_mut(element as usize) else { return };
        let sum = || marks(self.blocks, element).iter().map(|&word| self.words[word as usize]).sum();
        self.sum += f64::from(*cached.get_or_insert_with(sum));
    }

    fn end(&mut self) {
        self.put(BIAS, value("1"), &|_| {});
        self.all.push(std::mem::take(&mut self.sum));
    }
}

/// A constant feature of every block.
const BIAS: FeatureKind = FeatureKind::new("block");

struct Lists<'a> {
    blocks: &'a Blocks,
    list: Vec<String>,
    all: Vec<Vec<String>>,
}

impl Sink for Lists<'_> {
    fn put(&mut self, group: FeatureKind, _: u64, text: &dyn Fn(&mut String)) {
        let mut feature = format!("{}=", group.name);
        text(&mut feature);
        self.list.push(feature);
    }

    fn marks(&mut self, element: u32) {
        for word in marks(self.blocks, element) {
            self.list.push(format!("{}={}", MARK.name, self.blocks.names[word as usize]));
        }
    }

    fn end(&mut self) {
        self.put(BIAS, value("1"), &|out| out.push('1'));
        self.all.push(std::mem::take(&mut self.list));
    }
}
