//! Finds the names of an article with the pack of its language.

use std::collections::HashMap;
use std::sync::Arc;

use super::entity::{Class, Entity, Recognised};
use super::extract;
use super::pack::Pack;
use super::words::{self, EntityWord};
use crate::base::hash::{self, Hashed};
use crate::text::article::Article;

/// The packs of all languages.
#[derive(Clone, Default)]
pub struct Recogniser {
    packs: HashMap<String, Arc<Pack>>,
    /// Names supplied by the caller, by the hash of the text: start and end in bytes, and class.
    given: Hashed<Vec<(usize, usize, Class)>>,
}

impl std::fmt::Debug for Recogniser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.packs.keys()).finish()
    }
}

impl Recogniser {
    pub fn new(packs: impl IntoIterator<Item = (String, Pack)>) -> Self {
        let packs = packs.into_iter().map(|(language, pack)| (language, Arc::new(pack))).collect();
        Recogniser { packs, given: Hashed::default() }
    }

    /// A recogniser without packs that returns only the names supplied for certain texts.
    pub fn given<'a>(names: impl IntoIterator<Item = (&'a str, Vec<(usize, usize, Class)>)>) -> Self {
        let given = names.into_iter().map(|(text, names)| (hash::token(text.as_bytes()), names)).collect();
        Recogniser { packs: HashMap::new(), given }
    }

    /// Is there a pack for a language?
    pub fn knows(&self, language: &str) -> bool {
        self.packs.contains_key(language)
    }

    /// The words of an article and its names; no names for languages without a pack.
    pub fn recognise(&self, article: &Article) -> Recognised {
        let language = match article.language {
            known if self.packs.contains_key(known) || article.tokens.len() > MAX_SHORT_TEXT_WORDS => known,
            _ => language_by_script(article.text),
        };
        if let Some(pack) = self.packs.get(language) {
            return extract::recognise(pack, article);
        }
        let words = words::EntityWords::new(&Pack::default(), article).all;
        let entities = match self.given.is_empty() {
            true => vec![],
            false => {
                self.given.get(&hash::token(article.text.as_bytes())).map_or(vec![], |names| to_entities(&words, names))
            }
        };
        Recognised { words, entities }
    }
}

/// In texts of at most this many words, language detection is unreliable and its result is not trusted.
const MAX_SHORT_TEXT_WORDS: usize = 8;

/// The most likely language with a pack for a short text, by the script of its first letter.
fn language_by_script(text: &str) -> &'static str {
    match text.chars().find(|c| c.is_alphabetic()) {
        Some('\u{400}'..='\u{4ff}') => "ru",
        Some('A'..='Z' | 'a'..='z') => "en",
        _ => "",
    }
}

/// Converts supplied names from byte ranges to word ranges.
fn to_entities(words: &[EntityWord], names: &[(usize, usize, Class)]) -> Vec<Entity> {
    let place = |&(start, end, class): &(usize, usize, Class)| {
        let first = words.partition_point(|word| word.end <= start);
        let last = words.partition_point(|word| word.start < end);
        (first < last).then_some(Entity { class, words: first..last, because: "given", cue: 0..0 })
    };
    let mut out: Vec<Entity> = names.iter().filter_map(place).collect();
    out.sort_by_key(|entity| (entity.words.start, std::cmp::Reverse(entity.words.end)));
    out
}
