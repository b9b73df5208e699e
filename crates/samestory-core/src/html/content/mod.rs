//! Content: which blocks of a page are the news, and their text.
//!
//! Every method gives each block a probability; a block is content from one half on. [gibson2007]

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

use super::blocks::{Blocks, Flags, Options};
use super::head::Head;
use super::page::page_blocks;
use super::refuse::NotAPage;
use crate::entities::Recogniser;

/// Tags of HTML 5 that do not break the line either; the study knew HTML 4.
pub const INLINE_5: [&str; 18] = [
    "bdi", "data", "img", "label", "mark", "meter", "nobr", "output", "picture", "progress", "rb", "rp", "rt", "ruby",
    "slot", "source", "time", "wbr",
];

/// How content is told.
#[derive(Debug)]
pub enum Method {
    /// All that is no script and no style.
    Heuristic,
    /// Rules of our own about running text and where it lies.
    Rules,
    /// What a model has learned of pages.
    Learned(Box<Model>),
}

#[derive(Debug)]
pub struct Extractor {
    pub method: Method,
    /// Blocks with fewer tokens are left out, whatever the method says: MinBlock of the study.
    pub least: u32,
    /// Tells names, for models that weigh them.
    names: Option<Arc<Recogniser>>,
    options: Options,
}

/// What is taken for the content of a page.
#[derive(Debug)]
pub struct Extraction {
    pub encoding: &'static str,
    pub title: String,
    pub flags: Flags,
    pub text: String,
    pub head: Head,
}

impl Extractor {
    pub fn new(method: Method, least: u32) -> Self {
        let inline_extra = INLINE_5.iter().map(|&tag| tag.into()).collect();
        Extractor { method, least, names: None, options: Options { inline_extra, mute: vec![] } }
    }

    /// With what tells names: a model that weighs them gives no good answers without.
    pub fn with_names(self, names: Arc<Recogniser>) -> Self {
        Extractor { names: Some(names), ..self }
    }

    /// The blocks as this extractor reads them.
    pub fn blocks(&self, raw: &[u8], charset: Option<&str>, tld: Option<&str>) -> Result<Blocks, NotAPage> {
        page_blocks(raw, charset, tld, &self.options)
    }

    /// How probable it is of every block that it is content. Of some blocks that may be known already: a learned
    /// method weighs it, the others judge without.
    pub fn label(&self, blocks: &Blocks, known: &[(usize, bool)]) -> Vec<f32> {
        let mut out = self.judge(blocks, known);
        if !matches!(self.method, Method::Heuristic) {
            hidden::drop_hidden(blocks, &mut out);
        }
        out
    }

    /// The same before what is hidden is left out: what training learns from, as words are not about being hidden.
    pub fn judge(&self, blocks: &Blocks, known: &[(usize, bool)]) -> Vec<f32> {
        let mut out = match &self.method {
            Method::Heuristic => heuristic::label(blocks),
            Method::Rules => plain::label(blocks),
            Method::Learned(model) => learned::label(model, self.names.as_deref(), blocks, known),
        };
        if !matches!(self.method, Method::Heuristic) {
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

/// The features of every block of a page, as a model names them: what it is trained on. `names` tells those of
/// persons and the like, for features that hold them; `first` is what a first model thinks of every block.
pub fn listed(which: Features, names: Option<&Recogniser>, first: Option<&[f32]>, blocks: &Blocks) -> Vec<Vec<String>> {
    learned::listed(which, names, first, blocks)
}
