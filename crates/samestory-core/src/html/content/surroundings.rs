//! Statistics of a page as a whole, computed before its blocks are classified: where its running text is.
//!
//! A block is *plain* if it resembles running text: long enough, few of its words are links, and it is not inside
//! boilerplate (navigation, comments, boxes of related news: by the tags and the names of classes around it). Most of
//! the plain text of a news page is the news, so the position of a block relative to the elements that contain most of
//! it (inside, beside or far away) is strong evidence.

use std::collections::HashMap;

use super::super::blocks::{Block, Blocks, INLINE};
use super::super::tree::NONE;
use super::model::fnv;
use crate::text::tokens::tokenise;

/// A plain block has at least this many tokens outside links.
const MIN_PLAIN_TOKENS: u32 = 8;
/// And at most this share of its tokens inside links.
const MAX_PLAIN_LINK_SHARE: f32 = 0.33;
/// An element with a larger share of the text than this is not boilerplate, whatever its name: `with-sidebar`.
const MAX_BOILERPLATE_SHARE: f32 = 0.6;

/// Class names of readers' comments.
const COMMENTS: [&str; 10] =
    ["comment", "comments", "commentlist", "commento", "disqus", "reply", "replies", "respond", "yorum", "yorumlar"];
/// Class names of boilerplate, common on pages in any language.
const BOILERPLATE: [&str; 43] = [
    "ad", "ads", "advert", "advertisement", "banner", "bio", "breadcrumb", "breadcrumbs", "byline", "caption",
    "consent", "cookie", "cookies", "copyright", "disclaimer", "footer", "legal", "login", "menu", "meta", "modal",
    "nav", "navbar", "navigation", "newsletter", "outbrain", "popular", "popup", "promo", "recommended", "related",
    "share", "sharing", "sidebar", "signup", "social", "sponsor", "sponsored", "subscribe", "taboola", "tags",
    "trending", "widget",
];
/// Tags of boilerplate.
const BOILERPLATE_TAGS: [&str; 8] = ["nav", "footer", "aside", "form", "button", "select", "noscript", "figure"];

/// The kind of section an element is part of, by its name or that of an enclosing element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum SectionKind {
    #[default]
    Unknown,
    Comments,
    Boilerplate,
}

/// Totals over an element and all its descendants.
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
    /// For every element, the kind of section it is part of.
    pub parts: Vec<SectionKind>,
    /// Positions relative to the element that contains most plain text directly, to the innermost that contains half
    /// of all plain text, and to the innermost that contains nearly all of it.
    pub best: RelativePositions,
    pub half: RelativePositions,
    pub most: RelativePositions,
    /// For every block: the innermost enclosing element that is not an inline tag.
    pub hosts: Vec<u32>,
    /// For every block: the hash of the tags and class words around it, independent of its position.
    places: Vec<u64>,
    /// Tokens of plain text by that hash.
    by_place: HashMap<u64, u32>,
    /// The first and the last plain block in the best element, and the largest block.
    pub first: usize,
    pub last: usize,
    pub largest: usize,
    /// The first block inside h1 to h6 that resembles the title of the page.
    pub headline: Option<usize>,
    title: Vec<u64>,
    /// The number of occurrences of each text on the page.
    copies: HashMap<&'a str, u32>,
}

/// The positions of all elements relative to one target element.
#[derive(Default)]
pub(super) struct RelativePositions {
    /// For every element: the steps up to the nearest one that is or contains the target, and its height above that.
    apart: Vec<(u16, u16)>,
}

impl RelativePositions {
    fn new(blocks: &Blocks, depths: &[u16], to: Option<usize>) -> Self {
        let mut above = vec![false; blocks.elements.len()];
        let mut next = to;
        while let Some(at) = next {
            above[at] = true;
            let parent = blocks.elements[at].parent;
            next = (parent != NONE).then_some(parent as usize);
        }
        let deepest = to.map_or(0, |to| depths[to]);
        let mut apart: Vec<(u16, u16)> = Vec::with_capacity(above.len());
        for (at, element) in blocks.elements.iter().enumerate() {
            let distance = if above[at] {
                (0, deepest - depths[at])
            } else {
                apart.get(element.parent as usize).map_or((0, u16::MAX), |&(apart, above)| (apart + 1, above))
            };
            apart.push(distance);
        }
        RelativePositions { apart }
    }

    /// The steps from an element up to the nearest one that contains the target, and the height of that one above the
    /// target; the height is 0 if the element is inside the target.
    pub fn of(&self, element: u32) -> (u16, u16) {
        self.apart.get(element as usize).copied().unwrap_or((0, u16::MAX))
    }
}

/// Whether a block resembles running text, wherever it is.
fn reads_plain(block: &Block) -> bool {
    let free = block.tokens - block.linked;
    free >= MIN_PLAIN_TOKENS && (block.linked as f32) <= MAX_PLAIN_LINK_SHARE * block.tokens as f32
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
        let depths = depths(blocks);
        let parts = parts(blocks, &sums(blocks, reads_plain));
        let is_part =
            |block: &Block| parts.get(block.element as usize).is_some_and(|&part| part != SectionKind::Unknown);
        let sums = sums(blocks, |block| reads_plain(block) && !is_part(block));
        let mut out = Surroundings {
            blocks,
            best: RelativePositions::default(),
            half: RelativePositions::new(blocks, &depths, holder(&sums, 0.5)),
            most: RelativePositions::new(blocks, &depths, holder(&sums, 0.85)),
            sums,
            parts,
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
        out.best = RelativePositions::new(blocks, &depths, out.find_best());
        out.find_places();
        out.find_borders();
        out
    }

    /// Whether a block resembles running text and is not inside boilerplate.
    pub fn is_plain(&self, block: &Block) -> bool {
        reads_plain(block) && self.part(block) == SectionKind::Unknown
    }

    /// The kind of section a block is part of.
    pub fn part(&self, block: &Block) -> SectionKind {
        self.parts.get(block.element as usize).copied().unwrap_or_default()
    }

    /// The element that contains most plain text: its own paragraphs count in full, those one level below by half, so
    /// that a text in several parts counts for their parent.
    fn find_best(&self) -> Option<usize> {
        let elements = &self.blocks.elements;
        let paragraph = |at: u32| matches!(self.blocks.names[elements[at as usize].tag as usize].as_str(), "p" | "pre");
        let mut points = vec![0u32; elements.len()];
        for (block, &host) in self.blocks.blocks.iter().zip(&self.hosts) {
            if host == NONE || !self.is_plain(block) {
                continue;
            }
            let holder = if paragraph(host) { elements[host as usize].parent } else { host };
            let Some(element) = elements.get(holder as usize) else { continue };
            points[holder as usize] += 2 * block.tokens;
            if let Some(outer) = points.get_mut(element.parent as usize) {
                *outer += block.tokens;
            }
        }
        (0..points.len()).filter(|&at| points[at] > 0).max_by_key(|&at| (points[at], std::cmp::Reverse(at)))
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
            if self.is_plain(block) {
                *self.by_place.entry(look).or_default() += block.tokens;
            }
        }
    }

    fn find_borders(&mut self) {
        let blocks = &self.blocks.blocks;
        let inside = |at: &usize| self.is_plain(&blocks[*at]) && self.half.of(self.hosts[*at]).1 == 0;
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

    /// The share of all plain text that is in places with the same hash as that of the block.
    pub fn alike(&self, block: usize) -> f32 {
        let all = self.sums.first().map_or(0, |sum| sum.plain);
        let alike = self.by_place.get(&self.places[block]).copied().unwrap_or(0);
        alike as f32 / all.max(1) as f32
    }

    /// The number of occurrences of the text of a block on the page.
    pub fn copies(&self, block: usize) -> u32 {
        self.copies.get(self.blocks.text_of(&self.blocks.blocks[block])).copied().unwrap_or(1)
    }

    /// The hash of the tags and class words around a block.
    pub fn place(&self, block: usize) -> u64 {
        self.places[block]
    }
}

/// The innermost element that contains at least this share of the plain text.
fn holder(sums: &[Sum], share: f32) -> Option<usize> {
    let all = sums.first().map_or(0, |sum| sum.plain);
    // elements with so much of the text are nested in each other: the last of them is the innermost
    (0..sums.len()).rfind(|&at| all > 0 && sums[at].plain as f32 >= share * all as f32)
}

/// The kind of section every element is part of; by `sums`, elements with most of the page are not boilerplate.
fn parts(blocks: &Blocks, sums: &[Sum]) -> Vec<SectionKind> {
    let part = |name: &String| match name.as_str() {
        name if COMMENTS.contains(&name) => SectionKind::Comments,
        name if BOILERPLATE.contains(&name) => SectionKind::Boilerplate,
        _ => SectionKind::Unknown,
    };
    let by_name: Vec<SectionKind> = blocks.names.iter().map(part).collect();
    let is_tag: Vec<bool> = blocks.names.iter().map(|name| BOILERPLATE_TAGS.contains(&name.as_str())).collect();
    let all = sums.first().map_or(0, |sum| sum.plain) as f32;
    let mut out: Vec<SectionKind> = Vec::with_capacity(blocks.elements.len());
    for (at, element) in blocks.elements.iter().enumerate() {
        let outer = out.get(element.parent as usize).copied().unwrap_or_default();
        let words = &blocks.words[element.words.start as usize..element.words.end as usize];
        let named = words.iter().map(|&word| by_name[word as usize]).find(|&part| part != SectionKind::Unknown);
        let own = named.or(is_tag[element.tag as usize].then_some(SectionKind::Boilerplate)).unwrap_or_default();
        let whole = all > 0.0 && sums[at].plain as f32 > MAX_BOILERPLATE_SHARE * all;
        out.push(if outer != SectionKind::Unknown {
            outer
        } else if whole {
            SectionKind::Unknown
        } else {
            own
        });
    }
    out
}

fn mix(look: u64, part: u64) -> u64 {
    fnv(look, &part.to_le_bytes())
}

fn sums(blocks: &Blocks, is_plain: impl Fn(&Block) -> bool) -> Vec<Sum> {
    let mut out = vec![Sum::default(); blocks.elements.len()];
    for block in &blocks.blocks {
        if let Some(sum) = out.get_mut(block.element as usize) {
            sum.tokens += block.tokens;
            sum.linked += block.linked;
            sum.plain += if is_plain(block) { block.tokens } else { 0 };
            sum.blocks += 1;
        }
    }
    // an element has a larger index than its parent
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
