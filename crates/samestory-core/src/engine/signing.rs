//! Turns records into signed articles, one block at a time, on one thread.

use crate::base::hash;
use crate::detectors::{Article, ArticleText, Detector, Wants};
use crate::engine::settings::Settings;
use crate::engine::shard::{Faults, Shard};
use crate::input::readers::{parse, InputBlock};
use crate::input::record::{Fault, Record, Role};
use crate::text::headlines::headline;
use crate::text::languages::{is_turkish, is_turkish_case, language};
use crate::text::repair::Repaired;
use crate::text::tokens::{tokenise, Token};

/// Buffers for the tokens of an article and the keys of a block, reused by every block of a thread.
#[derive(Default)]
pub(crate) struct Bench {
    words: Vec<u32>,
    tokens: Vec<Token>,
    pub keys: Vec<u64>,
    /// The articles of a block for detectors that work in batches.
    pending: Vec<ArticleText>,
    /// Problems kept with details. A thread reads blocks in order: the first problems of a file are among its first.
    kept: Faults,
}

pub(crate) struct Signer<'a> {
    pub shard: &'a mut Shard,
    pub detector: &'a dyn Detector,
    pub settings: &'a Settings,
    pub bench: &'a mut Bench,
}

impl Signer<'_> {
    /// Signs the articles of a block; returns its buffer for the next one.
    pub fn block(&mut self, block: InputBlock) -> Vec<u8> {
        self.bench.keys.clear();
        let buffer = self.add_records(block);
        let pending = std::mem::take(&mut self.bench.pending);
        if let Some(detector) = self.detector.batch().filter(|_| !pending.is_empty()) {
            for signature in detector.sign_all(&pending) {
                self.shard.signatures.extend(signature);
                self.finish_signature();
            }
        }
        buffer
    }

    fn add_records(&mut self, block: InputBlock) -> Vec<u8> {
        match block {
            InputBlock::Lines(buffer, filled) => {
                let bytes = &buffer[..filled];
                let mut line = 0u64;
                let mut start = 0;
                // one reservation for the words of the block; six bytes a word is a low estimate in any language
                self.shard.signatures.reserve(bytes.len() / 6);
                for end in
                    memchr::memchr_iter(b'\n', bytes).chain((bytes.last() != Some(&b'\n')).then_some(bytes.len()))
                {
                    line += 1;
                    let text = &bytes[start..end];
                    start = end + 1;
                    if !text.trim_ascii().is_empty() {
                        self.shard.records += 1;
                        self.add_record(line, parse(text, &self.settings.fields));
                    }
                }
                self.shard.height = line;
                buffer
            }
            InputBlock::Records(records) => {
                for (line, record) in records {
                    self.shard.records += 1;
                    self.add_record(line, record);
                }
                vec![]
            }
            InputBlock::Files(files) => {
                for (line, (name, record)) in (1..).zip(files) {
                    self.shard.records += 1;
                    self.shard.names.push(name);
                    self.add_record(line, record);
                }
                vec![]
            }
        }
    }

    fn add_record(&mut self, line: u64, record: Result<Record, (Fault, String)>) {
        let result = record.and_then(|record| self.add_article(line, &record));
        if let Err((fault, detail)) = result {
            self.note(line, fault, detail);
        }
    }

    fn note(&mut self, line: u64, fault: Fault, detail: String) {
        self.shard.faults[fault as usize] += 1;
        let kept = &mut self.bench.kept[fault as usize];
        if *kept < self.settings.details {
            *kept += 1;
            self.shard.problems.push((line, fault, detail));
        }
    }

    fn add_article(&mut self, line: u64, record: &Record) -> Result<(), (Fault, String)> {
        let text = record.text(self.settings.largest, self.settings.empty)?;
        let (published, doubt) = record.published();
        if let Some((fault, detail)) = doubt {
            self.note(line, fault, detail);
        }
        let shard = &mut *self.shard;
        shard.ids.push(record.identity());
        if self.settings.titles {
            shard.titles.push(headline(record.get(Role::Title), text));
        }
        shard.lines.push(line);
        shard.published.push(published);
        shard.sources.push(record.get(Role::Source).map_or(0, hash::source));
        let body = Repaired::new(text, self.settings.as_is);
        let (text, mut kinds) = (&*body.text, body.kinds);
        let declared_language = record.get(Role::Lang);
        let words = match self.detector.wants() {
            Wants::Words => {
                if self.settings.titles {
                    shard.languages.push("");
                }
                let words = packed(text, is_turkish(declared_language, text), &mut self.bench.words);
                let article = Article { words, published, ..Article::default() };
                self.detector.sign(&article, &mut shard.signatures);
                words.len()
            }
            Wants::Text => {
                let language = language(declared_language, text);
                if self.settings.titles {
                    shard.languages.push(&language);
                }
                let title = Repaired::new(record.get(Role::Title).unwrap_or(""), self.settings.as_is);
                kinds = kinds.union(title.kinds);
                self.bench.tokens.clear();
                self.bench.words.clear();
                tokenise(text, is_turkish_case(&language), |token| {
                    self.bench.tokens.push(token);
                    self.bench.words.push(token.packed());
                });
                let (words, tokens) = (&self.bench.words, &self.bench.tokens);
                if self.detector.batch().is_some() {
                    let own = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
                    self.bench.pending.push(ArticleText {
                        id: record.identity().to_owned(),
                        title: own(&title.text),
                        text: text.to_owned(),
                        published: record.get(Role::Published).and_then(own),
                        source: record.get(Role::Source).and_then(own),
                        language: language.to_string(),
                    });
                    shard.words.push(words.len() as u32);
                    kinds.iter().for_each(|kind| shard.repairs[kind as usize] += 1);
                    return Ok(());
                }
                let id = record.identity();
                let article = Article { id, words, tokens, text, title: &title.text, language: &language, published };
                self.detector.sign(&article, &mut shard.signatures);
                words.len()
            }
        };
        if !kinds.is_empty() {
            kinds.iter().for_each(|kind| shard.repairs[kind as usize] += 1);
        }
        shard.words.push(words as u32);
        self.finish_signature();
        Ok(())
    }

    /// Ends the row of the signature that was written last.
    fn finish_signature(&mut self) {
        let shard = &mut *self.shard;
        let start = shard.signature_ends.last().map_or(0, |&end| end as usize);
        shard.signature_ends.push(shard.signatures.len() as u32);
        let signature = &shard.signatures[start..];
        shard.prints.push(hash::sequence(signature, 0));
        self.detector.keys(signature, &mut self.bench.keys);
        shard.key_ends.push(self.bench.keys.len() as u32);
    }
}

/// The packed tokens of a text. A separate function, with a buffer of one token per byte (more than any text has), so
/// that everything the loop needs fits into registers.
#[inline(never)]
fn packed<'a>(text: &str, turkish: bool, buffer: &'a mut Vec<u32>) -> &'a [u32] {
    if buffer.len() < text.len() {
        buffer.resize(text.len(), 0);
    }
    let buffer = &mut buffer[..text.len()];
    let mut count = 0;
    tokenise(text, turkish, |token| {
        buffer[count] = token.packed();
        count += 1;
    });
    &buffer[..count]
}
