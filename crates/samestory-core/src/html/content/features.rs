//! The features of a block, to which a model assigns weights. [gibson2007]
//!
//! The groups of the study (words, size, links, tags inside and around, form, place, neighbours) and, beyond it, the
//! position of the block relative to most of the running text of the page (`surroundings`).

use super::super::blocks::{Block, Border, HIDDEN, INSIDE};
use super::model::{fnv, value, FeatureKind, Features, SHORT, WORDS};
use super::names::Names;
use super::sink::{number, Sink};
use super::steps::{self, apart, far, kind, level, links, size, tenths};
use super::surroundings::Surroundings;
use super::thought::Thought;
use crate::text::characters::fold;
use crate::text::tokens::tokenise;

const SIZE: FeatureKind = FeatureKind::new("size");
const LINKS: FeatureKind = FeatureKind::new("links");
const SIZE_LINKS: FeatureKind = FeatureKind::new("size+links");
const INLINE: FeatureKind = FeatureKind::new("inline");
const BEFORE: FeatureKind = FeatureKind::new("before");
const AFTER: FeatureKind = FeatureKind::new("after");
const TAG: FeatureKind = FeatureKind::new("tag");
const OUTER: FeatureKind = FeatureKind::new("outer");
const OUTER_2: FeatureKind = FeatureKind::new("outer2");
const TAGS: FeatureKind = FeatureKind::new("tags");
const INSIDE_OF: FeatureKind = FeatureKind::new("inside");
/// The words of the innermost element's id and class.
const NEAR_MARK: FeatureKind = FeatureKind::new("near-mark");
/// Those of all enclosing elements, including the innermost.
pub(super) const MARK: FeatureKind = FeatureKind::new("mark");
const CAPITALS: FeatureKind = FeatureKind::new("capitals");
const FIGURES: FeatureKind = FeatureKind::new("figures");
const STOPS: FeatureKind = FeatureKind::new("stops");
const COMMAS: FeatureKind = FeatureKind::new("commas");
const BEGINS: FeatureKind = FeatureKind::new("begins");
const ENDS: FeatureKind = FeatureKind::new("ends");
const HAS: FeatureKind = FeatureKind::new("has");
const LETTERS: FeatureKind = FeatureKind::new("letters");
const DECILE: FeatureKind = FeatureKind::new("decile");
const REGION: FeatureKind = FeatureKind::new("region");
const FROM_LARGEST: FeatureKind = FeatureKind::new("from-largest");
const FROM_HEADLINE: FeatureKind = FeatureKind::new("from-headline");
const HEADLINE_SIZE: FeatureKind = FeatureKind::new("from-headline+size");
const HEADLINE_FIRST: FeatureKind = FeatureKind::new("from-headline+region");
const REGION_SIZE: FeatureKind = FeatureKind::new("region+size");
const IN_TITLE: FeatureKind = FeatureKind::new("in-title");
const COPIES: FeatureKind = FeatureKind::new("copies");
const APART: FeatureKind = FeatureKind::new("apart");
const HALF: FeatureKind = FeatureKind::new("half");
const HALF_SIZE: FeatureKind = FeatureKind::new("half+size");
const HALF_LINKS: FeatureKind = FeatureKind::new("half+links");
const HALF_TAG: FeatureKind = FeatureKind::new("half+tag");
const MOST: FeatureKind = FeatureKind::new("most");
const MOST_SIZE: FeatureKind = FeatureKind::new("most+size");
const HALF_MOST: FeatureKind = FeatureKind::new("half+most");
const PART: FeatureKind = FeatureKind::new("part");
const PART_SIZE: FeatureKind = FeatureKind::new("part+size");
const APART_SIZE: FeatureKind = FeatureKind::new("apart+size");
const APART_TAG: FeatureKind = FeatureKind::new("apart+tag");
const APART_REGION: FeatureKind = FeatureKind::new("apart+region");
const HOLDS: FeatureKind = FeatureKind::new("holds");
const OUTER_HOLDS: FeatureKind = FeatureKind::new("outer-holds");
const HOST_LINKS: FeatureKind = FeatureKind::new("host-links");
const OUTER_LINKS: FeatureKind = FeatureKind::new("outer-links");
const HOST_BLOCKS: FeatureKind = FeatureKind::new("host-blocks");
const ALIKE: FeatureKind = FeatureKind::new("alike");
const ALIKE_SIZE: FeatureKind = FeatureKind::new("alike+size");
const ALIKE_LINKS: FeatureKind = FeatureKind::new("alike+links");

/// Features of the neighbours: the block before, after, and one further on each side.
const NEIGHBOURS: [(isize, [FeatureKind; 4]); 4] = [
    (
        -1,
        [
            FeatureKind::new("size-1"),
            FeatureKind::new("links-1"),
            FeatureKind::new("tag-1"),
            FeatureKind::new("apart-1"),
        ],
    ),
    (
        1,
        [
            FeatureKind::new("size+1"),
            FeatureKind::new("links+1"),
            FeatureKind::new("tag+1"),
            FeatureKind::new("apart+1"),
        ],
    ),
    (
        -2,
        [
            FeatureKind::new("size-2"),
            FeatureKind::new("links-2"),
            FeatureKind::new("tag-2"),
            FeatureKind::new("apart-2"),
        ],
    ),
    (
        2,
        [
            FeatureKind::new("size+2"),
            FeatureKind::new("links+2"),
            FeatureKind::new("tag+2"),
            FeatureKind::new("apart+2"),
        ],
    ),
];

/// Features from the probabilities of a first model.
const OWN: FeatureKind = FeatureKind::new("own");
const OWN_SIZE: FeatureKind = FeatureKind::new("own+size");
const THERE: FeatureKind = FeatureKind::new("there");
const THERE_OWN: FeatureKind = FeatureKind::new("there+own");
const THERE_OUTER: FeatureKind = FeatureKind::new("there-outer");
const OUTER_OWN: FeatureKind = FeatureKind::new("there-outer+own");
const THERE_OUTER_2: FeatureKind = FeatureKind::new("there-outer2");
const OUTER_2_OWN: FeatureKind = FeatureKind::new("there-outer2+own");
const OUTER_SIZE: FeatureKind = FeatureKind::new("there-outer+size");
const OUTER_LINKED: FeatureKind = FeatureKind::new("there-outer+links");
const MASS: FeatureKind = FeatureKind::new("mass");
const MASS_2: FeatureKind = FeatureKind::new("mass2");
const ALIKE_THERE: FeatureKind = FeatureKind::new("alike-there");
const ALIKE_OWN: FeatureKind = FeatureKind::new("alike-there+own");
const ALIKE_THERE_SIZE: FeatureKind = FeatureKind::new("alike-there+size");
const NEAR: FeatureKind = FeatureKind::new("near");
const NEAR_OWN: FeatureKind = FeatureKind::new("near+own");
const SPAN: FeatureKind = FeatureKind::new("span");
const SPAN_OWN: FeatureKind = FeatureKind::new("span+own");

/// Blocks of at most this many tokens are recognisable by their words: captions of buttons, headings of boxes.
const MAX_SHORT_BLOCK_TOKENS: u32 = 12;

/// Writes the features of all blocks to the sink, in order. With `first`, the probabilities of a first model, there are
/// also features of the blocks around each in the page's structure: a paragraph is seldom content alone.
pub(super) fn features(
    page: &Surroundings,
    which: Features,
    in_blocks: Option<&Names>,
    first: Option<&[f32]>,
    sink: &mut impl Sink,
) {
    let thought = first.map(|first| Thought::new(page, first));
    let names: Vec<u64> = page.blocks.names.iter().map(|name| value(name)).collect();
    let summaries: Vec<Summary> = (0..page.blocks.blocks.len()).map(|at| Summary::new(page, at)).collect();
    let mut room = String::new();
    for (at, block) in page.blocks.blocks.iter().enumerate() {
        let text = page.blocks.text_of(block);
        match which {
            Features::Words => bag(text, WORDS, &mut room, sink),
            Features::All | Features::AllEntities => {
                let mut one = BlockFeatures { page, names: &names, summaries: &summaries, at, block, text, sink };
                one.words(&mut room);
                one.sizes();
                one.tags();
                one.form();
                one.place();
                one.around();
                one.neighbours();
                if let Some(in_blocks) = in_blocks.filter(|_| which == Features::AllEntities) {
                    in_blocks.put(at, block.tokens, summaries[at].size, one.sink);
                }
                if let Some(thought) = &thought {
                    one.first_model(thought);
                }
            }
        }
        sink.end();
    }
}

/// Placeholder for any figure among the words; no word has this form.
const FIGURE: &str = "#";

fn bag(text: &str, group: FeatureKind, room: &mut String, sink: &mut impl Sink) {
    tokenise(text, false, |token| {
        if token.figure {
            sink.put(group, value(FIGURE), &|out| out.push_str(FIGURE));
        } else {
            fold(&text[token.start..token.end], false, room);
            sink.put(group, token.hash, &|out| out.push_str(room));
        }
    });
}

/// Values of a block that are used more than once: for the block itself and for its neighbours.
#[derive(Clone, Copy)]
struct Summary {
    size: u32,
    links: u32,
    apart: u32,
    half: u32,
    tag: u32,
}

impl Summary {
    fn new(page: &Surroundings, at: usize) -> Self {
        let block = &page.blocks.blocks[at];
        let host = page.hosts[at];
        let element = page.blocks.elements.get(host as usize);
        Summary {
            size: size(block.tokens),
            links: links(block),
            apart: apart(page.best.of(host)),
            half: apart(page.half.of(host)),
            tag: element.map_or(0, |element| element.tag),
        }
    }
}

struct BlockFeatures<'a, S> {
    page: &'a Surroundings<'a>,
    names: &'a [u64],
    summaries: &'a [Summary],
    at: usize,
    block: &'a Block,
    text: &'a str,
    sink: &'a mut S,
}

impl<S: Sink> BlockFeatures<'_, S> {
    fn number(&mut self, group: FeatureKind, value: u32) {
        number(self.sink, group, value);
    }

    fn name(&mut self, group: FeatureKind, name: u32) {
        let text = &self.page.blocks.names[name as usize];
        self.sink.put(group, self.names[name as usize], &|out| out.push_str(text));
    }

    fn text(&mut self, group: FeatureKind, text: &str) {
        self.texts(group, &[text]);
    }

    /// A feature whose value is the concatenation of several texts.
    fn texts(&mut self, group: FeatureKind, parts: &[&str]) {
        let hash = parts.iter().fold(value(""), |hash, part| fnv(hash, part.as_bytes()));
        self.sink.put(group, hash, &|out| parts.iter().for_each(|part| out.push_str(part)));
    }

    fn border(&mut self, group: FeatureKind, Border { tag, closes }: Border) {
        if !closes {
            return self.name(group, tag);
        }
        let page = self.page;
        self.texts(group, &["/", &page.blocks.names[tag as usize]]);
    }

    fn words(&mut self, room: &mut String) {
        let text = self.text;
        bag(text, WORDS, room, self.sink);
        if self.block.tokens <= MAX_SHORT_BLOCK_TOKENS {
            bag(text, SHORT, room, self.sink);
        }
    }

    fn sizes(&mut self) {
        let Summary { size, links, .. } = self.summaries[self.at];
        self.number(SIZE, size);
        self.number(LINKS, links);
        self.number(SIZE_LINKS, size * 10 + links);
    }

    fn tags(&mut self) {
        for &tag in &self.page.blocks.sets[self.block.inline as usize] {
            self.name(INLINE, tag);
        }
        self.border(BEFORE, self.block.before);
        self.border(AFTER, self.block.after);
        let page = self.page;
        let mut at = page.hosts[self.at];
        let mut path = [""; 5];
        for (step, group) in [TAG, OUTER, OUTER_2].into_iter().enumerate() {
            let Some(element) = page.blocks.elements.get(at as usize) else { break };
            self.name(group, element.tag);
            path[2 * step] = &page.blocks.names[element.tag as usize];
            path[(2 * step).saturating_sub(1)] = if step > 0 { "<" } else { path[0] };
            at = element.parent;
        }
        self.texts(TAGS, &path);
        // being hidden is not a feature: models were no better with it, and hidden blocks are dropped at the end
        let inside = self.block.inside & !HIDDEN;
        for (bit, name) in INSIDE.iter().enumerate() {
            if inside >> bit & 1 == 1 {
                self.text(INSIDE_OF, name);
            }
        }
        if let Some(element) = self.page.blocks.elements.get(self.page.hosts[self.at] as usize) {
            for at in element.words.clone() {
                self.name(NEAR_MARK, self.page.blocks.words[at as usize]);
            }
        }
        self.sink.marks(self.block.element);
    }

    fn form(&mut self) {
        let (mut capitals, mut figures, mut letters) = (0, 0, 0);
        tokenise(self.text, false, |token| {
            capitals += u32::from(token.capital);
            figures += u32::from(token.figure);
            letters += (token.end - token.start) as u32;
        });
        let tokens = self.block.tokens.max(1) as f32;
        self.number(CAPITALS, tenths(capitals as f32 / tokens));
        self.number(FIGURES, tenths(figures as f32 / tokens));
        self.number(LETTERS, (letters as f32 / tokens) as u32);
        let stops = self.text.matches(['.', '!', '?', '…', '。']).count();
        self.number(STOPS, far(stops).min(4));
        self.number(COMMAS, far(self.text.matches([',', '،', '、']).count()).min(4));
        self.number(BEGINS, kind(self.text.chars().next()));
        self.number(ENDS, kind(self.text.trim_end_matches(['"', '”', '“', '»', '\'', '’', ')']).chars().next_back()));
        const MARKS: [(&str, &str); 7] =
            [("©", "©"), ("@", "@"), ("http", "http"), ("www.", "www"), ("|", "|"), ("»", "»"), ("›", "›")];
        for (mark, name) in MARKS {
            if self.text.contains(mark) {
                self.text(HAS, name);
            }
        }
    }

    fn place(&mut self) {
        let count = self.summaries.len();
        let (at, page) = (self.at, self.page);
        self.number(DECILE, (at * 10 / count) as u32);
        let region = match at {
            at if at < page.first => 0,
            at if at > page.last => 2,
            _ => 1,
        };
        self.number(REGION, region);
        let largest = far(at.abs_diff(page.largest)) + if at < page.largest { 0 } else { 10 };
        self.number(FROM_LARGEST, largest);
        let headline = match page.headline {
            None => 30,
            Some(place) => far(at.abs_diff(place)) + if at < place { 0 } else { 10 },
        };
        self.number(FROM_HEADLINE, headline);
        self.number(HEADLINE_SIZE, headline * 10 + self.summaries[at].size);
        self.number(HEADLINE_FIRST, headline * 10 + region);
        self.number(REGION_SIZE, region * 10 + self.summaries[at].size);
        self.number(IN_TITLE, tenths(page.in_title(at)));
        self.number(COPIES, page.copies(at).min(3));
        let Summary { apart, half, size, links, tag } = self.summaries[at];
        let most = steps::apart(page.most.of(page.hosts[at]));
        let part = page.part(self.block) as u32;
        self.number(HALF, half);
        self.number(HALF_SIZE, half * 10 + size);
        self.number(HALF_LINKS, half * 10 + links);
        self.number(MOST, most);
        self.number(MOST_SIZE, most * 10 + size);
        self.number(HALF_MOST, half * 20 + most);
        self.number(PART, part);
        self.number(PART_SIZE, part * 10 + size);
        self.number(APART, apart);
        self.number(APART_SIZE, apart * 10 + size);
        self.number(APART_REGION, apart * 10 + region);
        const DIGITS: [&str; 16] =
            ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
        self.texts(HALF_TAG, &[DIGITS[half as usize], " ", &page.blocks.names[tag as usize]]);
        self.texts(APART_TAG, &[DIGITS[apart as usize], " ", &page.blocks.names[tag as usize]]);
    }

    /// The shares of running text and of links in the enclosing elements.
    fn around(&mut self) {
        let page = self.page;
        let all = page.sums.first().map_or(0, |sum| sum.plain).max(1) as f32;
        let host = page.hosts[self.at];
        let outer = page.blocks.elements.get(host as usize).map_or(host, |element| element.parent);
        for (element, holds, linked) in [(host, HOLDS, HOST_LINKS), (outer, OUTER_HOLDS, OUTER_LINKS)] {
            if let Some(sum) = page.sums.get(element as usize) {
                self.number(holds, tenths(sum.plain as f32 / all));
                self.number(linked, tenths(sum.linked as f32 / sum.tokens.max(1) as f32));
            }
        }
        if let Some(sum) = page.sums.get(outer as usize) {
            self.number(HOST_BLOCKS, far(sum.blocks as usize));
        }
        let alike = tenths(page.alike(self.at));
        let Summary { size, links, .. } = self.summaries[self.at];
        self.number(ALIKE, alike);
        self.number(ALIKE_SIZE, alike * 10 + size);
        self.number(ALIKE_LINKS, alike * 10 + links);
    }

    /// The first model's probabilities of this block and of related blocks.
    fn first_model(&mut self, thought: &Thought) {
        let page = self.page;
        let Summary { size, links, .. } = self.summaries[self.at];
        let host = page.hosts[self.at];
        let outer = page.blocks.elements.get(host as usize).map_or(host, |element| element.parent);
        let outer_2 = page.blocks.elements.get(outer as usize).map_or(outer, |element| element.parent);
        let own = level(thought.own[self.at]);
        self.number(OWN, own);
        self.number(OWN_SIZE, own * 10 + size);
        for (group, with_own, element) in
            [(THERE, THERE_OWN, host), (THERE_OUTER, OUTER_OWN, outer), (THERE_OUTER_2, OUTER_2_OWN, outer_2)]
        {
            let there = level(thought.there(element));
            self.number(group, there);
            self.number(with_own, there * 10 + own);
        }
        let outer_level = level(thought.there(outer));
        self.number(OUTER_SIZE, outer_level * 10 + size);
        self.number(OUTER_LINKED, outer_level * 10 + links);
        self.number(MASS, tenths(thought.mass(outer)));
        self.number(MASS_2, tenths(thought.mass(outer_2)));
        let alike = level(thought.alike(page.place(self.at)));
        self.number(ALIKE_THERE, alike);
        self.number(ALIKE_OWN, alike * 10 + own);
        self.number(ALIKE_THERE_SIZE, alike * 10 + size);
        let near = level(thought.near(self.at));
        self.number(NEAR, near);
        self.number(NEAR_OWN, near * 10 + own);
        let span = match self.at {
            at if at < thought.first => 0,
            at if at > thought.last => 2,
            _ => 1,
        };
        self.number(SPAN, span);
        self.number(SPAN_OWN, span * 10 + own);
    }

    fn neighbours(&mut self) {
        for (step, [size, links, tag, apart]) in NEIGHBOURS {
            let Some(&other) = self.at.checked_add_signed(step).and_then(|at| self.summaries.get(at)) else {
                self.text(size, "none");
                continue;
            };
            self.number(size, other.size);
            self.number(links, other.links);
            self.name(tag, other.tag);
            self.number(apart, other.apart);
        }
    }
}
