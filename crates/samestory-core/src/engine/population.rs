//! A corpus: articles read from files, with signatures and keys, ready for candidate generation. Texts are not kept.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use crate::base::hash;
use crate::base::parallel::{self, Tick, Watch};
use crate::base::time::NO_TIME;
use crate::detectors::{CalibratedDetector, Detector, Sample};
use crate::engine::settings::Settings;
use crate::engine::shard::{span, Faults, Shard, Strings};
use crate::engine::signing::{Bench, Signer};
use crate::input::problem::Problem;
use crate::input::readers::Source;
use crate::input::record::{shorten, Fault};
use crate::text::repair::{Repair, Repairs};

/// The name of the repair that leaves the boilerplate of a source out of comparisons.
pub const BOILERPLATE: &str = "boilerplate";

pub struct Corpus {
    pub detector: Arc<dyn Detector>,
    pub settings: Settings,
    pub files: Vec<String>,
    pub(crate) shards: Vec<Shard>,
    /// Every kept article, in the order of the input: (shard, row).
    pub(crate) articles: Vec<(u32, u32)>,
    /// Articles with smaller numbers are old: they are not compared with each other.
    pub(crate) old: usize,
    /// Rejected or doubtful records, at most `Settings::details` for each fault.
    pub problems: Vec<Problem>,
    /// Number of problems of each fault, and how many of them are in `problems`.
    faults: Faults,
    kept: Faults,
    repairs: Repairs,
    /// Number of articles with boilerplate that comparisons leave out.
    pub with_boilerplate: usize,
    /// Number of records read, accepted or rejected; the unreadable rest of a file counts as one.
    pub records: u64,
    pub watch: Watch,
    /// Old articles replaced by new ones with the same id.
    replaced: Vec<u32>,
    /// Article numbers by hash of the id; open addressing where two ids have one hash.
    by_id_hash: hash::Hashed<u32>,
}

impl Corpus {
    pub fn new(detector: Arc<dyn Detector>, settings: Settings) -> Self {
        Corpus {
            detector,
            settings,
            files: vec![],
            shards: vec![],
            articles: vec![],
            old: 0,
            problems: vec![],
            faults: Faults::default(),
            kept: Faults::default(),
            repairs: Repairs::default(),
            with_boilerplate: 0,
            records: 0,
            watch: Watch::default(),
            replaced: vec![],
            by_id_hash: Default::default(),
        }
    }

    /// The articles of one shard, in the order of their lines, on one thread; of several with the same line the first.
    /// Those before the line `first_new` are old.
    pub(crate) fn from_shard(detector: Arc<dyn Detector>, shard: Shard, first_new: u64) -> Self {
        let mut corpus = Corpus::new(detector, Settings::default());
        let line = |row: u32| shard.lines[row as usize];
        let mut rows: Vec<u32> = (0..shard.lines.len() as u32).collect();
        rows.sort_by_key(|&row| line(row));
        rows.dedup_by_key(|row| line(*row));
        corpus.old = rows.partition_point(|&row| line(row) < first_new);
        corpus.articles = rows.into_iter().map(|row| (0, row)).collect();
        corpus.shards.push(shard);
        corpus
    }

    /// The article at a line, where the articles of one shard are ordered by line.
    pub(crate) fn at_line(&self, line: u64) -> Option<u32> {
        let at = self.articles.partition_point(|&(shard, row)| self.shards[shard as usize].lines[row as usize] < line);
        (at < self.len() && self.line(at) == line).then_some(at as u32)
    }

    pub fn len(&self) -> usize {
        self.articles.len()
    }

    pub fn is_empty(&self) -> bool {
        self.articles.is_empty()
    }

    pub fn new_articles(&self) -> usize {
        self.articles.len() - self.old
    }

    /// Marks the articles read so far as old: they are compared with new articles only. An article read later under the
    /// id of an old one is a new version and replaces it.
    pub fn age(&mut self) {
        self.old = self.articles.len();
    }

    /// Removes the old articles that new ones have replaced; returns how many. Article numbers change.
    pub fn settle(&mut self) -> usize {
        let replaced = std::mem::take(&mut self.replaced);
        let mut is_replaced = vec![false; self.articles.len()];
        replaced.iter().for_each(|&article| is_replaced[article as usize] = true);
        if !replaced.is_empty() {
            let mut number = 0u32;
            let numbers: Vec<u32> = is_replaced
                .iter()
                .map(|&is_replaced| {
                    number += u32::from(!is_replaced);
                    number.saturating_sub(1)
                })
                .collect();
            self.by_id_hash.values_mut().for_each(|article| *article = numbers[*article as usize]);
            let mut keep = is_replaced.iter().map(|&is_replaced| !is_replaced);
            self.articles.retain(|_| keep.next().unwrap_or(true));
            self.old -= replaced.len();
        }
        replaced.len()
    }

    /// Records a file that could not be opened at all.
    pub fn refuse(&mut self, name: &str, detail: String) {
        self.files.push(name.to_owned());
        let file = self.files.len() as u32 - 1;
        self.records += 1;
        self.note(Problem { file, line: 0, own: None, fault: Fault::Unreadable, detail });
    }

    /// Every fault that occurred, with its number of problems.
    pub fn faults(&self) -> impl Iterator<Item = (Fault, u64)> + '_ {
        Fault::ALL.into_iter().zip(self.faults).filter(|(_, count)| *count > 0)
    }

    /// How many articles were repaired, by the kind of repair.
    pub fn repairs(&self) -> impl Iterator<Item = (Repair, u64)> + '_ {
        Repair::ALL.into_iter().zip(self.repairs).filter(|(_, count)| *count > 0)
    }

    fn note(&mut self, problem: Problem) {
        self.faults[problem.fault as usize] += 1;
        self.keep(problem);
    }

    fn keep(&mut self, problem: Problem) {
        let kept = &mut self.kept[problem.fault as usize];
        if *kept < self.settings.details {
            *kept += 1;
            self.problems.push(problem);
        }
    }

    /// Reads a source to its end on all threads. False if the run was stopped.
    pub fn read(&mut self, name: &str, source: Box<dyn Source>, tick: Tick) -> bool {
        self.files.push(name.to_owned());
        let file = self.files.len() as u32 - 1;
        let source = Mutex::new((source, 0u32, None::<String>));
        let watch = &self.watch;
        let before = watch.bytes.load(Ordering::Relaxed);
        let (settings, detector) = (&self.settings, self.detector.as_ref());
        // a strict run stops at a duplicate id, so it checks ids block by block; other runs check at the end, in order
        let ids = Mutex::new(HashSet::new());
        let parts = parallel::run(settings.threads, watch, tick, |_| {
            let mut out: Vec<Shard> = vec![];
            let mut bench = Bench::default();
            let mut buffer = vec![];
            loop {
                let (block, number) = {
                    let mut guard = source.lock().expect("no panic while reading");
                    let (source, number, failed) = &mut *guard;
                    if failed.is_some() || watch.is_stopped() {
                        return out;
                    }
                    match source.next(std::mem::take(&mut buffer)) {
                        Ok(Some(block)) => {
                            *number += 1;
                            watch.bytes.store(before + source.consumed(), Ordering::Relaxed);
                            (block, *number - 1)
                        }
                        Ok(None) => return out,
                        Err(error) => {
                            *failed = Some(crate::input::readers::plain(&error));
                            return out;
                        }
                    }
                };
                let mut shard = Shard { file, block: number, ..Shard::default() };
                let mut signer = Signer { shard: &mut shard, detector, settings, bench: &mut bench };
                buffer = signer.block(block);
                shard.deal(&bench.keys);
                shard.shrink();
                watch.articles.fetch_add(shard.words.len() as u64, Ordering::Relaxed);
                if settings.strict && (shard.faults != Faults::default() || self.has_repeated_id(&shard, &ids)) {
                    watch.stop();
                }
                out.push(shard);
            }
        });
        let (source, _, failed) = source.into_inner().expect("no panic while reading");
        let mut shards: Vec<Shard> = parts.into_iter().flatten().collect();
        shards.sort_unstable_by_key(|shard| shard.block);
        let rows = shards.iter().map(|shard| shard.words.len()).sum();
        self.by_id_hash.reserve(rows);
        self.articles.reserve(rows);
        let mut line = 0;
        for shard in shards {
            let height = shard.height;
            self.add_shard(shard, line);
            line += height;
        }
        if let Some(detail) = failed {
            let (detail, line) = (format!("reading stopped: {detail}"), source.broken(line));
            self.records += 1;
            self.note(Problem { file, line, own: None, fault: Fault::Unreadable, detail });
        }
        !self.watch.is_stopped()
    }

    /// Whether a shard has an id that was read before, or that is in `ids`, those of this source so far; adds its own.
    fn has_repeated_id(&self, shard: &Shard, ids: &Mutex<HashSet<String>>) -> bool {
        let mut ids = ids.lock().expect("no panic while the lock is held");
        let mut named = (0..shard.words.len()).map(|row| shard.ids.get(row)).filter(|id| !id.is_empty());
        named.any(|id| self.find(id).is_some_and(|a| a as usize >= self.old) || !ids.insert(id.to_owned()))
    }

    /// Adds the articles of a shard whose block starts after `base` lines; rejects ids that were read before.
    fn add_shard(&mut self, mut shard: Shard, base: u64) {
        let number = self.shards.len() as u32;
        let base = if shard.height > 0 { base } else { 0 };
        self.records += shard.records;
        for (all, more) in self.faults.iter_mut().zip(shard.faults) {
            *all += more;
        }
        for (all, more) in self.repairs.iter_mut().zip(shard.repairs) {
            *all += more;
        }
        for (line, fault, detail) in std::mem::take(&mut shard.problems) {
            self.keep(shard.problem(base, line, fault, detail));
        }
        if (0..shard.words.len()).any(|row| shard.ids.get(row).is_empty()) {
            // the id of an article without id or address is its file and line
            let mut ids = Strings::default();
            for (row, line) in shard.lines.iter().enumerate() {
                match shard.ids.get(row) {
                    "" => ids.push(&format!("{}:{}", self.files[shard.file as usize], base + line)),
                    id => ids.push(id),
                }
            }
            shard.ids = ids;
        }
        for row in 0..shard.words.len() {
            let id = shard.ids.get(row);
            let mut key = hash::token(id.as_bytes());
            let existing = loop {
                let Some(&other) = self.by_id_hash.get(&key) else {
                    break None;
                };
                let (s, r) = self.articles[other as usize];
                let holder = if s == number { &shard } else { &self.shards[s as usize] };
                if holder.ids.get(r as usize) == id {
                    break Some(other);
                }
                key = key.wrapping_add(1); // two ids with one hash: probe the next slot
            };
            if let Some(old) = existing.filter(|&other| (other as usize) < self.old) {
                self.replaced.push(old);
            } else if existing.is_some() {
                let detail = format!("the id {:?} was read before", shorten(id, 200));
                self.note(shard.problem(base, shard.lines[row], Fault::DuplicateId, detail));
                continue;
            }
            self.by_id_hash.insert(key, self.articles.len() as u32);
            self.articles.push((number, row as u32));
        }
        shard.lines.iter_mut().for_each(|line| *line += base);
        self.shards.push(shard);
    }

    /// Calibrates the detector, unless it is calibrated already, and completes the signatures.
    pub fn calibrate(&mut self) {
        let Some(calibration) = self.detector.calibration().filter(|calibration| !calibration.is_calibrated()) else {
            return;
        };
        let articles = (0..self.len()).map(|at| (self.id(at), self.signature(at), self.source(at)));
        let sample = Sample::draw(articles, self.settings.as_is);
        let Some(detector) = calibration.calibrate(&sample) else { return };
        if let Some(calibrated) = detector.calibration() {
            self.apply_calibration(calibrated);
        }
        self.detector = detector;
    }

    /// Completes the signatures, and counts those with parts that comparisons ignore.
    fn apply_calibration(&mut self, calibrated: &dyn CalibratedDetector) {
        let part = self.shards.len().div_ceil(self.settings.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for shards in self.shards.chunks_mut(part) {
                scope.spawn(move || {
                    for shard in shards {
                        for row in 0..shard.signature_ends.len() {
                            calibrated.apply(&mut shard.signatures[span(&shard.signature_ends, row)]);
                        }
                    }
                });
            }
        });
        let part = self.len().div_ceil(self.settings.threads.max(1)).max(1);
        let this = &*self;
        let count = |from: usize| {
            let articles = from..(from + part).min(this.len());
            articles.filter(|&article| calibrated.ignores_parts(this.signature(article))).count()
        };
        self.with_boilerplate = std::thread::scope(|scope| {
            let tasks: Vec<_> = (0..this.len()).step_by(part).map(|from| scope.spawn(move || count(from))).collect();
            tasks.into_iter().map(|task| task.join().expect("no panic while counting")).sum()
        });
    }

    pub(crate) fn place(&self, article: usize) -> (&Shard, usize) {
        let (shard, row) = self.articles[article];
        (&self.shards[shard as usize], row as usize)
    }

    /// The article with this id.
    pub fn find(&self, id: &str) -> Option<u32> {
        let mut key = hash::token(id.as_bytes());
        loop {
            let article = *self.by_id_hash.get(&key)?;
            if self.id(article as usize) == id {
                return Some(article);
            }
            key = key.wrapping_add(1);
        }
    }

    pub fn id(&self, article: usize) -> &str {
        let (shard, row) = self.place(article);
        shard.ids.get(row)
    }

    pub fn title(&self, article: usize) -> &str {
        let (shard, row) = self.place(article);
        if self.settings.titles {
            shard.titles.get(row)
        } else {
            ""
        }
    }

    /// The language code of an article, where titles are kept and the detector uses the language.
    pub fn language(&self, article: usize) -> Option<&str> {
        let (shard, row) = self.place(article);
        self.settings.titles.then(|| shard.languages.get(row)).filter(|code| !code.is_empty())
    }

    pub fn words(&self, article: usize) -> u32 {
        let (shard, row) = self.place(article);
        shard.words[row]
    }

    pub fn published(&self, article: usize) -> i64 {
        let (shard, row) = self.place(article);
        shard.published[row]
    }

    /// How many articles have a date.
    pub fn dated(&self) -> usize {
        (0..self.len()).filter(|&article| self.published(article) != NO_TIME).count()
    }

    pub fn source(&self, article: usize) -> u64 {
        let (shard, row) = self.place(article);
        shard.sources[row]
    }

    /// The line of an article in its file.
    pub fn line(&self, article: usize) -> u64 {
        let (shard, row) = self.place(article);
        shard.lines[row]
    }

    pub fn signature(&self, article: usize) -> &[u32] {
        let (shard, row) = self.place(article);
        &shard.signatures[span(&shard.signature_ends, row)]
    }
}
