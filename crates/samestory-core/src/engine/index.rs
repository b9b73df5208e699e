//! Who is related to whom, for articles that come and go: signatures on a shelf, and the articles that have them.
//!
//! Copies are compared once. Whoever wants to know of all of them asks for `every` one; otherwise the first of each lot
//! stands for the others, whatever their sources, and a thousand copies are told of in a thousand lines, not in a million.
//! Beside it stands the first of which the one who asks is another version: that depends on the source.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::base::parallel::{self, Deal, Watch};
use crate::base::small_list::Few;
use crate::base::time::NO_TIME;
use crate::detectors::{Detector, Kind, Overlap};
use crate::engine::compare::{dated, About};
use crate::engine::postings::live::{LiveIndex, Query};
use crate::engine::postings::overlap_counter::OverlapCounter;

/// So many questions are not worth a second thread.
const MIN_PARALLEL_ROWS: usize = 16;

/// An article as it comes.
#[derive(Clone, Copy)]
pub struct SignedArticle<'a> {
    pub id: &'a str,
    pub published: i64,
    /// 0 where nobody knows.
    pub source: u64,
    pub signature: &'a [u32],
}

pub struct Article {
    pub id: Arc<str>,
    pub published: i64,
    pub source: u64,
    class: u32,
    /// The how manyth it is of all that ever came.
    born: u64,
}

/// A row of the question, the number of an article, and what comparing them gave.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub row: u32,
    pub article: u32,
    pub overlap: Overlap,
}

pub struct Index {
    detector: Arc<dyn Detector>,
    live_index: LiveIndex,
    articles: Vec<Article>,
    free: Vec<u32>,
    by_id: HashMap<Arc<str>, u32>,
    /// The articles of every lot, in the order in which they came.
    members: Vec<Few<u32>>,
    /// The same, those of one source together.
    same_source: Vec<Few<u32>>,
    born: u64,
    /// Articles that are no copies, whatever they say: each is told of by itself.
    alone: HashSet<Arc<str>>,
    counters: Vec<Mutex<OverlapCounter>>,
}

impl Index {
    /// `window`: how far apart in time related articles may be, in microseconds.
    pub fn new(detector: Arc<dyn Detector>, window: Option<i64>) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Index {
            live_index: LiveIndex::new(Some(detector.clone()), window),
            detector,
            articles: vec![],
            free: vec![],
            by_id: HashMap::new(),
            members: vec![],
            same_source: vec![],
            born: 0,
            alone: HashSet::new(),
            counters: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub fn article(&self, number: u32) -> &Article {
        &self.articles[number as usize]
    }

    /// How many numbers have articles: what removal must give back.
    pub fn filings(&self) -> usize {
        self.live_index.filings()
    }

    /// Questions about a number that too many are filed under.
    pub fn skipped(&self) -> u64 {
        self.counters.iter().map(|counter| counter.lock().map_or(0, |counter| counter.skipped)).sum()
    }

    /// Files articles; of ids that are known, or come twice, the last counts.
    pub fn file(&mut self, batch: &[SignedArticle]) {
        for &new in batch {
            self.remove([new.id]);
            self.enter(new);
        }
    }

    /// Files articles, and tells whom of those that came before, or stand before it in the batch, each is related to. No
    /// id comes twice.
    pub fn add(&mut self, batch: &[SignedArticle], every: bool) -> Vec<Found> {
        self.file(batch);
        let numbers: Vec<u32> = batch.iter().map(|new| self.by_id[new.id]).collect();
        self.all(batch.len(), |row, counter| {
            let own = self.article(numbers[row]);
            let before = |other: &Article| other.born < own.born;
            self.related(counter, row, self.live_index.asked_of(own.class), (own.source, own.published), before, every)
        })
    }

    /// Tells whom articles that are not filed are related to; nobody meets their own id.
    pub fn query(&self, batch: &[SignedArticle], every: bool) -> Vec<Found> {
        self.all(batch.len(), |row, counter| {
            let SignedArticle { id, published, source, signature } = batch[row];
            let another = |other: &Article| *other.id != *id;
            self.related(counter, row, self.live_index.asked(signature, published), (source, published), another, every)
        })
    }

    /// Are two filed articles reports from one template, with other facts?
    pub fn is_template(&self, left: &str, right: &str) -> bool {
        self.compare(left, right).is_some_and(|overlap| overlap.is_template())
    }

    /// What comparing two articles gives, if both are filed.
    pub fn compare(&self, left: &str, right: &str) -> Option<Overlap> {
        let class = |id: &str| self.by_id.get(id).map(|&number| self.article(number).class);
        class(left).zip(class(right)).map(|(left, right)| self.live_index.compare(left, right))
    }

    /// Forgets articles; gives how many there were.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> usize {
        let mut gone = 0;
        for id in ids {
            let Some(number) = self.by_id.remove(id) else {
                continue;
            };
            let Article { class, published, source, born, .. } = self.articles[number as usize];
            self.live_index.take_out(class, published, source);
            let at =
                self.members[class as usize].as_slice().partition_point(|&member| self.article(member).born < born);
            self.members[class as usize].remove(at);
            let at = self.place_among_kin(class, source, born);
            self.same_source[class as usize].remove(at);
            self.articles[number as usize].id = "".into();
            self.articles[number as usize].class = u32::MAX;
            self.free.push(number);
            gone += 1;
        }
        self.tidy();
        gone
    }

    /// Forgets what was published before a time; articles without a time stay.
    pub fn expire(&mut self, before: i64) -> usize {
        let living = self.by_id.iter().filter(|&(_, &number)| {
            let published = self.article(number).published;
            published != NO_TIME && published < before
        });
        let old: Vec<Arc<str>> = living.map(|(id, _)| id.clone()).collect();
        self.remove(old.iter().map(|id| &**id))
    }

    /// Tells of an article by itself from now on, also where it is a copy of others.
    pub fn set_alone(&mut self, id: &str) {
        if !self.alone.insert(id.into()) {
            return;
        }
        if let Some(&number) = self.by_id.get(id) {
            let Article { published, source, class, .. } = self.articles[number as usize];
            let signature = self.live_index.classes[class as usize].signature.clone();
            self.remove([id]);
            self.enter(SignedArticle { id, published, source, signature: &signature });
        }
    }

    fn enter(&mut self, new: SignedArticle) {
        let SignedArticle { signature, source, published, .. } = new;
        let alone = self.alone.contains(new.id);
        let class = match self.live_index.copied(signature, published).filter(|_| !alone) {
            Some(class) => {
                self.live_index.take_in(class, published, source);
                class
            }
            None => self.live_index.open(signature, source, published, alone),
        };
        let id: Arc<str> = new.id.into();
        self.born += 1;
        let article = Article { id: id.clone(), published, source, class, born: self.born };
        let number = match self.free.pop() {
            Some(number) => {
                self.articles[number as usize] = article;
                number
            }
            None => {
                self.articles.push(article);
                self.articles.len() as u32 - 1
            }
        };
        if class as usize == self.members.len() {
            self.members.push(Few::One(number));
            self.same_source.push(Few::One(number));
        } else {
            let members = &mut self.members[class as usize];
            members.insert(members.as_slice().len(), number);
            let at = self.place_among_kin(class, source, self.born);
            self.same_source[class as usize].insert(at, number);
        }
        self.by_id.insert(id, number);
    }

    /// Where an article of that source, which came as that many-th, stands or would stand among those of its lot.
    fn place_among_kin(&self, class: u32, source: u64, born: u64) -> usize {
        self.same_source[class as usize].as_slice().partition_point(|&number| {
            let other = self.article(number);
            (other.source, other.born) < (source, born)
        })
    }

    fn tidy(&mut self) {
        let Some(numbers) = self.live_index.tidy() else {
            return;
        };
        for lists in [&mut self.members, &mut self.same_source] {
            let mut classes = 0..;
            lists.retain(|_| classes.next().is_some_and(|class: usize| numbers[class] != u32::MAX));
            lists.shrink_to_fit();
        }
        let living = self.articles.iter_mut().filter(|article| article.class != u32::MAX);
        living.for_each(|article| article.class = numbers[article.class as usize]);
    }

    /// What is found for every row, in their order; on several threads where there are many.
    fn all(&self, rows: usize, find: impl Fn(usize, &mut OverlapCounter) -> Vec<Found> + Sync) -> Vec<Found> {
        let threads = if rows < MIN_PARALLEL_ROWS { 1 } else { self.counters.len() };
        if threads == 1 {
            let mut counter = self.counters[0].lock().unwrap_or_else(|broken| broken.into_inner());
            return (0..rows).flat_map(|row| find(row, &mut counter)).collect();
        }
        let watch = Watch::default();
        let deal = Deal::new(rows, MIN_PARALLEL_ROWS / 2, &watch);
        let parts = parallel::run(threads, &watch, &mut |_| true, |thread| {
            let mut counter = self.counters[thread].lock().unwrap_or_else(|broken| broken.into_inner());
            let mut out = vec![];
            while let Some(rows) = deal.take() {
                rows.for_each(|row| out.extend(find(row, &mut counter)));
            }
            out
        });
        let mut out = parts.concat();
        out.sort_by_key(|found| found.row);
        out
    }

    fn related(
        &self,
        counter: &mut OverlapCounter,
        row: usize,
        asked: Query,
        about: About,
        wanted: impl Fn(&Article) -> bool,
        every: bool,
    ) -> Vec<Found> {
        let mut out: Vec<Found> = vec![];
        let (most, (source, published)) = (if every { usize::MAX } else { 1 }, about);
        for (class, overlap) in self.live_index.overlaps(counter, asked, |_, _| true) {
            if overlap.kind == Kind::None && overlap.score == 0.0 {
                continue; // no date and no source makes more of it
            }
            let related = |article: u32| {
                let other = self.article(article);
                let meant = wanted(other) && self.live_index.is_near(published, other.published);
                let overlap = match meant {
                    true => dated(Some(&*self.detector), overlap, about, (other.source, other.published)),
                    false => return None,
                };
                (overlap.kind != Kind::None).then_some(Found { row: row as u32, article, overlap })
            };
            let first = out.len();
            let members = self.members[class as usize].as_slice().iter().copied();
            out.extend(members.filter_map(related).take(most));
            // where one copy stands for all, a new version of its source's own article is reported beside it
            if !every && !out[first..].iter().any(|found| found.overlap.kind == Kind::Update) {
                let same_source =
                    &self.same_source[class as usize].as_slice()[self.place_among_kin(class, source, 0)..];
                let own = same_source.iter().copied().take_while(|&each| self.article(each).source == source);
                out.extend(own.filter_map(related).filter(|found| found.overlap.kind == Kind::Update).take(1));
            }
        }
        out
    }
}
