//! A text as the recogniser sees it: its words, how they begin, what lies between them, and what each can be.

use super::pack::{is_acronym, joined, Entry, Pack, Roles, AMBIGUOUS, LISTED, NOT_NAME, PERSON_BEFORE};
use crate::detectors::Article;
use crate::hash;
use crate::text::stop_words;
use crate::text::tokens::fold;

/// What lies between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing but blanks.
    Blank,
    /// A full stop, and perhaps blanks.
    Stop,
    /// Anything else; also the beginning of the text.
    Break,
}

#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The hash of the form under which the word is known; of its own form, where it is not.
    pub known: u64,
    pub entry: Entry,
    pub start: usize,
    /// Where the word ends, without its suffix, and with it.
    pub base_end: usize,
    pub end: usize,
    pub gap: Gap,
    /// Does it begin with a capital, and may that mean something?
    pub capital: bool,
    /// All its letters are capitals, and there are several.
    pub shouted: bool,
    pub figure: bool,
    /// Begins a sentence, a line or a quotation: a capital means little.
    pub opening: bool,
    /// Has a suffix behind an apostrophe; its hash.
    pub suffix: Option<u64>,
    /// Too common to be a name.
    pub common: bool,
}

impl Word {
    pub fn is(&self, roles: Roles) -> bool {
        self.entry.roles & roles != 0
    }
}

/// Marks that people type for an apostrophe, besides the two that the tokeniser knows.
fn is_apostrophe(gap: &str) -> bool {
    matches!(gap, "‘" | "´" | "`" | "ʼ" | "′" | "＇")
}

fn is_initial(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

pub struct Words<'a> {
    pub pack: &'a Pack,
    pub text: &'a str,
    pub all: Vec<Word>,
    room: String,
}

impl<'a> Words<'a> {
    pub fn of(pack: &'a Pack, article: &Article<'a>) -> Self {
        let mut words =
            Words { pack, text: article.text, all: Vec::with_capacity(article.tokens.len()), room: String::new() };
        let stops = stop_words::bit(article.language);
        for token in article.tokens {
            let base = &article.text[token.start..token.base_end];
            let between = &article.text[words.all.last().map_or(0, |word| word.end)..token.start];
            if let Some(last) = words.all.last_mut() {
                if is_apostrophe(between) && last.suffix.is_none() && last.capital && !token.capital && !token.figure {
                    last.suffix = Some(token.base);
                    last.end = token.end;
                    continue;
                }
            }
            let (known, mut entry) = match token.capital {
                true => pack.look(token.base, base, &mut words.room),
                false => (token.base, Entry::default()), // looked up where it stands beside a name
            };
            let shouted = token.capital && is_acronym(base);
            if shouted {
                entry.roles |= pack.acronym(token.base);
            }
            let (gap, mut opening) = gap(between, words.all.is_empty());
            if let Some(last) = words.all.last() {
                let short = last.is(PERSON_BEFORE) || is_initial(words.slice(last));
                opening &= !(gap == Gap::Stop && short);
            }
            let suffix = (token.end > token.base_end).then(|| words.suffix_hash(token.base_end, token.end));
            words.all.push(Word {
                known,
                entry,
                start: token.start,
                base_end: token.base_end,
                end: token.end,
                gap,
                capital: token.capital,
                shouted,
                figure: token.figure,
                opening,
                suffix,
                common: token.capital && stops != 0 && stop_words::languages_of(token.base) & stops != 0,
            });
        }
        words.hush();
        words
    }

    fn suffix_hash(&mut self, base_end: usize, end: usize) -> u64 {
        let suffix = self.text[base_end..end].trim_start_matches(['\'', '’']);
        fold(suffix, false, &mut self.room);
        hash::token(self.room.as_bytes())
    }

    pub fn slice(&self, word: &Word) -> &'a str {
        &self.text[word.start..word.base_end]
    }

    /// Where everything is written in capitals they say nothing: there, a word counts as capital that is known as a name or
    /// as what tells one, and is no common word.
    fn hush(&mut self) {
        let mut start = 0;
        while start < self.all.len() {
            let next = self.all[start + 1..].iter().position(|word| word.opening);
            let end = next.map_or(self.all.len(), |next| start + 1 + next);
            let sentence = &mut self.all[start..end];
            let written = sentence.iter().filter(|word| !word.figure).count();
            if written >= 3 && sentence.iter().all(|word| word.figure || word.shouted) {
                for word in sentence.iter_mut() {
                    let says = word.entry.roles & !(NOT_NAME | AMBIGUOUS) != 0 && !word.is(NOT_NAME | AMBIGUOUS);
                    word.capital = says && !word.common;
                    word.shouted = false;
                }
            }
            start = end;
        }
    }

    /// What a word can be: capital or not.
    pub fn entry(&mut self, at: usize) -> Entry {
        let word = self.all[at];
        if !word.capital && word.entry.roles == 0 && word.entry.longest == 0 && !word.figure {
            let (known, entry) = self.pack.look(word.known, &self.text[word.start..word.base_end], &mut self.room);
            self.all[at].known = known;
            self.all[at].entry = entry;
        }
        self.all[at].entry
    }

    /// The longest phrase (or word) with one of these roles that begins here: how many words it has; 0 for none. Its words
    /// may have full stops between them, as titles do.
    pub fn phrase(&mut self, at: usize, roles: Roles) -> usize {
        let entry = self.entry(at);
        let mut best = usize::from(entry.roles & roles != 0);
        let longest = usize::from(entry.longest).min(self.all.len() - at);
        if longest < 2 {
            return best;
        }
        let mut hash = joined(0, self.all[at].known);
        for length in 2..=longest {
            let next = at + length - 1;
            if self.all[next].gap == Gap::Break || self.all[next - 1].suffix.is_some() {
                break;
            }
            self.entry(next);
            hash = joined(hash, self.all[next].known);
            if self.pack.phrase(hash) & roles != 0 {
                best = length;
            }
        }
        best
    }

    pub fn is_surname(&mut self, at: usize, beside: bool) -> bool {
        let word = self.all[at];
        self.pack.is_surname(&self.text[word.start..word.base_end], beside, &mut self.room)
    }

    /// A capital letter alone, as of a given name that is not written out.
    pub fn is_initial(&self, at: usize) -> bool {
        is_initial(self.slice(&self.all[at])) && self.all.get(at + 1).is_some_and(|next| next.gap == Gap::Stop)
    }

    /// A number of kings and popes.
    pub fn is_roman(&self, at: usize) -> bool {
        self.slice(&self.all[at]).bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'))
    }

    /// Does the word also stand in the text with a small letter? Then its capital may be that of a sentence.
    pub fn is_written_small(&self, at: usize) -> bool {
        let known = self.all[at].known;
        self.all.iter().any(|word| !word.capital && !word.shouted && word.known == known)
    }

    /// Known as a name by a list, and by more than chance where it opens a sentence?
    pub fn is_listed(&self, at: usize, roles: Roles) -> bool {
        let word = &self.all[at];
        word.is(roles & LISTED)
            && !is_initial(self.slice(word))
            && (self.pack.literal
                || !word.opening
                || word.shouted // not as the sentence is
                || word.suffix.is_some()
                || !(word.is(AMBIGUOUS) || word.common || self.is_written_small(at)))
    }
}

/// What a gap is, and whether what follows opens something.
fn gap(between: &str, first: bool) -> (Gap, bool) {
    if first {
        return (Gap::Break, true);
    }
    if between.bytes().all(|b| b == b' ' || b == b'\t') {
        return (Gap::Blank, false);
    }
    let (mut blank, mut stop, mut opening) = (true, 0, false);
    for (at, c) in between.char_indices() {
        let space = c.is_whitespace() && !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        stop += usize::from(c == '.');
        blank &= space || (c == '.' && at == 0);
        opening |= matches!(
            c,
            '.' | '!'
                | '?'
                | '…'
                | '\n'
                | '\r'
                | '\u{2028}'
                | '\u{2029}'
                | ':'
                | '"'
                | '“'
                | '«'
                | '„'
                | '•'
                | '*'
                | '-'
                | '–'
                | '—'
        );
    }
    match (blank, stop) {
        (true, 0) => (Gap::Blank, false),
        (true, 1) => (Gap::Stop, true),
        _ => (Gap::Break, opening),
    }
}
