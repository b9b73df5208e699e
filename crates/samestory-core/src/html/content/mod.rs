//! Content: which blocks of a page are the news, and their text.
//!
//! Every method assigns each block a probability; a block is content if it is at least one half. [gibson2007]

mod chain;
mod features;
mod heuristic;
mod hidden;
mod learned;
pub mod model;
mod names;
mod plain;
mod repeats;
mod sink;
mod steps;
mod surroundings;
mod text;
mod thought;

use std::sync::Arc;

use model::{Features, Model};

use super::blocks::{BlockOptions, Blocks, Flags};
use super::head::Head;
use super::page::page_blocks;
use super::refuse::NotAPage;
use crate::entities::Recogniser;

/// Tags of HTML 5 that do not break the line either; the study covers HTML 4.
pub const INLINE_5: [&str; 18] = [
    "bdi", "data", "img", "label", "mark", "meter", "nobr", "output", "picture", "progress", "rb", "rp", "rt", "ruby",
    "slot", "source", "time", "wbr",
];

/// How content is detected.
#[derive(Debug)]
pub enum ExtractionMethod {
    /// Everything except script and style.
    Heuristic,
    /// Rules of our own about running text and its position.
    Rules,
    /// A trained model.
    Learned(Box<Model>),
}

#[derive(Debug)]
pub struct Extractor {
    pub method: ExtractionMethod,
    /// Blocks with fewer tokens are left out, whatever their probability: MinBlock of the study.
    pub least: u32,
    /// Recognises names, for models that use them.
    names: Option<Arc<Recogniser>>,
    options: BlockOptions,
}

/// The extracted content of a page.
#[derive(Debug)]
pub struct Extraction {
    pub encoding: &'static str,
    pub title: String,
    pub flags: Flags,
    pub text: String,
    pub head: Head,
}

impl Extractor {
    pub fn new(method: ExtractionMethod, least: u32) -> Self {
        let inline_extra = INLINE_5.iter().map(|&tag| tag.into()).collect();
        Extractor { method, least, names: None, options: BlockOptions { inline_extra, mute: vec![] } }
    }

    /// Adds a recogniser of names: models that use names are inaccurate without it.
    pub fn with_names(self, names: Arc<Recogniser>) -> Self {
        Extractor { names: Some(names), ..self }
    }

    /// The blocks of a page, with the options of this extractor.
    pub fn blocks(&self, raw: &[u8], charset: Option<&str>, tld: Option<&str>) -> Result<Blocks, NotAPage> {
        page_blocks(raw, charset, tld, &self.options)
    }

    /// The probability of content for every block. The labels of some blocks may be `known`: the learned method uses
    /// them, the others ignore them.
    pub fn label(&self, blocks: &Blocks, known: &[(usize, bool)]) -> Vec<f32> {
        let mut out = self.judge(blocks, known);
        if !matches!(self.method, ExtractionMethod::Heuristic) {
            hidden::drop_hidden(blocks, &mut out);
        }
        out
    }

    /// The same, but with hidden blocks: used for training, as the words of a block do not depend on being hidden.
    pub fn judge(&self, blocks: &Blocks, known: &[(usize, bool)]) -> Vec<f32> {
        let mut out = match &self.method {
            ExtractionMethod::Heuristic => heuristic::label(blocks),
            ExtractionMethod::Rules => plain::label(blocks),
            ExtractionMethod::Learned(model) => learned::label(model, self.names.as_deref(), blocks, known),
        };
        if !matches!(self.method, ExtractionMethod::Heuristic) {
            repeats::drop_repeats(blocks, &mut out);
        }
        for (probability, block) in out.iter_mut().zip(&blocks.blocks) {
            if block.tokens < self.least {
                *probability = 0.0;
            }
        }
        out
    }

    pub fn extract(&self, raw: &[u8], charset: Option<&str>, tld: Option<&str>) -> Result<Extraction, NotAPage> {
        let blocks = self.blocks(raw, charset, tld)?;
        let text = text::of(&blocks, &self.label(&blocks, &[]));
        let Blocks { encoding, title, flags, head, .. } = blocks;
        Ok(Extraction { encoding, title, flags, text, head })
    }
}

/// The features of every block of a page by their names in a model, for training. `names` recognises persons, places
/// and organisations, for features that use them; `first` are the probabilities of a first model.
pub fn listed(which: Features, names: Option<&Recogniser>, first: Option<&[f32]>, blocks: &Blocks) -> Vec<Vec<String>> {
    learned::listed(which, names, first, blocks)
}
