//! Names of persons, places and organisations in the blocks of a page: who and where stands in news more than around
//! it. [gibson2007]
//!
//! The page is read as one text, a line a block, so that a name which one block writes in full is known in the others.

use super::super::blocks::Blocks;
use super::model::Group;
use super::sink::{number, Sink};
use super::steps::tenths;
use super::surroundings::Surroundings;
use crate::entities::{Class, Recogniser};
use crate::text::article::Article;
use crate::text::languages::{is_turkish_case, language};
use crate::text::tokens::tokenise;

const COUNTS: [Group; 3] = [Group::new("persons"), Group::new("locations"), Group::new("organizations")];
const KINDS: Group = Group::new("names");
const KINDS_SIZE: Group = Group::new("names+size");
const SHARE: Group = Group::new("named");

/// More names of a kind say no more.
const MANY: u32 = 3;
/// So much text is enough to tell a language by.
const SAMPLE: usize = 1000;
/// No more of a page is read for names: with that much text, what is news is told by other things.
const LONGEST: usize = 1 << 20;

/// The names in one block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InBlock {
    /// Persons, places, organisations.
    counts: [u32; 3],
    /// Words of names.
    words: u32,
}

/// The names in every block of a page; nothing is known of any where the page is in letters that no pack reads.
#[derive(Debug, Default)]
pub(super) struct Names {
    blocks: Vec<InBlock>,
}

impl Names {
    pub fn new(page: &Surroundings, recogniser: &Recogniser) -> Self {
        let Some(spoken) = spoken(page, recogniser) else { return Names::default() };
        let blocks = &page.blocks;
        let (text, ends) = lines(blocks);
        let mut tokens = vec![];
        tokenise(&text, is_turkish_case(spoken), |token| tokens.push(token));
        let article = Article { words: &[], tokens: &tokens, text: &text, title: "", language: spoken, published: 0 };
        let found = recogniser.recognise(&article);
        let mut out = vec![InBlock::default(); blocks.blocks.len()];
        let mut at = 0;
        for entity in &found.entities {
            let kind = match entity.class {
                Class::Person => 0,
                Class::Location => 1,
                Class::Organization => 2,
                Class::Unclassified => continue,
            };
            let Some(first) = found.words.get(entity.words.start) else { continue };
            at += ends[at..].partition_point(|&end| end <= first.start);
            if let Some(block) = out.get_mut(at) {
                block.counts[kind] += 1;
                block.words += entity.words.len() as u32;
            }
        }
        Names { blocks: out }
    }

    /// The features of one block.
    pub fn put(&self, at: usize, tokens: u32, size: u32, sink: &mut impl Sink) {
        let Some(block) = self.blocks.get(at) else { return };
        let mut kinds = 0;
        for (bit, (group, count)) in COUNTS.into_iter().zip(block.counts).enumerate() {
            number(sink, group, count.min(MANY));
            kinds |= u32::from(count > 0) << bit;
        }
        number(sink, KINDS, kinds);
        number(sink, KINDS_SIZE, kinds * 10 + size);
        number(sink, SHARE, tenths(block.words as f32 / tokens.max(1) as f32));
    }
}

/// The language whose pack reads the page: its own, told by what reads like running text, or else the one that is
/// written in its letters. Names of persons and of large places are much the same in all languages of a script.
fn spoken(page: &Surroundings, recogniser: &Recogniser) -> Option<&'static str> {
    let mut sample = String::new();
    for block in page.blocks.blocks.iter().filter(|block| page.is_plain(block)) {
        if sample.len() >= SAMPLE {
            break;
        }
        sample.push_str(page.blocks.text_of(block));
        sample.push('\n');
    }
    let told = language(None, &sample);
    let own = PACKS.into_iter().find(|pack| *pack == told);
    own.or_else(|| by_letters(&sample)).filter(|pack| recogniser.knows(pack))
}

/// The languages that there are packs for.
const PACKS: [&str; 3] = ["tr", "en", "ru"];

fn by_letters(sample: &str) -> Option<&'static str> {
    let (mut latin, mut cyrillic, mut all) = (0, 0, 0);
    for letter in sample.chars().filter(|letter| letter.is_alphabetic()) {
        latin += u32::from(letter <= '\u{24f}');
        cyrillic += u32::from(('\u{400}'..='\u{4ff}').contains(&letter));
        all += 1;
    }
    match () {
        () if 2 * latin > all => Some("en"),
        () if 2 * cyrillic > all => Some("ru"),
        () => None,
    }
}

/// The blocks as the lines of a text, and where each ends.
fn lines(blocks: &Blocks) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(blocks.text.len() + blocks.blocks.len());
    let mut ends = Vec::with_capacity(blocks.blocks.len());
    for block in &blocks.blocks {
        if text.len() < LONGEST {
            text.push_str(blocks.text_of(block));
        }
        text.push('\n');
        ends.push(text.len());
    }
    (text, ends)
}
