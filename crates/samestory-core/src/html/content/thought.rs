//! The probabilities of a first model, aggregated by the structure of the page: per element, per place (blocks with
//! equal tags and class words around them), and per neighbourhood.

use std::collections::HashMap;

use super::surroundings::Surroundings;

/// The minimum probability at which the first model counts as sure.
const MIN_SURE_PROBABILITY: f32 = 0.8;
/// The number of blocks on either side that count as near.
const NEAR_BLOCKS: usize = 3;

/// Tokens, and the expected number of them that are content.
#[derive(Clone, Copy, Default)]
struct Sum {
    tokens: f32,
    content: f32,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.tokens += other.tokens;
        self.content += other.content;
    }

    fn share(self) -> f32 {
        self.content / self.tokens.max(1.0)
    }
}

pub(super) struct Thought<'a> {
    pub own: &'a [f32],
    /// The first and the last block of which the model is sure.
    pub first: usize,
    pub last: usize,
    elements: Vec<Sum>,
    places: HashMap<u64, Sum>,
    blocks: Vec<Sum>,
}

impl<'a> Thought<'a> {
    pub fn new(page: &Surroundings, own: &'a [f32]) -> Self {
        // a block without tokens counts as one token, so that it has a weight
        let sum = |(block, &own): (&super::super::Block, &f32)| {
            let tokens = block.tokens.max(1) as f32;
            Sum { tokens, content: own * tokens }
        };
        let blocks: Vec<Sum> = page.blocks.blocks.iter().zip(own).map(sum).collect();
        let mut elements = vec![Sum::default(); page.blocks.elements.len()];
        let mut places: HashMap<u64, Sum> = HashMap::new();
        for (at, &sum) in blocks.iter().enumerate() {
            places.entry(page.place(at)).or_default().add(sum);
            if let Some(element) = elements.get_mut(page.hosts[at] as usize) {
                element.add(sum);
            }
        }
        for at in (0..elements.len()).rev() {
            let sum = elements[at];
            if let Some(outer) = elements.get_mut(page.blocks.elements[at].parent as usize) {
                outer.add(sum);
            }
        }
        let sure = |own: &f32| *own >= MIN_SURE_PROBABILITY;
        let first = own.iter().position(sure).unwrap_or(own.len());
        let last = own.iter().rposition(sure).unwrap_or(0);
        Thought { own, first, last, elements, places, blocks }
    }

    /// The expected share of an element's tokens that is content.
    pub fn there(&self, element: u32) -> f32 {
        self.elements.get(element as usize).map_or(0.0, |sum| sum.share())
    }

    /// The expected share of all content that is in an element.
    pub fn mass(&self, element: u32) -> f32 {
        let all = self.elements.first().map_or(0.0, |sum| sum.content);
        self.elements.get(element as usize).map_or(0.0, |sum| sum.content / all.max(1.0))
    }

    /// The expected share of content in all blocks with this place hash.
    pub fn alike(&self, place: u64) -> f32 {
        self.places.get(&place).map_or(0.0, |sum| sum.share())
    }

    /// The expected share of content in the blocks on either side, without the block itself.
    pub fn near(&self, at: usize) -> f32 {
        let mut sum = Sum::default();
        for other in at.saturating_sub(NEAR_BLOCKS)..(at + NEAR_BLOCKS + 1).min(self.blocks.len()) {
            if other != at {
                sum.add(self.blocks[other]);
            }
        }
        sum.share()
    }
}
