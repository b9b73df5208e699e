//! Shingles of the two forms of Tweezer: one per name, the name with the words around it (pNEs shingles).
//!
//! Names that overlap, nest or are separated only by blanks are merged. The words of names are without the suffix
//! behind an apostrophe, all others with it; all are folded and joined by blanks.

use std::ops::Range;
use std::sync::Arc;

use super::api::{Article, Part};
use super::parameters::{Missing, Parameters};
use crate::entities::{Class, Gap, Recognised, Recogniser};
use crate::text::characters::{fold, is_apostrophe};
use crate::text::sentences::sentences;

/// For an article without names: number of words from the beginning, and from the end.
const ENDS: usize = 20;
/// Prefix of the shingle of an article without names, so that it never equals a shingle with a name.
const NAMELESS: char = '\u{1}';

#[derive(Clone, Debug)]
pub struct EntityShingles {
    /// Words before and after a name.
    before: usize,
    after: usize,
    /// Whether shingles end at the end of the sentence.
    within_sentence: bool,
    /// The fewest words of a shingle: a name alone in its sentence is too frequent.
    least: usize,
    /// Whether all figures are equal.
    mask_figures: bool,
    recogniser: Arc<Recogniser>,
}

/// The shingles of one article, as text.
pub struct Shingles {
    text: String,
    /// The range of each in `text`, and its ranges of words: all, and those of the name. Without names there is one, of
    /// the whole article.
    pub all: Vec<(Range<usize>, Range<usize>, Range<usize>)>,
    pub recognised: Recognised,
    pub nameless: bool,
}

impl Shingles {
    pub fn text(&self, at: usize) -> &str {
        &self.text[self.all[at].0.clone()]
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.all.len()).map(|at| self.text(at))
    }
}

impl EntityShingles {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(EntityShingles {
            before: parameters.count("p")?,
            after: parameters.count("s")?,
            within_sentence: parameters.text("window")? == "sentence",
            least: parameters.count("least").unwrap_or(0), // the study has none
            mask_figures: parameters.flag("mask_figures")?,
            recogniser: parameters.recogniser.clone().ok_or("recogniser")?,
        })
    }

    /// The shingles of an article; empty if it has no words.
    pub fn shingles(&self, article: &Article) -> Shingles {
        let recognised = self.recogniser.recognise(article);
        let names = merged(&recognised);
        let words = Folded::new(article, &recognised, &names, self.mask_figures);
        let mut out = Shingles { text: String::new(), all: vec![], nameless: false, recognised };
        let scopes = match self.within_sentence {
            true => sentences(article.text, article.language),
            false => vec![],
        };
        for name in names {
            let window = self.window(&name, &out.recognised, &scopes);
            if window.len() >= self.least {
                let start = out.text.len();
                words.write(window.clone(), &mut out.text);
                out.all.push((start..out.text.len(), window, name));
            }
        }
        let count = words.words.len();
        if out.all.is_empty() && count > 0 {
            out.nameless = true;
            out.text.push(NAMELESS);
            let (first, last) = if count < 2 * ENDS { (count, count) } else { (ENDS, count - ENDS) };
            words.write(0..first, &mut out.text);
            if last < count {
                out.text.push(' ');
                words.write(last..count, &mut out.text);
            }
            out.all.push((0..out.text.len(), 0..count, 0..0));
        }
        out
    }

    /// The shingles with their places in the text.
    pub fn parts(&self, article: &Article) -> Vec<Part> {
        let found = self.shingles(article);
        let words = &found.recognised.words;
        let span = |range: &Range<usize>| match range.is_empty() {
            true => (0, 0),
            false => (words[range.start].start, words[range.end - 1].base_end),
        };
        let parts = found.all.iter().enumerate().map(|(at, (_, window, name))| Part {
            span: span(window),
            text: found.text(at).to_owned(),
            name: span(name),
            words: vec![],
        });
        parts.collect()
    }

    /// A name and the words around it.
    fn window(&self, name: &Range<usize>, recognised: &Recognised, scopes: &[(usize, usize)]) -> Range<usize> {
        let first = name.start.saturating_sub(self.before);
        let last = (name.end + self.after).min(recognised.words.len());
        if !self.within_sentence {
            return first..last;
        }
        let scope = |at: usize| {
            let start = recognised.words[at].start;
            scopes.partition_point(|&(begins, _)| begins <= start)
        };
        let first = (first..name.start).find(|&at| scope(at) == scope(name.start)).unwrap_or(name.start);
        let last = (name.end..last).find(|&at| scope(at) != scope(name.end - 1)).unwrap_or(last);
        first..last
    }
}

/// The names that count, adjacent ones merged, in order.
fn merged(recognised: &Recognised) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = vec![];
    for entity in recognised.entities.iter().filter(|entity| entity.class != Class::Unclassified) {
        let next = &entity.words;
        match out.last_mut() {
            Some(last) if next.start < last.end => last.end = last.end.max(next.end),
            Some(last) if next.start == last.end && recognised.words[next.start].gap == Gap::Blank => {
                last.end = next.end;
            }
            _ => out.push(next.clone()),
        }
    }
    out
}

/// Replaces every figure if all are equal.
const FIGURE: &str = "#";

/// All words of an article, folded.
struct Folded {
    text: String,
    /// The range of each word in it.
    words: Vec<Range<usize>>,
}

impl Folded {
    fn new(article: &Article, recognised: &Recognised, names: &[Range<usize>], mask_figures: bool) -> Self {
        let turkish = article.is_turkish();
        // plain text is folded at once, and its words keep their positions
        let plain = article.text.is_ascii() && !turkish;
        let mut text = match plain {
            true => article.text.to_ascii_lowercase(),
            false => String::with_capacity(article.text.len()),
        };
        let mut words = Vec::with_capacity(recognised.words.len());
        let mut room = String::new();
        let mut names = names.iter().peekable();
        for (at, word) in recognised.words.iter().enumerate() {
            while names.next_if(|name| name.end <= at).is_some() {}
            let bare = word.end == word.base_end || names.peek().is_some_and(|name| name.contains(&at));
            let start = text.len();
            let masked = word.figure && mask_figures;
            if plain && !masked && (bare || article.text.as_bytes()[word.base_end] == b'\'') {
                words.push(word.start..if bare { word.base_end } else { word.end });
                continue;
            }
            if masked {
                text.push_str(FIGURE);
            } else {
                fold(&article.text[word.start..word.base_end], turkish, &mut room);
                text.push_str(&room);
            }
            if !bare {
                let suffix = article.text[word.base_end..word.end]
                    .trim_start_matches(|c: char| !c.is_alphanumeric() || is_apostrophe(c));
                fold(suffix, turkish, &mut room);
                text.push('\'');
                text.push_str(&room);
            }
            words.push(start..text.len());
        }
        Folded { text, words }
    }

    fn write(&self, words: Range<usize>, out: &mut String) {
        for at in words.clone() {
            if at > words.start {
                out.push(' ');
            }
            out.push_str(&self.text[self.words[at].clone()]);
        }
    }
}
