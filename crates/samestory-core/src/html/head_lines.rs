//! Completes the metadata from the blocks: the heading, and the lines that may name author and date.

use std::collections::HashSet;

use memchr::memmem;

use super::head::{Head, Line, MAX_LINES, MAX_NOTICES, MAX_TEXT_BYTES, MAX_VALUE_BYTES, PAYWALL_WORDS};
use crate::html::blocks::{Block, Blocks, INSIDE};

/// The number of blocks before and after the heading that are candidates for lines.
const BLOCKS_BEFORE: usize = 10;
const BLOCKS_AFTER: usize = 25;
/// The longest line, in tokens: running text also mentions other dates.
const MAX_LINE_TOKENS: u32 = 40;
/// A heading resembles the title if at least this many tenths of its words are also in the title.
const MIN_SHARED_TENTHS: usize = 6;
/// The number of headings per level that are compared with the title.
const MAX_HEADINGS: usize = 64;

const AUTHOR: u8 = 1;
const DATE: u8 = 2;

/// Whether a word of an id or class refers to the author or the date, as bits.
fn meaning(word: &str) -> u8 {
    match word {
        "author" | "authors" | "autor" | "autoren" | "auteur" | "byline" | "byl" | "writer" | "yazar" | "muhabir"
        | "editor" | "journalist" | "vcard" => AUTHOR,
        "date" | "dates" | "datetime" | "dateline" | "datum" | "day" | "fecha" | "pubdate" | "publish"
        | "published" | "publication" | "posted" | "tarih" | "tarihi" | "time" | "timestamp" | "updated"
        | "modified" => DATE,
        _ => 0,
    }
}

pub(in crate::html) fn complete(mut head: Head, page: &Blocks) -> Head {
    let heading = heading(page);
    if let Some((at, end)) = heading {
        head.heading = joined(page, at, end);
    }
    head.telling = PAYWALL_WORDS.into_iter().filter(|word| page.names.iter().any(|name| name == word)).collect();
    for block in &page.blocks {
        head.tokens += block.tokens;
        head.linked += block.linked;
    }
    head.notices = notices(page);
    let meanings = meanings(page);
    let near =
        heading.map_or(0..0, |(at, end)| at.saturating_sub(BLOCKS_BEFORE)..(end + BLOCKS_AFTER).min(page.blocks.len()));
    let mut add = |at: usize| {
        let block = &page.blocks[at];
        let meaning = meanings.get(block.element as usize).copied().unwrap_or(0);
        if head.lines.len() == MAX_LINES || block.tokens > MAX_LINE_TOKENS || is_title(page, block) {
            return;
        }
        let text = page.text_of(block);
        let has_figures = || text.bytes().filter(u8::is_ascii_digit).count() >= 3;
        let called = meaning & AUTHOR != 0 || meaning & DATE != 0 && has_figures();
        if text.len() <= MAX_TEXT_BYTES && (called || near.contains(&at)) {
            let from_heading = heading.map(|(start, end)| {
                let (at, start, end) = (at as i64, start as i64, end as i64);
                if at < start {
                    at - start
                } else {
                    (at + 1 - end).max(0)
                }
            });
            head.lines.push(Line {
                text: text.into(),
                from_heading,
                by_author: meaning & AUTHOR != 0,
                by_date: meaning & DATE != 0,
            });
        }
    };
    near.clone().for_each(&mut add);
    (0..page.blocks.len()).filter(|at| !near.contains(at)).for_each(&mut add);
    head
}

/// Substrings that indicate notices about subscribers, scripts or robots, in the most frequent languages; without the
/// first letter, which may be a capital.
const NOTICES: [&str; 14] = [
    "ubscri",
    "bone ol",
    "bonele",
    "одписк",
    "одписч",
    "bonn",
    "uscri",
    "bbona",
    "keep reading",
    "ontinue reading",
    "avascript",
    "avaScript",
    "aptcha",
    "robot",
];

/// The short blocks that contain any of `NOTICES`.
fn notices(page: &Blocks) -> Vec<String> {
    let mut found = vec![];
    for word in NOTICES {
        let places = memmem::find_iter(page.text.as_bytes(), word)
            .map(|at| page.blocks.partition_point(|block| block.text.end as usize <= at));
        found.extend(places.take(MAX_NOTICES));
    }
    found.sort_unstable();
    found.dedup();
    let blocks = found.into_iter().filter_map(|at| page.blocks.get(at));
    let short = blocks.filter(|block| block.tokens <= 2 * MAX_LINE_TOKENS);
    let texts = short.map(|block| page.text_of(block)).filter(|text| text.len() <= 2 * MAX_TEXT_BYTES);
    texts.take(MAX_NOTICES).map(str::to_owned).collect()
}

/// For every element, the `meaning` of its id and class and of those of its two nearest ancestors.
fn meanings(page: &Blocks) -> Vec<u8> {
    let of_names: Vec<u8> = page.names.iter().map(|name| meaning(name)).collect();
    let own: Vec<u8> = page
        .elements
        .iter()
        .map(|element| {
            let words = &page.words[element.words.start as usize..element.words.end as usize];
            // ids and classes of elements for the whole page mention anything it contains
            match &*page.names[element.tag as usize] {
                "html" | "body" | "main" | "article" => 0,
                _ => words.iter().fold(0, |all, &word| all | of_names[word as usize]),
            }
        })
        .collect();
    let around = |at: usize, times: usize| {
        let outer = std::iter::successors(Some(at), |&at| Some(page.elements.get(at)?.parent as usize));
        outer.take(times).filter_map(|at| own.get(at)).fold(0, |all, one| all | one)
    };
    (0..own.len()).map(|at| around(at, 3)).collect()
}

fn is_title(page: &Blocks, block: &Block) -> bool {
    page.elements.get(block.element as usize).is_some_and(|element| page.names[element.tag as usize] == "title")
}

/// The block range of the heading that shares most words with the title: one of the first level, or a lower one that
/// shares still more. Without any, the first heading of the first level.
fn heading(page: &Blocks) -> Option<(usize, usize)> {
    let bit = |name: &str| INSIDE.iter().position(|known| *known == name).map_or(0, |bit| 1u32 << bit);
    let title: Vec<String> = words_of(&page.title).collect();
    let words: HashSet<&String> = title.iter().collect();
    let (mut best, mut first): (Option<(usize, usize, usize)>, _) = (None, None);
    for level in ["h1", "h2", "h3"] {
        let is_one = |at: usize| page.blocks[at].inside & bit(level) != 0;
        let (mut at, mut looked) = (0, 0);
        while at < page.blocks.len() && looked < MAX_HEADINGS {
            if !is_one(at) {
                at += 1;
                continue;
            }
            let end = (at..page.blocks.len()).find(|&place| !is_one(place) || !same(page, at, place));
            let end = end.unwrap_or(page.blocks.len());
            looked += 1;
            if level == "h1" && first.is_none() {
                first = Some((at, end));
            }
            let own: Vec<String> = words_of(&joined(page, at, end)).collect();
            let shared = own.iter().filter(|word| words.contains(word)).count();
            // the end of a title is the name of the site
            let is_site = own.len() < title.len() && title.ends_with(&own);
            let alike = !own.is_empty()
                && 10 * shared >= MIN_SHARED_TENTHS * own.len()
                && !is_site
                && (level == "h1" || shared > 2);
            if alike && best.is_none_or(|(max_shared, ..)| shared > max_shared) {
                best = Some((shared, at, end));
            }
            at = end;
        }
    }
    best.map(|(_, at, end)| (at, end)).or(first)
}

/// Whether two blocks are lines of one heading.
fn same(page: &Blocks, one: usize, other: usize) -> bool {
    page.blocks[one].paragraph == page.blocks[other].paragraph
}

fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn joined(page: &Blocks, at: usize, end: usize) -> String {
    let mut out = String::new();
    for block in &page.blocks[at..end] {
        let text = page.text_of(block);
        if out.len() + text.len() >= MAX_VALUE_BYTES {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(text);
    }
    out
}
