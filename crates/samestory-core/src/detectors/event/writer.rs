//! Writes the signature of an article: reads its title, its beginning and the rest (item.rs has the layout).

use super::super::api::Article;
use super::item::{
    self, Family, CAPITAL, CASE, CLOSE, DATE, FORMS, HAS_COUNTS, IN_LEAD, IN_TITLE, LETTERS, NAME, NO_DAY,
    NO_SINGLE_EVENT, NUMBER, ORDINAL,
};
use super::stems::Stems;
use super::terms::{self, Counter};
use crate::base::hash;
use crate::base::time::{DAY, NO_TIME};
use crate::text::background::{self, rarity_by_length, Background, RAREST, STEM};
use crate::text::beginnings::{first_letters, WordBeginning};
use crate::text::calendar::{ambiguous_month, calendar, is_calendar, Mask};
use crate::text::cases;
use crate::text::characters::fold;
use crate::text::figures::Word;
use crate::text::genres::is_column_or_digest;
use crate::text::headlines::feedless;
use crate::text::quantities::{Quantity, QuantityKind as Kind, Words};
use crate::text::tokens::{tokenise, word, Token};
use crate::text::unspaced::{self, is_letter_of_word};
use crate::text::word_frequencies::{self, WordFrequencies};
use crate::text::{forms, opposites, stop_words};

/// The number of words of an article that are read, and of those that identify its event best: its headline and the
/// beginning of its lead.
const WORDS: usize = 160;
const LEAD: usize = 14;
/// The number of words of the text in which days and months are read.
const CALENDAR_WORDS: usize = 80;
/// Fewer different words identify no event: "Horoscope", day after day.
const MIN_WORDS: usize = 3;
const MAX_NUMBERS: usize = 12;
/// The most pairs of words that are kept of the rest, which is read over as many words as the text before it.
const MAX_REST_PAIRS: usize = 8;
/// Words that decide what the number beside them measures, whatever follows: "magnitude 6.8 quake".
const MEASURES: [&str; 3] = ["magnitude", "büyüklü", "магнитуд"];
/// Number of letters that distinguishes two words from two forms of one word.
const LONG_STEM: usize = 6;

/// Appends the signature of an article; nothing if it has too few different words.
pub fn write(article: &Article, signature: &mut Vec<u32>) {
    let mut writer = Writer::new(article);
    let title = feedless(article.title);
    let mut tokens = vec![];
    // many texts begin with their title, which must not be counted twice
    if !article.text.starts_with(title) {
        tokenise(title, article.is_turkish(), |token| tokens.push(token));
    }
    let tokens = unspaced::words(title, &tokens);
    let of_text = unspaced::words(article.text, article.tokens);
    let mut counter = Counter::new(article.language, tokens.len() + of_text.len());
    if !tokens.is_empty() {
        let words = writer.beginnings(title, &tokens);
        writer.place = IN_TITLE;
        counter.take(&words, true);
        writer.add_words(title, &tokens, &words);
        writer.note_calendar(title, &tokens);
        writer.place = 0;
    }
    if is_column_or_digest(article.language, article.title, article.text) {
        writer.calendar |= NO_SINGLE_EVENT;
    }
    let words = writer.beginnings(article.text, &of_text);
    let end = of_text.len().min(WORDS);
    writer.add_words(article.text, &of_text[..end], &words);
    writer.note_calendar(article.text, &of_text[..end.min(CALENDAR_WORDS)]);
    writer.add_rest(article.text, &of_text[end..], &words[end..]);
    counter.take(&words, false);
    writer.finish(signature, counter);
}

struct Writer<'a> {
    language: &'a str,
    turkish: bool,
    family: Family,
    background: Option<&'static Background>,
    frequencies: Option<&'static WordFrequencies>,
    stops: u8,
    day: u32,
    /// The flag of the words that are being added: IN_TITLE, or 0.
    place: u32,
    words: usize,
    calendar: Mask,
    ways: [u32; 2],
    letters: [u32; LETTERS],
    stems: Stems,
    values: Vec<u32>,
    rest: Vec<u32>,
    folded: String,
}

/// A word with its context in the text.
struct WordInContext<'a> {
    word: &'a str,
    /// The suffix behind its apostrophe.
    suffix: &'a str,
    before: &'a str,
    after: &'a str,
    /// The text between it and the previous and next word; a short neighbour is skipped and part of that text.
    between: [&'a str; 2],
    /// Capitalised, and not because it begins a sentence; `named`: nor because the headline is in title case.
    capital: bool,
    named: bool,
    /// Whether it is the name of a month that is also a common word.
    is_month: bool,
}

impl<'a> Writer<'a> {
    fn new(article: &'a Article<'a>) -> Self {
        Writer {
            language: article.language,
            turkish: article.is_turkish(),
            family: Family::from_language(article.language),
            background: background::of(article.language),
            frequencies: word_frequencies::of(article.language),
            stops: stop_words::bit(article.language),
            day: day(article.published),
            place: 0,
            words: 0,
            calendar: 0,
            ways: [0, 0],
            letters: [0; LETTERS],
            stems: Stems::default(),
            values: vec![],
            rest: vec![],
            folded: String::new(),
        }
    }

    fn beginnings(&mut self, text: &str, tokens: &[Token]) -> Vec<WordBeginning> {
        tokens.iter().map(|token| WordBeginning::new(text, token, self.turkish, &mut self.folded)).collect()
    }

    fn note_calendar(&mut self, text: &str, tokens: &[Token]) {
        let calendar = calendar();
        for (at, token) in tokens.iter().enumerate() {
            let word = word(token.packed());
            if calendar.may_have(word) {
                self.calendar |= calendar.mask(word);
            }
            self.calendar |= self.ambiguous_month(text, tokens, at);
        }
    }

    /// The month that a word names by its neighbours; 0 for nearly all words.
    fn ambiguous_month(&self, text: &str, tokens: &[Token], at: usize) -> Mask {
        let token = &tokens[at];
        // all of these names begin with the same letter
        if !matches!(text.as_bytes().get(token.start), Some(b'm' | b'M')) || token.figure {
            return 0;
        }
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let is_figure = |other: Option<&Token>| other.is_some_and(|other| other.figure);
        let written = |token: &Token| &text[token.start..token.base_end];
        let is_beside_figure = is_figure(before) || is_figure(tokens.get(at + 1));
        ambiguous_month(self.language, written(token), before.map_or("", written), is_beside_figure)
    }

    fn add_words(&mut self, text: &str, tokens: &[Token], beginnings: &[WordBeginning]) {
        let title_case = is_title_case(tokens);
        let words = Words::new(self.language, text, tokens);
        let (mut end, mut next) = (0, 0);
        for (at, token) in tokens.iter().enumerate() {
            let between = &text[end..token.start];
            let glued = end > 0 && (between.is_empty() || between == "-") && at > 0 && tokens[at - 1].figure;
            end = token.end;
            self.words += 1;
            if at < next {
                continue;
            }
            let number_word = words.number_word(token.base);
            if let Some(quantity) = words.quantity(at, number_word) {
                next = at + quantity.words;
                self.quantity(&words, at, quantity);
                continue;
            }
            if let Some(Word::Times(_)) = number_word {
                continue;
            }
            let is_month = self.ambiguous_month(text, tokens, at) != 0;
            // "12th", "12-й": a suffix of a figure is no word
            if glued && token.base_end - token.start <= 4 || self.is_stop(token) && !is_month {
                continue;
            }
            let opens = at == 0 || between.contains(['.', '!', '?', ':', '"', '«', '“', '\n']);
            let written = &text[token.start..token.base_end];
            let suffix = token.suffix(text);
            let capital = token.capital && (!opens || self.opens_with_name(written, suffix, &beginnings[at]));
            let beside = |other: Option<&Token>| other.map_or("", |other| &text[other.start..other.base_end]);
            let occurrence = WordInContext {
                word: written,
                suffix,
                before: beside(at.checked_sub(1).map(|at| &tokens[at])),
                after: beside(tokens.get(at + 1)),
                // only Turkish lists are read from it
                between: if self.turkish { [reach(text, tokens, at, -1), reach(text, tokens, at, 1)] } else { [""; 2] },
                capital,
                is_month,
                named: capital && !(title_case && at < LEAD),
            };
            self.word(&occurrence, token, &beginnings[at]);
        }
    }

    /// Whether the first word of a sentence, which is always capitalised, is a name.
    fn opens_with_name(&self, written: &str, suffix: &str, beginning: &WordBeginning) -> bool {
        !suffix.is_empty()
            || is_all_capitals(written)
            || self.background.is_some_and(|table| table.is_named(beginning.stem))
    }

    fn quantity(&mut self, words: &Words, at: usize, quantity: Quantity) {
        let written = words.tokens[at].base;
        let behind = at + quantity.words;
        match quantity.kind {
            // the day is no evidence of the event
            Kind::Date => {
                self.keep(hash::mix(written, 2), 0.0, DATE, 0);
            }
            Kind::Ordinal => self.number(quantity.value, written, ORDINAL),
            Kind::Named if self.words <= LEAD => self.number(quantity.value, written, ORDINAL),
            Kind::Named | Kind::Count => {
                let of = counted(self, words, at, behind);
                self.number(quantity.value, written, of);
            }
        }
    }

    /// Keeps the rarest words of the text after the first WORDS words, to compare how two items continue.
    fn add_rest(&mut self, text: &str, tokens: &[Token], beginnings: &[WordBeginning]) {
        const MAX_WORDS: usize = 2 * MAX_REST_PAIRS;
        let mut rest: Vec<(u32, u32)> = Vec::with_capacity(MAX_WORDS + 1);
        for (token, beginning) in tokens.iter().zip(beginnings).take(WORDS).filter(|(token, _)| !token.figure) {
            if self.is_stop(token) {
                continue;
            }
            let rarity = self.rarity(beginning, &text[token.start..token.base_end]);
            let entry = (u32::MAX - (rarity * 1e6) as u32, (beginning.stem >> 48) as u32);
            if let Err(at) = rest.binary_search(&entry) {
                if at < MAX_WORDS {
                    rest.insert(at, entry);
                    rest.truncate(MAX_WORDS);
                }
            }
        }
        let mut words: Vec<u32> = rest.into_iter().map(|(_, word)| word).collect();
        words.sort_unstable();
        self.rest.extend(words.chunks_exact(2).map(|two| two[0] << 16 | two[1]));
    }

    /// How rare a word is.
    fn rarity(&mut self, beginning: &WordBeginning, written: &str) -> f64 {
        match self.background {
            Some(table) => table.rarity(beginning.stem),
            // the length of a word says little in scripts without spaces
            None if self.frequencies.is_some() && is_letter_of_word(written) => {
                self.frequencies.map_or(0.0, |table| (table.rarity(beginning.beginning) - 1.0).clamp(0.0, RAREST))
            }
            None if beginning.is_plain => rarity_by_length(written.len()),
            None => {
                fold(written, self.turkish, &mut self.folded);
                rarity_by_length(self.folded.chars().count())
            }
        }
    }

    fn is_stop(&self, token: &Token) -> bool {
        self.stops != 0 && stop_words::languages_of(token.base) & self.stops != 0
    }

    fn word(&mut self, occurrence: &WordInContext, token: &Token, beginning: &WordBeginning) {
        let mut form = 0;
        let known = self.stems.find(beginning.stem);
        // later text mentions many acts, in both directions
        let reads_forms = self.words <= 2 * LEAD;
        if reads_forms || !beginning.is_plain && known.is_none() {
            fold(occurrence.word, self.turkish, &mut self.folded);
        }
        if reads_forms {
            opposites::note(self.language, occurrence.before, &self.folded, &mut self.ways);
            self.spell();
            form = forms::of(self.language, occurrence.before, &self.folded, occurrence.after) * FORMS;
        }
        let is_date = occurrence.is_month || is_calendar(word((token.base >> 32) as u32));
        let date = if is_date { DATE } else { 0 };
        let flags = date | form | if occurrence.named { NAME } else { 0 };
        let capital = if occurrence.capital { CAPITAL } else { 0 };
        if let Some(at) = known {
            return self.stems.merge(at, self.placed(flags), capital);
        }
        let rarity = self.rarity(beginning, occurrence.word);
        // hashes ignore the case of ASCII letters, and no table of endings has any
        let folded = if beginning.is_plain { occurrence.word } else { &self.folded };
        let close = hash::token(first_letters(folded, LONG_STEM).as_bytes());
        let mut suffix = String::new();
        fold(occurrence.suffix, self.turkish, &mut suffix);
        let case = if is_all_capitals(occurrence.word) {
            cases::of_letters(self.language, occurrence.before, &suffix)
        } else {
            cases::of(self.language, folded, &suffix)
        };
        let case = cases::in_list(self.language, case, occurrence.between);
        self.keep(beginning.stem, rarity, flags, case << CASE | capital | beyond(close));
    }

    /// Adds the runs of three letters of the folded word, with markers at both ends, to the bitmap.
    fn spell(&mut self) {
        let mut last = ['#', '#'];
        for c in self.folded.chars().chain(['#']) {
            if last[1] != '#' || last[0] != '#' || c != '#' {
                let run = hash::mix(
                    u64::from(u32::from(last[0])) << 32 | u64::from(u32::from(last[1])),
                    u64::from(u32::from(c)),
                );
                let bit = (run >> 40) as usize % (32 * LETTERS);
                self.letters[bit / 32] |= 1 << (bit % 32);
            }
            last = [last[1], c];
        }
    }

    fn number(&mut self, value: Option<f64>, written: u64, counted: u64) {
        // a score or a date has no value: its written form is hashed
        let hash = value.map_or(written, |value| hash::mix(value.to_bits(), 1));
        let stored = value.map_or(f32::NAN, |value| value as f32);
        let is_repeated = self.keep(hash, 5.0, NUMBER, beyond(counted));
        if !is_repeated && self.values.len() < 2 * MAX_NUMBERS {
            self.values.extend([stored.to_bits(), (counted >> 32) as u32]);
        }
    }

    fn placed(&self, flags: u32) -> u32 {
        flags | if self.words <= LEAD { IN_LEAD } else { 0 }
    }

    /// Adds a stem, or merges its flags into those of the same stem; returns whether it was there before. `low` is the
    /// lower half of its note.
    fn keep(&mut self, stem: u64, rarity: f64, flags: u32, low: u32) -> bool {
        let flags = self.placed(flags);
        if let Some(at) = self.stems.find(stem) {
            self.stems.merge(at, flags, low);
            return true;
        }
        let weight = (rarity * 255.0 / RAREST).round() as u32;
        self.stems.push(stem, weight << 24 | (flags | self.place) << 16 | low);
        false
    }

    fn finish(self, signature: &mut Vec<u32>, counter: Counter) {
        let Stems { stems, notes, .. } = &self.stems;
        if stems.len() < MIN_WORDS {
            return;
        }
        let start = signature.len();
        let (words, numbers, rest) = (stems.len() as u32, self.values.len() as u32 / 2, self.rest.len() as u32);
        let counts = if counter.has_counts() { HAS_COUNTS } else { 0 };
        signature.push(words << 16 | rest << 12 | numbers << 8 | counts | self.family as u32);
        signature.push(self.day);
        signature.extend(self.ways);
        let article_words = counter.words().min(0xffff) as u32;
        signature.extend([
            f32::NAN.to_bits(),
            0,
            (hash::token(self.language.as_bytes()) >> 32) as u32,
            0,
            0,
            self.calendar,
        ]);
        signature.extend(self.letters);
        signature.extend(stems);
        signature.extend(notes);
        signature.extend(&self.values);
        signature.extend(&self.rest);
        let (terms, heaviest) = counter.finish(signature);
        signature[start + 5] = (terms as u32) << 16 | article_words;
        signature[start + 7] = heaviest as u32;
        signature.extend(item::rarities(notes));
        let own = &mut signature[start..];
        let length = terms::length(&own[item::sections(own).terms]);
        item::set_length(own, length);
    }
}

/// The text between a word and the next one in direction `step` that is not a short word without a capital.
fn reach<'a>(text: &'a str, tokens: &[Token], at: usize, step: isize) -> &'a str {
    const SHORT: usize = 3;
    let beyond = |at: usize| at.checked_add_signed(step).filter(|&at| at < tokens.len());
    let short = |at: &usize| !tokens[*at].capital && tokens[*at].end - tokens[*at].start <= SHORT;
    let next = beyond(at).and_then(|next| if short(&next) { beyond(next) } else { Some(next) });
    next.map_or("", |next| &text[tokens[at.min(next)].end..tokens[at.max(next)].start])
}

/// The bits of a hash that distinguish words with the same stem.
fn beyond(hash: u64) -> u32 {
    (hash >> 48) as u32 & CLOSE
}

/// Days since 1970, plus 2³¹.
fn day(published: i64) -> u32 {
    match published {
        NO_TIME => NO_DAY,
        time => (time.div_euclid(DAY) + (1 << 31)).clamp(0, i64::from(NO_DAY) - 1) as u32,
    }
}

/// What a number counts: the hash of the next content word, or else of the last one before it.
fn counted(writer: &Writer, words: &Words, at: usize, behind: usize) -> u64 {
    let Words { text, tokens, .. } = words;
    let measure = |token: &&Token| MEASURES.iter().any(|measure| text[token.start..].starts_with(measure));
    let beside = || at.checked_sub(1).into_iter().chain([behind]).filter_map(|at| tokens.get(at));
    if let Some(token) = beside().find(measure) {
        return hash::token(first_letters(&text[token.start..token.end], STEM).as_bytes());
    }
    let is_content_word = |token: &&Token| {
        !token.figure
            && !writer.is_stop(token)
            && token.end - token.start > 4
            && words.number_word(token.base).is_none()
    };
    let next = tokens[behind..].iter().take(3).find(is_content_word);
    next.or_else(|| tokens[..at].iter().rev().take(3).find(is_content_word)).map_or(0, |token| token.base)
}

/// Whether most words of a headline are capitalised, as in English title case; capitals then do not mark names.
fn is_title_case(tokens: &[Token]) -> bool {
    let words = || tokens.iter().take(LEAD).filter(|token| !token.figure);
    let capitals = words().filter(|token| token.capital).count();
    10 * capitals > 6 * words().count()
}

fn is_all_capitals(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase)
}
