//! Features to scores, by a model; or to lists that a model is trained on.

use super::super::Blocks;
use super::chain::probabilities;
use super::features::{features, Sink, MARK};
use super::model::{value, Features, Group, Model};
use super::surroundings::Surroundings;

pub(super) fn label(model: &Model, blocks: &Blocks) -> Vec<f32> {
    let mut scores = Scores { model, marks: marks(model, blocks), sum: 0.0, all: vec![] };
    features(&Surroundings::new(blocks), model.features, &mut scores);
    probabilities(&scores.all, model.turns)
}

/// The features of every block, as a model names them.
pub(super) fn listed(which: Features, blocks: &Blocks) -> Vec<Vec<String>> {
    let mut lists = Lists { blocks, list: vec![], all: vec![] };
    features(&Surroundings::new(blocks), which, &mut lists);
    lists.all
}

struct Scores<'a> {
    model: &'a Model,
    marks: Vec<f32>,
    sum: f64,
    all: Vec<f64>,
}

impl Sink for Scores<'_> {
    fn put(&mut self, group: Group, value: u64, _: &dyn Fn(&mut String)) {
        self.sum += f64::from(self.model.weight(group.feature(value)));
    }

    fn element(&mut self, at: u32) {
        self.sum += f64::from(self.marks.get(at as usize).copied().unwrap_or(0.0));
    }

    fn end(&mut self) {
        self.put(BIAS, value("1"), &|_| {});
        self.all.push(std::mem::take(&mut self.sum));
    }
}

/// Stands at every block.
const BIAS: Group = Group::new("block");

/// What the words of every element and of those around it weigh together: most blocks share them, so each element is
/// asked once.
fn marks(model: &Model, blocks: &Blocks) -> Vec<f32> {
    let words: Vec<f32> = blocks.names.iter().map(|name| model.weight(MARK.feature(value(name)))).collect();
    let mut out: Vec<f32> = Vec::with_capacity(blocks.elements.len());
    for element in &blocks.elements {
        let own = &blocks.words[element.words.start as usize..element.words.end as usize];
        let outer = out.get(element.parent as usize).copied().unwrap_or(0.0);
        out.push(outer + own.iter().map(|&word| words[word as usize]).sum::<f32>());
    }
    out
}

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

    fn element(&mut self, at: u32) {
        let mut next = self.blocks.elements.get(at as usize);
        while let Some(element) = next {
            for word in &self.blocks.words[element.words.start as usize..element.words.end as usize] {
                self.list.push(format!("{}={}", MARK.name, self.blocks.names[*word as usize]));
            }
            next = self.blocks.elements.get(element.parent as usize);
        }
    }

    fn end(&mut self) {
        self.put(BIAS, value("1"), &|out| out.push('1'));
        self.all.push(std::mem::take(&mut self.list));
    }
}
