//! Who is related to whom, for articles that come and go: signatures on a shelf, and the articles that have them.
//!
//! Copies are compared once. Whoever wants to know of all of them asks for `every` one; otherwise the first of each lot
//! stands for the others, and a thousand copies are told of in a thousand lines, not in a million.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::article::NO_TIME;
use crate::detectors::{Detector, Kind, Overlap, Why};
use crate::few::Few;
use crate::hash;
use crate::parallel::{self, Deal, Watch};
use crate::shelf::{Asked, Shelf, Tally};

/// So many questions are not worth a second thread.
const ALONE: usize = 16;

/// An article as it comes.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
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
    lot: u32,
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

pub struct Finder {
    shelf: Shelf,
    articles: Vec<Article>,
    free: Vec<u32>,
    by_id: HashMap<Arc<str>, u32>,
    /// The articles of every lot, in the order in which they came.
    members: Vec<Few<u32>>,
    born: u64,
    /// Articles that are no copies, whatever they say: each is told of by itself.
    alone: HashSet<Arc<str>>,
    tallies: Vec<Mutex<Tally>>,
}

impl Finder {
    /// `window`: how far apart in time related articles may be, in microseconds.
    pub fn new(detector: Arc<dyn Detector>, window: Option<i64>) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Finder {
            shelf: Shelf::new(Some(detector), window),
            articles: vec![],
            free: vec![],
            by_id: HashMap::new(),
            members: vec![],
            born: 0,
            alone: HashSet::new(),
            tallies: (0..threads).map(|_| Mutex::default()).collect(),
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
        self.shelf.filings()
    }

    /// Questions about a number that too many are filed under.
    pub fn skipped(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.lock().map_or(0, |tally| tally.skipped)).sum()
    }

    /// Files articles; of ids that are known, or come twice, the last counts.
    pub fn file(&mut self, batch: &[Signed]) {
        for &new in batch {
            self.remove([new.id]);
            self.enter(new);
        }
    }

    /// Files articles, and tells whom of those that came before, or stand before it in the batch, each is related to. No
    /// id comes twice.
    pub fn add(&mut self, batch: &[Signed], every: bool) -> Vec<Found> {
        self.file(batch);
        let numbers: Vec<u32> = batch.iter().map(|new| self.by_id[new.id]).collect();
        self.all(batch.len(), |row, tally| {
            let own = self.article(numbers[row]);
            let before = |other: &Article| other.born < own.born;
            self.related(tally, row, self.shelf.asked_of(own.lot), own.published, before, every)
        })
    }

    /// Tells whom articles that are not filed are related to; nobody meets their own id.
    pub fn query(&self, batch: &[Signed], every: bool) -> Vec<Found> {
        self.all(batch.len(), |row, tally| {
            let Signed { id, published, signature, .. } = batch[row];
            let another = |other: &Article| *other.id != *id;
            self.related(tally, row, self.shelf.asked(signature, published), published, another, every)
        })
    }

    /// Are two filed articles of one form, with other facts?
    pub fn is_form(&self, left: &str, right: &str) -> bool {
        let lot = |id: &str| self.by_id.get(id).map(|&number| self.article(number).lot);
        lot(left).zip(lot(right)).is_some_and(|(left, right)| self.shelf.compare(left, right).why == Why::Form)
    }

    /// Forgets articles; gives how many there were.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> usize {
        let mut gone = 0;
        for id in ids {
            let Some(number) = self.by_id.remove(id) else {
                continue;
            };
            let Article { lot, published, .. } = self.articles[number as usize];
            self.shelf.take_out(lot, published);
            let members = &mut self.members[lot as usize];
            let at = members.as_slice().iter().position(|&member| member == number);
            members.remove(at.expect("an article is in its lot"));
            self.articles[number as usize].id = "".into();
            self.articles[number as usize].lot = u32::MAX;
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
            let Article { published, source, lot, .. } = self.articles[number as usize];
            let signature = self.shelf.lots[lot as usize].signature.clone();
            self.remove([id]);
            self.enter(Signed { id, published, source, signature: &signature });
        }
    }

    fn enter(&mut self, new: Signed) {
        let Signed { signature, source, published, .. } = new;
        // a source that nobody else has makes a lot that nobody else is in
        let owner = if self.alone.contains(new.id) { hash::token(new.id.as_bytes()) } else { source };
        let lot = match self.shelf.copied(signature, owner, published) {
            Some(lot) => {
                self.shelf.take_in(lot, published);
                lot
            }
            None => self.shelf.open(signature, owner, published),
        };
        let id: Arc<str> = new.id.into();
        self.born += 1;
        let article = Article { id: id.clone(), published, source, lot, born: self.born };
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
        match self.members.get_mut(lot as usize) {
            Some(members) => members.insert(members.as_slice().len(), number),
            None => self.members.push(Few::One(number)),
        }
        self.by_id.insert(id, number);
    }

    fn tidy(&mut self) {
        let Some(numbers) = self.shelf.tidy() else {
            return;
        };
        let mut lots = 0..;
        self.members.retain(|_| lots.next().is_some_and(|lot: usize| numbers[lot] != u32::MAX));
        self.members.shrink_to_fit();
        let living = self.articles.iter_mut().filter(|article| article.lot != u32::MAX);
        living.for_each(|article| article.lot = numbers[article.lot as usize]);
    }

    /// What is found for every row, in their order; on several threads where there are many.
    fn all(&self, rows: usize, find: impl Fn(usize, &mut Tally) -> Vec<Found> + Sync) -> Vec<Found> {
        let threads = if rows < ALONE { 1 } else { self.tallies.len() };
        if threads == 1 {
            let mut tally = self.tallies[0].lock().unwrap_or_else(|broken| broken.into_inner());
            return (0..rows).flat_map(|row| find(row, &mut tally)).collect();
        }
        let watch = Watch::default();
        let deal = Deal::new(rows, ALONE / 2, &watch);
        let parts = parallel::run(threads, &watch, &mut |_| true, |thread| {
            let mut tally = self.tallies[thread].lock().unwrap_or_else(|broken| broken.into_inner());
            let mut out = vec![];
            while let Some(rows) = deal.take() {
                rows.for_each(|row| out.extend(find(row, &mut tally)));
            }
            out
        });
        let mut out = parts.concat();
        out.sort_by_key(|found| found.row);
        out
    }

    fn related(
        &self,
        tally: &mut Tally,
        row: usize,
        asked: Asked,
        published: i64,
        wanted: impl Fn(&Article) -> bool,
        every: bool,
    ) -> Vec<Found> {
        let mut out = vec![];
        let most = if every { usize::MAX } else { 1 };
        let meant = |article: &u32| {
            let other = self.article(*article);
            wanted(other) && self.shelf.is_near(published, other.published)
        };
        for (lot, overlap) in self.shelf.overlaps(tally, asked, |_, _| true) {
            if overlap.kind != Kind::None {
                let members = self.members[lot as usize].as_slice().iter().copied().filter(|each| meant(each));
                out.extend(members.take(most).map(|article| Found { row: row as u32, article, overlap }));
            }
        }
        out
    }
}
