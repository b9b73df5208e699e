//! What is known of a page as a whole before any block of it is judged: where its running text lies.
//!
//! A block is *plain* if it reads like running text: long enough, and few of its words are links. Most of the plain
//! text of a news page is the news, so the element that holds most of it tells much about every block: a block may lie
//! in it, beside it or far away.

use std::collections::HashMap;

use super::super::blocks::{Block, Blocks, INLINE};
use super::super::tree::NONE;
use super::model::fnv;
use crate::text::tokens::tokenise;

/// A plain block has at least so many tokens outside links.
const PLAIN_TOKENS: u32 = 8;
/// And at most this share of its tokens inside links.
const PLAIN_LINKS: f32 = 0.33;

/// Of an element and all that lies in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    pub tokens: u32,
    pub linked: u32,
    /// Tokens of plain blocks.
    pub plain: u32,
    pub blocks: u32,
}

pub(super) struct Surroundings<'a> {
    pub blocks: &'a Blocks,
    pub sums: Vec<Sum>,
    pub depths: Vec<u16>,
    /// The element that holds most plain text directly, or `NONE`.
    pub best: u32,
    /// Whether an element holds the best one.
    above_best: Vec<bool>,
    /// Of every element: the steps up to one that is or holds the best one, and how far above the best that one lies.
    apart: Vec<(u16, u16)>,
    /// Of every block: the innermost element that is no inline tag.
    pub hosts: Vec<u32>,
    /// Of every block: what its place looks like, without where it is.
    places: Vec<u64>,
    /// How much plain text there is in places that look alike.
    by_place: HashMap<u64, u32>,
    /// The first and the last plain block in the best element, and the largest block.
    pub first: usize,
    pub last: usize,
    pub largest: usize,
    /// The first block of a headline that resembles the title of the page.
    pub headline: Option<usize>,
    title: Vec<u64>,
    /// How often each text stands on the page.
    copies: HashMap<&'a str, u32>,
}

pub(super) fn is_plain(block: &Block) -> bool {
    let free = block.tokens - block.linked;
    free >= PLAIN_TOKENS && (block.linked as f32) <= PLAIN_LINKS * block.tokens as f32
}

impl<'a> Surroundings<'a> {
    pub fn new(blocks: &'a Blocks) -> Self {
        let inline: Vec<bool> = blocks.names.iter().map(|name| INLINE.contains(&name.as_str())).collect();
        let host = |block: &Block| {
            let mut at = block.element;
            while let Some(element) = blocks.elements.get(at as usize).filter(|e| inline[e.tag as usize]) {
                at = element.parent;
            }
            at
        };
        let hosts: Vec<u32> = blocks.blocks.iter().map(host).collect();
        let mut out = Surroundings {
            blocks,
            sums: sums(blocks),
            depths: depths(blocks),
            best: NONE,
            above_best: vec![],
            apart: vec![],
            hosts,
            places: vec![],
            by_place: HashMap::new(),
            first: 0,
            last: 0,
            largest: 0,
            headline: None,
            title: vec![],
            copies: HashMap::new(),
        };
        tokenise(&blocks.title, false, |token| out.title.push(token.hash));
        out.title.sort_unstable();
        out.find_best();
        out.find_places();
        out.find_borders();
        out
    }

    /// The element that holds most plain text: its paragraphs count in full, those one step further down by half, so
    /// that a text in several parts is held by what holds the parts.
    fn find_best(&mut self) {
        let elements = &self.blocks.elements;
        let paragraph = |at: u32| matches!(self.blocks.names[elements[at as usize].tag as usize].as_str(), "p" | "pre");
        let mut points = vec![0u32; elements.len()];
        for (block, &host) in self.blocks.blocks.iter().zip(&self.hosts) {
            if host == NONE || !is_plain(block) {
                continue;
            }
            let holder = if paragraph(host) { elements[host as usize].parent } else { host };
            let Some(element) = elements.get(holder as usize) else { continue };
            points[holder as usize] += 2 * block.tokens;
            if let Some(outer) = points.get_mut(element.parent as usize) {
                *outer += block.tokens;
            }
        }
        let best = (0..points.len()).max_by_key(|&at| (points[at], std::cmp::Reverse(at)));
        self.best = best.filter(|&at| points[at] > 0).map_or(NONE, |at| at as u32);
        self.above_best = vec![false; elements.len()];
        let mut at = self.best;
        while at != NONE {
            self.above_best[at as usize] = true;
            at = elements[at as usize].parent;
        }
        let deepest = self.depths.get(self.best as usize).copied().unwrap_or(0);
        for (number, element) in elements.iter().enumerate() {
            let found = if self.above_best[number] {
                (0, deepest - self.depths[number])
            } else {
                self.apart.get(element.parent as usize).map_or((0, 0), |&(apart, above)| (apart + 1, above))
            };
            self.apart.push(found);
        }
    }

    fn find_places(&mut self) {
        for (block, &host) in self.blocks.blocks.iter().zip(&self.hosts) {
            // the tags of three elements and the words of the innermost two
            let (mut at, mut look) = (host, 0u64);
            for step in 0..3 {
                let Some(element) = self.blocks.elements.get(at as usize) else { break };
                look = mix(look, u64::from(element.tag));
                if step < 2 {
                    let words = &self.blocks.words[element.words.start as usize..element.words.end as usize];
                    look = words.iter().fold(look, |look, &word| mix(look, u64::from(word) + (1 << 32)));
                }
                at = element.parent;
            }
            self.places.push(look);
            if is_plain(block) {
                *self.by_place.entry(look).or_default() += block.tokens;
            }
        }
    }

    fn find_borders(&mut self) {
        let blocks = &self.blocks.blocks;
        let inside = |at: &usize| is_plain(&blocks[*at]) && self.in_best(*at);
        let (first, last) = ((0..blocks.len()).find(inside), (0..blocks.len()).rfind(inside));
        (self.first, self.last) = (first.unwrap_or(0), last.unwrap_or(0));
        self.largest = (0..blocks.len())
            .max_by_key(|&at| (blocks[at].tokens - blocks[at].linked, std::cmp::Reverse(at)))
            .unwrap_or(0);
        const HEADLINES: u32 = 0b11_1111 << 8; // h1 to h6 in `INSIDE`
        self.headline = (0..blocks.len()).find(|&at| blocks[at].inside & HEADLINES != 0 && self.in_title(at) >= 0.6);
        for block in blocks {
            *self.copies.entry(self.blocks.text_of(block)).or_default() += 1;
        }
    }

    fn in_best(&self, block: usize) -> bool {
        let (_, above) = self.from_best(block);
        self.best != NONE && above == 0
    }

    /// How many steps up from a block something holds the best element, and how far above the best that lies.
    pub fn from_best(&self, block: usize) -> (u16, u16) {
        self.apart.get(self.hosts[block] as usize).copied().unwrap_or((0, u16::MAX))
    }

    /// The share of a block's tokens that are in the title of the page.
    pub fn in_title(&self, block: usize) -> f32 {
        let block = &self.blocks.blocks[block];
        let mut shared = 0;
        if block.tokens <= 60 {
            tokenise(self.blocks.text_of(block), false, |token| {
                shared += u32::from(self.title.binary_search(&token.hash).is_ok());
            });
        }
        shared as f32 / block.tokens.max(1) as f32
    }

    /// The share of all plain text that lies in places which look like that of the block.
    pub fn alike(&self, block: usize) -> f32 {
        let all = self.sums.first().map_or(0, |sum| sum.plain);
        let alike = self.by_place.get(&self.places[block]).copied().unwrap_or(0);
        alike as f32 / all.max(1) as f32
    }

    /// How often the text of a block stands on the page.
    pub fn copies(&self, block: usize) -> u32 {
        self.copies.get(self.blocks.text_of(&self.blocks.blocks[block])).copied().unwrap_or(1)
    }
}

fn mix(look: u64, part: u64) -> u64 {
    fnv(look, &part.to_le_bytes())
}

fn sums(blocks: &Blocks) -> Vec<Sum> {
    let mut out = vec![Sum::default(); blocks.elements.len()];
    for block in &blocks.blocks {
        if let Some(sum) = out.get_mut(block.element as usize) {
            sum.tokens += block.tokens;
            sum.linked += block.linked;
            sum.plain += if is_plain(block) { block.tokens } else { 0 };
            sum.blocks += 1;
        }
    }
    // an element has a larger number than the one around it
    for at in (0..out.len()).rev() {
        let Sum { tokens, linked, plain, blocks: count } = out[at];
        if let Some(outer) = out.get_mut(blocks.elements[at].parent as usize) {
            outer.tokens += tokens;
            outer.linked += linked;
            outer.plain += plain;
            outer.blocks += count;
        }
    }
    out
}

fn depths(blocks: &Blocks) -> Vec<u16> {
    let mut out: Vec<u16> = Vec::with_capacity(blocks.elements.len());
    for element in &blocks.elements {
        let depth = out.get(element.parent as usize).map_or(0, |outer| outer + 1);
        out.push(depth);
    }
    out
}
