//! The signatures of articles, filed so that whoever comes finds those it may be related to.
//!
//! Copies are one lot, whoever published them: articles with the same signature whose times lie in one stretch, at most a
//! day long and never longer than the window, so that any two of them lie in each other's window. A lot is filed and
//! compared once.
//!
//! Lots are numbered as they come. Of every day it is known which numbers it has, so that of a list of lots only those
//! are looked at that came with the days in reach. A lot that is empty stays in its lists until there are many such.

use std::collections::BTreeMap;
use std::hint;
use std::mem;
use std::sync::Arc;

use crate::base::hash::{self, Hashed};
use crate::base::small_list::Few;
use crate::base::time::NO_TIME;
use crate::detectors::{Detector, Overlap, Why};
use crate::engine::compare::{at_days, may_be_revision, MAX_REVISION_TIME};
use crate::engine::postings::overlap_counter::OverlapCounter;
use crate::model::group::joins;

const DAY: i64 = 24 * 3600 * 1_000_000;
/// Far enough for any two times, and near enough to be added to one.
const MAX_TIME_SPAN: i64 = 1 << 61;

/// A score of one, as it is added up: fine enough to tell scores apart, and a hundred thousand copies of one article
/// related to as many of another do not come to the end of 64 bits.
pub const ONE: f64 = (1u32 << 24) as f64;

/// Another lot that is related to one, and its score. Where its last bit is set, only articles of one source and of
/// different times within hours are: one is a revision of the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    pub to: u32,
    told: u32,
}

const VERSIONS: u32 = 1 << 31;

impl Neighbour {
    pub fn new(to: u32, score: f64) -> Self {
        Neighbour { to, told: (score * ONE).round() as u32 }
    }

    pub fn score(self) -> u32 {
        self.told & !VERSIONS
    }
}

pub struct DuplicateClass {
    pub signature: Box<[u32]>,
    /// Where its stretch of time begins; NO_TIME for articles of which nobody knows the time.
    start: i64,
    /// The group it belongs to, where there are groups.
    pub cluster: u32,
    /// When its articles were published and by what source, in order; none are left of a lot that is empty.
    articles: Few<(i64, u64)>,
}

impl DuplicateClass {
    pub fn size(&self) -> u32 {
        self.articles().len() as u32
    }

    fn articles(&self) -> &[(i64, u64)] {
        self.articles.as_slice()
    }
}

pub struct LiveIndex {
    /// Without, somebody else compares, and says who is related.
    detector: Option<Arc<dyn Detector>>,
    /// What was said.
    told: Hashed<Vec<Neighbour>>,
    pub classes: Vec<DuplicateClass>,
    empty: usize,
    /// The lots of every number: those of known times, and the others.
    filed: [Hashed<Few<u32>>; 2],
    days: BTreeMap<i64, (u32, u32)>,
    /// By what their copies have in common.
    copies: Hashed<u32>,
    window: i64,
    /// How far apart the stretches of related articles may begin.
    reach: i64,
    stretch: i64,
    /// Under how many numbers each lot is filed.
    sizes: Vec<u32>,
    /// How often lots were given other numbers.
    tidied: u32,
    counter: OverlapCounter,
}

/// So many signatures are fetched together, of each so much: they must find room near the processor.
const TOGETHER: usize = 32;
const LINES: usize = 32;

/// What is asked about: a lot, or an article that is not filed.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub signature: &'a [u32],
    start: i64,
}

impl LiveIndex {
    /// Articles further apart than the window are not related, nor those that the detector keeps apart by their days.
    pub fn new(detector: Option<Arc<dyn Detector>>, window: Option<i64>) -> Self {
        let window = window.map_or(MAX_TIME_SPAN, |window| window.clamp(0, MAX_TIME_SPAN));
        let stretch = window.clamp(1, DAY);
        let days = detector.as_ref().and_then(|detector| detector.days());
        let told = days.map_or(MAX_TIME_SPAN, |days| (i64::from(days) + 1) * DAY);
        LiveIndex {
            detector,
            told: Hashed::default(),
            classes: vec![],
            empty: 0,
            filed: [Hashed::default(), Hashed::default()],
            days: BTreeMap::new(),
            copies: Hashed::default(),
            window,
            reach: window.min(told) + stretch - 1,
            stretch,
            sizes: vec![],
            tidied: 0,
            counter: OverlapCounter::default(),
        }
    }

    /// Is there a detector, so that signatures say all about an article?
    pub fn compares(&self) -> bool {
        self.detector.is_some()
    }

    fn start(&self, published: i64) -> i64 {
        if published == NO_TIME {
            NO_TIME
        } else {
            published - published.rem_euclid(self.stretch)
        }
    }

    /// The lot that an article is a copy of.
    pub fn copied(&self, signature: &[u32], published: i64) -> Option<u32> {
        let start = self.start(published);
        let &class = self.copies.get(&common(signature, start))?;
        let known = &self.classes[class as usize];
        (*known.signature == *signature && known.start == start).then_some(class)
    }

    pub fn take_in(&mut self, class: u32, published: i64, source: u64) {
        let own = &mut self.classes[class as usize].articles;
        let new = (published, source);
        own.insert(own.as_slice().partition_point(|&known| known < new), new);
    }

    /// Files a new lot of one article; where it is `alone`, no copy goes into it.
    pub fn open(&mut self, signature: &[u32], source: u64, published: i64, alone: bool) -> u32 {
        let number = self.classes.len() as u32;
        let start = self.start(published);
        let mut filings = vec![];
        if let Some(detector) = self.detector.as_ref().filter(|_| !signature.is_empty()) {
            detector.filings(signature, &mut filings);
        }
        for &key in &filings {
            let lists = &mut self.filed[usize::from(start == NO_TIME)];
            let list = lists.entry(key).and_modify(|list| list.insert(list.as_slice().len(), number));
            list.or_insert(Few::One(number));
        }
        // who has nothing to be found by is no copy; where somebody else compares, they say by signatures who is
        if !alone && (!filings.is_empty() || (self.detector.is_none() && !signature.is_empty())) {
            self.copies.entry(common(signature, start)).or_insert(number);
        }
        if start != NO_TIME {
            self.days.entry(start.div_euclid(DAY)).and_modify(|(_, last)| *last = number).or_insert((number, number));
        }
        let articles = Few::One((published, source));
        self.classes.push(DuplicateClass { signature: signature.into(), start, cluster: u32::MAX, articles });
        self.sizes.push(filings.len() as u32);
        number
    }

    /// Takes an article out of its lot, and empties it with the last one.
    pub fn take_out(&mut self, class: u32, published: i64, source: u64) {
        let own = &mut self.classes[class as usize];
        own.articles.remove(own.articles().partition_point(|&known| known < (published, source)));
        if own.size() > 0 {
            return;
        }
        let signature = mem::take(&mut own.signature);
        let common = common(&signature, own.start);
        if self.copies.get(&common) == Some(&class) {
            self.copies.remove(&common);
        }
        for neighbour in self.told.remove(&class.into()).unwrap_or_default() {
            if let Some(back) = self.told.get_mut(&neighbour.to.into()) {
                back.retain(|back| back.to != class);
            }
        }
        self.empty += 1;
    }

    /// Notes what somebody says who compares; of several words about the same lots the strongest counts, so that their
    /// order does not matter.
    pub fn tell(&mut self, class: u32, neighbours: &[Neighbour]) {
        for &neighbour in neighbours.iter().filter(|neighbour| neighbour.to != class) {
            for (one, told) in [(class, neighbour), (neighbour.to, Neighbour { to: class, ..neighbour })] {
                let own = self.told.entry(one.into()).or_default();
                match own.iter_mut().find(|known| known.to == told.to) {
                    Some(known) => known.told = known.told.max(told.told),
                    None => own.push(told),
                }
            }
        }
    }

    /// What was said about a lot.
    pub fn said(&self, class: u32) -> Vec<Neighbour> {
        self.told.get(&class.into()).cloned().unwrap_or_default()
    }

    /// Of the articles of a lot, how many are related to one of that time and source by a tie to the lot.
    pub fn pairs(&self, published: i64, source: u64, neighbour: Neighbour) -> u64 {
        let class = &self.classes[neighbour.to as usize];
        if neighbour.told & VERSIONS != 0 {
            let own = class.articles().iter().filter(|known| known.1 == source);
            return self.versions(published, source, &own.map(|known| known.0).collect::<Vec<_>>());
        }
        if published == NO_TIME || class.start == NO_TIME {
            return class.size().into();
        }
        let before = |limit: i64| class.articles().partition_point(|&(time, _)| time < limit);
        (before(published + self.window + 1) - before(published - self.window)) as u64
    }

    /// Of some times at which a source published a text, in order, at how many it is another version of one of its own.
    fn versions(&self, published: i64, source: u64, times: &[i64]) -> u64 {
        if source == 0 || published == NO_TIME || times.first().is_none_or(|&first| first == NO_TIME) {
            return 0;
        }
        let before = |limit: i64| times.partition_point(|&time| time < limit);
        let span = self.window.min(MAX_REVISION_TIME);
        let inside = before(published + span + 1) - before(published - span);
        (inside - (before(published + 1) - before(published))) as u64
    }

    /// Of the pairs of an article of one lot and one of another, how many are related.
    pub fn all_pairs(&self, class: u32, neighbour: Neighbour) -> u64 {
        let (here, there) = (self.classes[class as usize].articles(), self.classes[neighbour.to as usize].articles());
        if neighbour.told & VERSIONS != 0 {
            let mut times: Hashed<Vec<i64>> = Hashed::default();
            there.iter().for_each(|&(time, source)| times.entry(source).or_default().push(time));
            let own =
                |&(time, source): &(i64, u64)| times.get(&source).map_or(0, |times| self.versions(time, source, times));
            return here.iter().map(own).sum();
        }
        let span = |one: &[(i64, u64)], other: &[(i64, u64)]| {
            one.last().zip(other.first()).map_or(0, |(x, y)| x.0.saturating_sub(y.0))
        };
        if span(here, there).max(span(there, here)) <= self.window {
            return here.len() as u64 * there.len() as u64;
        }
        here.iter().map(|&(time, source)| self.pairs(time, source, neighbour)).sum()
    }

    /// The numbers of the lots that came with the days in reach.
    fn range(&self, start: i64) -> (u32, u32) {
        if start == NO_TIME {
            return (0, u32::MAX);
        }
        let days = (start - self.reach).div_euclid(DAY)..=(start + self.reach).div_euclid(DAY);
        self.days.range(days).fold((u32::MAX, 0), |(first, last), (_, day)| (first.min(day.0), last.max(day.1)))
    }

    /// Are two times near enough to each other? One that nobody knows is near to all.
    pub fn is_near(&self, one: i64, other: i64) -> bool {
        one == NO_TIME || other == NO_TIME || one.abs_diff(other) <= self.window as u64
    }

    /// An article that is not filed.
    pub fn asked<'a>(&self, signature: &'a [u32], published: i64) -> Query<'a> {
        Query { signature, start: self.start(published) }
    }

    /// An article of a lot.
    pub fn asked_of(&self, class: u32) -> Query<'_> {
        let class = &self.classes[class as usize];
        Query { signature: &class.signature, start: class.start }
    }

    /// Questions about a number that too many lots are filed under.
    pub fn skipped(&self) -> u64 {
        self.counter.skipped
    }

    /// The lots that make one group with a lot, among those that are wanted.
    pub fn related(&mut self, class: u32, wanted: impl Fn(&DuplicateClass, u32) -> bool) -> Vec<Neighbour> {
        if self.detector.is_none() {
            let told = self.told.get(&class.into()).into_iter().flatten().copied();
            return told.filter(|neighbour| wanted(&self.classes[neighbour.to as usize], neighbour.to)).collect();
        }
        let mut counter = mem::take(&mut self.counter);
        let found =
            self.overlaps(&mut counter, self.asked_of(class), |there, other| other != class && wanted(there, other));
        self.counter = counter;
        found.into_iter().filter_map(|(to, overlap)| self.neighbour(class, to, overlap)).collect()
    }

    /// What makes one group of two lots, if anything does. All articles of a lot are of one day, so that the days between
    /// two lots are those between any of their articles.
    fn neighbour(&self, class: u32, to: u32, overlap: Overlap) -> Option<Neighbour> {
        let (here, there) = (self.classes[class as usize].start, self.classes[to as usize].start);
        let overlap = at_days(self.detector.as_deref(), overlap, here, there);
        let neighbour = Neighbour::new(to, overlap.score);
        if joins(overlap.kind, true) {
            return Some(neighbour);
        }
        may_be_revision(&overlap).then_some(Neighbour { told: neighbour.told | VERSIONS, ..neighbour })
    }

    /// The lots that are worth comparing with somebody, among those that are wanted, and what comparing them gives.
    pub fn overlaps(
        &self,
        counter: &mut OverlapCounter,
        asked: Query,
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, Overlap)> {
        let Some(detector) = self.detector.as_deref() else {
            return vec![];
        };
        let mut filings = vec![];
        if !asked.signature.is_empty() {
            detector.filings(asked.signature, &mut filings);
        }
        let candidates = self.candidates(counter, detector, asked.start, &filings, wanted);
        let mut comparer = detector.comparer();
        if !candidates.is_empty() {
            comparer.load(asked.signature);
        }
        let mut out = vec![];
        for some in candidates.chunks(TOGETHER) {
            self.fetch(some);
            for &(to, shared) in some {
                let other = &self.classes[to as usize];
                let fewer = filings.len().min(self.sizes[to as usize] as usize);
                if detector.admits(asked.signature, &other.signature, shared as usize, fewer) {
                    out.push((to, comparer.compare(&other.signature)));
                }
            }
        }
        out
    }

    /// Looks at the signatures of some lots. They lie anywhere, and nearly all of them say no at once: whoever takes one
    /// after the other waits for memory most of the time, while fetches that need nothing of each other wait together.
    fn fetch(&self, classes: &[(u32, u32)]) {
        const LINE: usize = 64 / size_of::<u32>();
        let first = |&(class, _): &(u32, u32)| self.classes[class as usize].signature.first().copied().unwrap_or(0);
        let begun = classes.iter().map(first).fold(0, |all, word| all ^ word);
        let signatures = classes.iter().map(|&(class, _)| &self.classes[class as usize].signature);
        let lines = signatures.flat_map(|words| words.iter().skip(LINE).step_by(LINE).take(LINES));
        hint::black_box(lines.fold(begun, |all, word| all ^ word));
    }

    /// What comparing two lots gives, whatever numbers they share.
    pub fn compare(&self, left: u32, right: u32) -> Overlap {
        let Some(detector) = self.detector.as_deref() else {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        };
        let mut comparer = detector.comparer();
        comparer.load(&self.classes[left as usize].signature);
        comparer.compare(&self.classes[right as usize].signature)
    }

    /// The lots that share enough numbers with somebody and lie in reach, each with how many they share.
    fn candidates(
        &self,
        counter: &mut OverlapCounter,
        detector: &dyn Detector,
        start: i64,
        filings: &[u64],
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, u32)> {
        counter.follow(&self.sizes, self.tidied);
        let range = self.range(start);
        let mut lists = vec![];
        for (filed, (first, last)) in self.filed.iter().zip([range, (0, u32::MAX)]) {
            for list in filings.iter().filter_map(|key| filed.get(key)) {
                let list = list.as_slice();
                let list = &list[list.partition_point(|&other| other < first)..];
                let list = &list[..list.partition_point(|&other| other <= last)];
                let most = detector.ceiling();
                let living = || list.iter().filter(|&&other| self.classes[other as usize].size() > 0).count();
                if most != 0 && list.len() > most && living() > most {
                    counter.skipped += 1;
                } else {
                    lists.push(list);
                }
            }
        }
        let quorums: Vec<usize> = (0..=filings.len()).map(|fewer| detector.filed_quorum(fewer)).collect();
        let mut candidates = vec![];
        for (other, count) in counter.candidates(&lists, &self.sizes, &quorums) {
            let there = &self.classes[other as usize];
            let near = start == NO_TIME || there.start == NO_TIME || (start - there.start).abs() <= self.reach;
            if near && there.size() > 0 && wanted(there, other) {
                candidates.push((other, count as u32));
            }
        }
        candidates.sort_unstable();
        candidates
    }

    /// The groups of the lots that have articles from before a time.
    pub fn parties_before(&self, before: i64) -> Vec<u32> {
        let days = self.days.range(..=before.div_euclid(DAY));
        let (first, last) = days.fold((u32::MAX, 0), |(first, last), (_, day)| (first.min(day.0), last.max(day.1)));
        if first > last {
            return vec![];
        }
        let old = |class: &&DuplicateClass| {
            class.start != NO_TIME && class.articles().first().is_some_and(|&(time, _)| time < before)
        };
        let mut out: Vec<u32> =
            self.classes[first as usize..=last as usize].iter().filter(old).map(|class| class.cluster).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Gives the room of empty lots back, when there are many; what was number n is number `[n]` then.
    pub fn tidy(&mut self) -> Option<Vec<u32>> {
        if 2 * self.empty <= self.classes.len() {
            return None;
        }
        let mut living = 0;
        let numbers: Vec<u32> = self
            .classes
            .iter()
            .map(|class| {
                living += u32::from(class.size() > 0);
                if class.size() > 0 {
                    living - 1
                } else {
                    u32::MAX
                }
            })
            .collect();
        let new = |number: u32| Some(numbers[number as usize]).filter(|&number| number != u32::MAX);
        self.classes.retain(|class| class.size() > 0);
        let told = mem::take(&mut self.told).into_iter();
        let renamed = |neighbour: Neighbour| Neighbour { to: numbers[neighbour.to as usize], ..neighbour };
        self.told = told
            .map(|(class, neighbours)| (numbers[class as usize].into(), neighbours.into_iter().map(renamed).collect()))
            .collect();
        for lists in &mut self.filed {
            lists.retain(|_, list| {
                list.change(new);
                !list.as_slice().is_empty()
            });
            lists.shrink_to_fit();
        }
        self.copies.values_mut().for_each(|class| *class = numbers[*class as usize]);
        self.copies.shrink_to_fit();
        self.days.clear();
        for (number, class) in (0..).zip(&self.classes).filter(|(_, class)| class.start != NO_TIME) {
            let day = class.start.div_euclid(DAY);
            self.days.entry(day).and_modify(|(_, last)| *last = number).or_insert((number, number));
        }
        self.classes.shrink_to_fit();
        let old = (0..).zip(mem::take(&mut self.sizes));
        self.sizes = old.filter(|&(number, _)| new(number).is_some()).map(|(_, own)| own).collect();
        self.tidied += 1;
        self.empty = 0;
        Some(numbers)
    }

    /// How many numbers have lots.
    pub fn filings(&self) -> usize {
        self.filed.iter().map(Hashed::len).sum()
    }
}

/// What copies have in common, as one number.
fn common(signature: &[u32], start: i64) -> u64 {
    hash::sequence(signature, hash::numbered(0, start as u64))
}
