//! Features to scores, by a model; or to lists that a model is trained on.

use super::super::blocks::Blocks;
use super::chain::probabilities;
use super::features::{features, MARK};
use super::model::{value, Features, Group, Model};
use super::names::Names;
use super::sink::Sink;
use super::surroundings::Surroundings;
use crate::entities::Recogniser;

/// How probable content is at every block. Of some blocks it may be `known` whether they are content; what that says of
/// the others is weighed as what a model thinks is.
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
            *score = if content { CERTAIN } else { -CERTAIN };
        }
    }
    probabilities(&scores.all, model.turns, model.shift)
}

/// The score of a block that is known: no neighbour outweighs it.
const CERTAIN: f64 = 50.0;

/// The features of every block, as a model names them.
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

/// Elements around a block whose words are read, and words of each: there are pages with thousands.
const LEVELS: usize = 8;
const WORDS_EACH: usize = 12;

/// The words of an element and those around it, each once.
fn marks(blocks: &Blocks, element: u32) -> Vec<u32> {
    let mut found = vec![];
    let mut next = blocks.elements.get(element as usize);
    for _ in 0..LEVELS {
        let Some(element) = next else { break };
        let words = &blocks.words[element.words.start as usize..element.words.end as usize];
        for word in &words[..words.len().min(WORDS_EACH)] {
            if !found.contains(word) {
                found.push(*word);
            }
        }
        next = blocks.elements.get(element.parent as usize);
    }
    found
}

struct Scores<'a> {
    model: &'a Model,
    blocks: &'a Blocks,
    /// What every word weighs, and what all words of an element and those around it do: most blocks share them, so
    /// that is asked once.
    words: Vec<f32>,
    marks: Vec<Option<f32>>,
    sum: f64,
    all: Vec<f64>,
}

impl Sink for Scores<'_> {
    fn put(&mut self, group: Group, value: u64, _: &dyn Fn(&mut String)) {
        self.sum += f64::from(self.model.weight(group.feature(value)));
    }

    fn marks(&mut self, element: u32) {
        let Some(known) = self.marks.get_mut(element as usize) else { return };
        let sum = || marks(self.blocks, element).iter().map(|&word| self.words[word as usize]).sum();
        self.sum += f64::from(*known.get_or_insert_with(sum));
    }

    fn end(&mut self) {
        self.put(BIAS, value("1"), &|_| {});
        self.all.push(std::mem::take(&mut self.sum));
    }
}

/// Stands at every block.
const BIAS: Group = Group::new("block");

struct Lists<'a> {
    blocks: &'a Blocks,
    list: Vec<String>,
    all: Vec<Vec<String>>,
}

impl Sink for Lists<'_> {
    fn put(&mut self, group: Group, _: u64, text: &dyn Fn(&mut String)) {
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
