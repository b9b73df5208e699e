//! Names of persons, places and organisations in the blocks of a page: they are more frequent in news than in the text
//! around it. [gibson2007]
//!
//! The page is read as one text, one line per block, so that a name in full in one block is recognised in the others.

use super::super::blocks::Blocks;
use super::model::FeatureKind;
use super::sink::{number, Sink};
use super::steps::tenths;
use super::surroundings::Surroundings;
use crate::entities::{Class, Recogniser};
use crate::text::article::Article;
use crate::text::languages::{is_turkish_case, language};
use crate::text::tokens::tokenise;

const COUNTS: [FeatureKind; 3] =
    [FeatureKind::new("persons"), FeatureKind::new("locations"), FeatureKind::new("organizations")];
const KINDS: FeatureKind = FeatureKind::new("names");
const KINDS_SIZE: FeatureKind = FeatureKind::new("names+size");
const SHARE: FeatureKind = FeatureKind::new("named");

/// Counts per kind are capped at this: more names are no further evidence.
const MAX_COUNT_PER_KIND: u32 = 3;
/// Bytes of text that suffice to detect a language.
const SAMPLE_BYTES: usize = 1000;
/// Bytes of a page that are searched for names: in so much text, other features are sufficient.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The names in one block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InBlock {
    /// Persons, places, organisations.
    counts: [u32; 3],
    /// Words of names.
    words: u32,
}

/// The names in every block of a page; empty if there is no pack for the script of the page.
#[derive(Debug, Default)]
pub(super) struct Names {
    blocks: Vec<InBlock>,
}

impl Names {
    pub fn new(page: &Surroundings, recogniser: &Recogniser) -> Self {
        let Some(pack_language) = pack_language(page, recogniser) else { return Names::default() };
        let blocks = &page.blocks;
        let (text, ends) = lines(blocks);
        let mut tokens = vec![];
        tokenise(&text, is_turkish_case(pack_language), |token| tokens.push(token));
        let article = Article { tokens: &tokens, text: &text, language: pack_language, ..Article::default() };
        let recognised = recogniser.recognise(&article);
        let mut out = vec![InBlock::default(); blocks.blocks.len()];
        let mut at = 0;
        for entity in &recognised.entities {
            let kind = match entity.class {
                Class::Person => 0,
                Class::Location => 1,
                Class::Organization => 2,
                Class::Unclassified => continue,
            };
            let Some(first) = recognised.words.get(entity.words.start) else { continue };
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
            number(sink, group, count.min(MAX_COUNT_PER_KIND));
            kinds |= u32::from(count > 0) << bit;
        }
        number(sink, KINDS, kinds);
        number(sink, KINDS_SIZE, kinds * 10 + size);
        number(sink, SHARE, tenths(block.words as f32 / tokens.max(1) as f32));
    }
}

/// The language of the pack for a page: its own, detected from its running text, or else one with the same script.
/// Names of persons and of large places are much the same in all languages of a script.
fn pack_language(page: &Surroundings, recogniser: &Recogniser) -> Option<&'static str> {
    let mut sample = String::new();
    for block in page.blocks.blocks.iter().filter(|block| page.is_plain(block)) {
        if sample.len() >= SAMPLE_BYTES {
            break;
        }
        sample.push_str(page.blocks.text_of(block));
        sample.push('\n');
    }
    let detected = language(None, &sample);
    let own = PACKS.into_iter().find(|pack| *pack == detected);
    own.or_else(|| by_letters(&sample)).filter(|pack| recogniser.knows(pack))
}

/// The languages that have packs.
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

/// The blocks as the lines of a text, and the end of each.
fn lines(blocks: &Blocks) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(blocks.text.len() + blocks.blocks.len());
    let mut ends = Vec::with_capacity(blocks.blocks.len());
    for block in &blocks.blocks {
        if text.len() < MAX_TEXT_BYTES {
            text.push_str(blocks.text_of(block));
        }
        text.push('\n');
        ends.push(text.len());
    }
    (text, ends)
}
