//! Live index: signatures and posting lists that answer candidate queries for new articles.
//!
//! Articles of any source with the same signature and with times in the same interval form one duplicate class. The
//! interval is at most a day and never longer than the window, so any two articles of a class are in each other's
//! window. A class is indexed and compared once.
//!
//! Classes are numbered in order of insertion. The index stores the range of class numbers of every day, so that a
//! query reads only the section of each posting list that its days can contain. An empty class stays in its posting
//! lists until more than half of the classes are empty.

use std::collections::BTreeMap;
use std::hint;
use std::mem;
use std::sync::Arc;

use crate::base::hash::{self, Hashed};
use crate::base::small_list::SmallList;
use crate::base::time::{DAY, NO_TIME};
use crate::detectors::{Detector, Overlap, Why};
use crate::engine::compare::{at_days, may_be_revision, MAX_REVISION_TIME};
use crate::engine::postings::overlap_counter::OverlapCounter;
use crate::model::group::joins;

/// Longer than the span between any two real times, and small enough to be added to one without overflow.
const MAX_TIME_SPAN: i64 = 1 << 61;

/// A score of 1.0 in fixed point: fine enough to distinguish scores, and the sum over a hundred thousand copies of one
/// article related to as many of another fits in 64 bits.
pub const ONE: f64 = (1u32 << 24) as f64;

/// A related duplicate class and its score. If `REVISIONS_ONLY` is set, only articles of the same source and of
/// different times within hours are related: one is a revision of the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    pub to: u32,
    /// The score in fixed point; the highest bit is `REVISIONS_ONLY`.
    packed_score: u32,
}

const REVISIONS_ONLY: u32 = 1 << 31;

impl Neighbour {
    pub fn new(to: u32, score: f64) -> Self {
        Neighbour { to, packed_score: (score * ONE).round() as u32 }
    }

    pub fn score(self) -> u32 {
        self.packed_score & !REVISIONS_ONLY
    }
}

pub struct DuplicateClass {
    pub signature: Box<[u32]>,
    /// Start of its time interval; NO_TIME for articles without a known time.
    start: i64,
    /// The cluster it belongs to, if the index has clusters.
    pub cluster: u32,
    /// Publication time and source of its articles, sorted; an empty class has none.
    articles: SmallList<(i64, u64)>,
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
    /// None: the caller compares articles and reports their relations with `tell`.
    detector: Option<Arc<dyn Detector>>,
    /// The relations that the caller reported, by class.
    reported: Hashed<Vec<Neighbour>>,
    pub classes: Vec<DuplicateClass>,
    empty_classes: usize,
    /// Posting lists by key: classes with a known time, and classes without.
    postings: [Hashed<SmallList<u32>>; 2],
    /// The first and the last class number of every day.
    days: BTreeMap<i64, (u32, u32)>,
    /// Class number by `class_hash`.
    class_numbers: Hashed<u32>,
    window: i64,
    /// The maximum distance between the interval starts of two related articles.
    max_start_gap: i64,
    /// Length of the time interval of a class.
    interval: i64,
    /// Number of posting keys of each class.
    key_counts: Vec<u32>,
    /// How often classes were renumbered.
    renumberings: u32,
    counter: OverlapCounter,
}

/// Number of signatures fetched together, and of cache lines fetched of each: all of them must fit in the cache.
const SIGNATURES_PER_FETCH: usize = 32;
const LINES_PER_SIGNATURE: usize = 32;

/// A candidate query: for a class, or for an article that is not indexed.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub signature: &'a [u32],
    start: i64,
}

impl LiveIndex {
    /// Articles further apart than the window are not related, nor those further apart than the detector's limit in
    /// days.
    pub fn new(detector: Option<Arc<dyn Detector>>, window: Option<i64>) -> Self {
        let window = window.map_or(MAX_TIME_SPAN, |window| window.clamp(0, MAX_TIME_SPAN));
        let interval = window.clamp(1, DAY);
        let days = detector.as_ref().and_then(|detector| detector.days());
        let detector_span = days.map_or(MAX_TIME_SPAN, |days| (i64::from(days) + 1) * DAY);
        LiveIndex {
            detector,
            reported: Hashed::default(),
            classes: vec![],
            empty_classes: 0,
            postings: [Hashed::default(), Hashed::default()],
            days: BTreeMap::new(),
            class_numbers: Hashed::default(),
            window,
            max_start_gap: window.min(detector_span) + interval - 1,
            interval,
            key_counts: vec![],
            renumberings: 0,
            counter: OverlapCounter::default(),
        }
    }

    /// Whether there is a detector, so that the index itself compares signatures.
    pub fn compares(&self) -> bool {
        self.detector.is_some()
    }

    fn start(&self, published: i64) -> i64 {
        if published == NO_TIME {
            NO_TIME
        } else {
            published - published.rem_euclid(self.interval)
        }
    }

    /// Returns the class that an article with this signature and time belongs to, if there is one.
    pub fn copied(&self, signature: &[u32], published: i64) -> Option<u32> {
        let start = self.start(published);
        let &class = self.class_numbers.get(&class_hash(signature, start))?;
        let existing = &self.classes[class as usize];
        (*existing.signature == *signature && existing.start == start).then_some(class)
    }

    /// Adds an article to a class.
    pub fn take_in(&mut self, class: u32, published: i64, source: u64) {
        let own = &mut self.classes[class as usize].articles;
        let new = (published, source);
        own.insert(own.as_slice().partition_point(|&article| article < new), new);
    }

    /// Indexes a new class of one article and returns its number; if `alone`, no later copy joins it.
    pub fn open(&mut self, signature: &[u32], source: u64, published: i64, alone: bool) -> u32 {
        let number = self.classes.len() as u32;
        let start = self.start(published);
        let mut keys = vec![];
        if let Some(detector) = self.detector.as_ref().filter(|_| !signature.is_empty()) {
            detector.filings(signature, &mut keys);
        }
        for &key in &keys {
            let lists = &mut self.postings[usize::from(start == NO_TIME)];
            let list = lists.entry(key).and_modify(|list| list.insert(list.as_slice().len(), number));
            list.or_insert(SmallList::One(number));
        }
        // an article without posting keys has no copies; without a detector, equal signatures mark the copies
        if !alone && (!keys.is_empty() || (self.detector.is_none() && !signature.is_empty())) {
            self.class_numbers.entry(class_hash(signature, start)).or_insert(number);
        }
        if start != NO_TIME {
            self.days.entry(start.div_euclid(DAY)).and_modify(|(_, last)| *last = number).or_insert((number, number));
        }
        let articles = SmallList::One((published, source));
        self.classes.push(DuplicateClass { signature: signature.into(), start, cluster: u32::MAX, articles });
        self.key_counts.push(keys.len() as u32);
        number
    }

    /// Removes an article from its class; removing the last one empties the class.
    pub fn take_out(&mut self, class: u32, published: i64, source: u64) {
        let own = &mut self.classes[class as usize];
        own.articles.remove(own.articles().partition_point(|&article| article < (published, source)));
        if own.size() > 0 {
            return;
        }
        let signature = mem::take(&mut own.signature);
        let hash = class_hash(&signature, own.start);
        if self.class_numbers.get(&hash) == Some(&class) {
            self.class_numbers.remove(&hash);
        }
        for neighbour in self.reported.remove(&class.into()).unwrap_or_default() {
            if let Some(back) = self.reported.get_mut(&neighbour.to.into()) {
                back.retain(|back| back.to != class);
            }
        }
        self.empty_classes += 1;
    }

    /// Stores relations that the caller detected, in both directions; of several scores for the same two classes the
    /// highest is kept, so that their order does not matter.
    pub fn tell(&mut self, class: u32, neighbours: &[Neighbour]) {
        for &neighbour in neighbours.iter().filter(|neighbour| neighbour.to != class) {
            for (from, new) in [(class, neighbour), (neighbour.to, Neighbour { to: class, ..neighbour })] {
                let own = self.reported.entry(from.into()).or_default();
                match own.iter_mut().find(|existing| existing.to == new.to) {
                    Some(existing) => existing.packed_score = existing.packed_score.max(new.packed_score),
                    None => own.push(new),
                }
            }
        }
    }

    /// Returns the relations that the caller reported for a class.
    pub fn said(&self, class: u32) -> Vec<Neighbour> {
        self.reported.get(&class.into()).cloned().unwrap_or_default()
    }

    /// Number of articles of a neighbour class that are related to an article of this time and source.
    pub fn pairs(&self, published: i64, source: u64, neighbour: Neighbour) -> u64 {
        let class = &self.classes[neighbour.to as usize];
        if neighbour.packed_score & REVISIONS_ONLY != 0 {
            let own = class.articles().iter().filter(|article| article.1 == source);
            return self.revisions(published, source, &own.map(|article| article.0).collect::<Vec<_>>());
        }
        if published == NO_TIME || class.start == NO_TIME {
            return class.size().into();
        }
        let before = |limit: i64| class.articles().partition_point(|&(time, _)| time < limit);
        (before(published + self.window + 1) - before(published - self.window)) as u64
    }

    /// Number of `times`, the sorted times at which the same source published a text, that are revisions of this
    /// article.
    fn revisions(&self, published: i64, source: u64, times: &[i64]) -> u64 {
        if source == 0 || published == NO_TIME || times.first().is_none_or(|&first| first == NO_TIME) {
            return 0;
        }
        let before = |limit: i64| times.partition_point(|&time| time < limit);
        let span = self.window.min(MAX_REVISION_TIME);
        let inside = before(published + span + 1) - before(published - span);
        (inside - (before(published + 1) - before(published))) as u64
    }

    /// Number of related pairs of an article of one class and an article of a neighbour class.
    pub fn all_pairs(&self, class: u32, neighbour: Neighbour) -> u64 {
        let (here, there) = (self.classes[class as usize].articles(), self.classes[neighbour.to as usize].articles());
        if neighbour.packed_score & REVISIONS_ONLY != 0 {
            let mut times: Hashed<Vec<i64>> = Hashed::default();
            there.iter().for_each(|&(time, source)| times.entry(source).or_default().push(time));
            let own = |&(time, source): &(i64, u64)| {
                times.get(&source).map_or(0, |times| self.revisions(time, source, times))
            };
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

    /// The range of class numbers of the days within `max_start_gap`.
    fn range(&self, start: i64) -> (u32, u32) {
        if start == NO_TIME {
            return (0, u32::MAX);
        }
        let days = (start - self.max_start_gap).div_euclid(DAY)..=(start + self.max_start_gap).div_euclid(DAY);
        self.days.range(days).fold((u32::MAX, 0), |(first, last), (_, day)| (first.min(day.0), last.max(day.1)))
    }

    /// Whether two times are within the window. An unknown time is compatible with every time.
    pub fn is_near(&self, one: i64, other: i64) -> bool {
        one == NO_TIME || other == NO_TIME || one.abs_diff(other) <= self.window as u64
    }

    /// Returns a query for an article that is not indexed.
    pub fn asked<'a>(&self, signature: &'a [u32], published: i64) -> Query<'a> {
        Query { signature, start: self.start(published) }
    }

    /// Returns a query for an article of a class.
    pub fn asked_of(&self, class: u32) -> Query<'_> {
        let class = &self.classes[class as usize];
        Query { signature: &class.signature, start: class.start }
    }

    /// Number of key lookups skipped because the posting list exceeded the ceiling.
    pub fn skipped(&self) -> u64 {
        self.counter.skipped
    }

    /// Returns the wanted classes whose relation to a class puts both in one group.
    pub fn related(&mut self, class: u32, wanted: impl Fn(&DuplicateClass, u32) -> bool) -> Vec<Neighbour> {
        if self.detector.is_none() {
            let reported = self.reported.get(&class.into()).into_iter().flatten().copied();
            return reported.filter(|neighbour| wanted(&self.classes[neighbour.to as usize], neighbour.to)).collect();
        }
        let mut counter = mem::take(&mut self.counter);
        let overlaps =
            self.overlaps(&mut counter, self.asked_of(class), |there, other| other != class && wanted(there, other));
        self.counter = counter;
        overlaps.into_iter().filter_map(|(to, overlap)| self.neighbour(class, to, overlap)).collect()
    }

    /// Returns the neighbour edge between two classes, if their overlap joins them. All articles of a class are of one
    /// day, so the days between two classes are the days between any of their articles.
    fn neighbour(&self, class: u32, to: u32, overlap: Overlap) -> Option<Neighbour> {
        let (here, there) = (self.classes[class as usize].start, self.classes[to as usize].start);
        let overlap = at_days(self.detector.as_deref(), overlap, here, there);
        let neighbour = Neighbour::new(to, overlap.score);
        if joins(overlap.kind, true) {
            return Some(neighbour);
        }
        may_be_revision(&overlap)
            .then_some(Neighbour { packed_score: neighbour.packed_score | REVISIONS_ONLY, ..neighbour })
    }

    /// Compares a query with the wanted candidate classes that the detector admits; returns the classes with their
    /// overlap.
    pub fn overlaps(
        &self,
        counter: &mut OverlapCounter,
        query: Query,
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, Overlap)> {
        let Some(detector) = self.detector.as_deref() else {
            return vec![];
        };
        let mut keys = vec![];
        if !query.signature.is_empty() {
            detector.filings(query.signature, &mut keys);
        }
        let candidates = self.candidates(counter, detector, query.start, &keys, wanted);
        let mut comparer = detector.comparer();
        if !candidates.is_empty() {
            comparer.load(query.signature);
        }
        let mut out = vec![];
        for chunk in candidates.chunks(SIGNATURES_PER_FETCH) {
            self.fetch(chunk);
            for &(to, shared) in chunk {
                let other = &self.classes[to as usize];
                let fewer = keys.len().min(self.key_counts[to as usize] as usize);
                if detector.admits(query.signature, &other.signature, shared as usize, fewer) {
                    out.push((to, comparer.compare(&other.signature)));
                }
            }
        }
        out
    }

    /// Loads the signatures of some classes into the cache. They are scattered in memory, and nearly all are rejected
    /// at once: reading them one by one mostly waits for memory, while independent loads overlap their waiting times.
    fn fetch(&self, classes: &[(u32, u32)]) {
        const WORDS_PER_LINE: usize = 64 / size_of::<u32>();
        let first = |&(class, _): &(u32, u32)| self.classes[class as usize].signature.first().copied().unwrap_or(0);
        let heads = classes.iter().map(first).fold(0, |all, word| all ^ word);
        let signatures = classes.iter().map(|&(class, _)| &self.classes[class as usize].signature);
        let lines = signatures
            .flat_map(|words| words.iter().skip(WORDS_PER_LINE).step_by(WORDS_PER_LINE).take(LINES_PER_SIGNATURE));
        hint::black_box(lines.fold(heads, |all, word| all ^ word));
    }

    /// Compares two classes, regardless of the keys they share.
    pub fn compare(&self, left: u32, right: u32) -> Overlap {
        let Some(detector) = self.detector.as_deref() else {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        };
        let mut comparer = detector.comparer();
        comparer.load(&self.classes[left as usize].signature);
        comparer.compare(&self.classes[right as usize].signature)
    }

    /// Returns the wanted classes within `max_start_gap` that share enough keys, with the number of shared keys.
    fn candidates(
        &self,
        counter: &mut OverlapCounter,
        detector: &dyn Detector,
        start: i64,
        keys: &[u64],
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, u32)> {
        counter.follow(&self.key_counts, self.renumberings);
        let range = self.range(start);
        let mut lists = vec![];
        for (postings, (first, last)) in self.postings.iter().zip([range, (0, u32::MAX)]) {
            for list in keys.iter().filter_map(|key| postings.get(key)) {
                let list = list.as_slice();
                let list = &list[list.partition_point(|&other| other < first)..];
                let list = &list[..list.partition_point(|&other| other <= last)];
                let ceiling = detector.ceiling();
                let live_count = || list.iter().filter(|&&other| self.classes[other as usize].size() > 0).count();
                if ceiling != 0 && list.len() > ceiling && live_count() > ceiling {
                    counter.skipped += 1;
                } else {
                    lists.push(list);
                }
            }
        }
        let quorums: Vec<usize> = (0..=keys.len()).map(|fewer| detector.filed_quorum(fewer)).collect();
        let mut candidates = vec![];
        for (other, count) in counter.candidates(&lists, &self.key_counts, &quorums) {
            let there = &self.classes[other as usize];
            let is_near =
                start == NO_TIME || there.start == NO_TIME || (start - there.start).abs() <= self.max_start_gap;
            if is_near && there.size() > 0 && wanted(there, other) {
                candidates.push((other, count as u32));
            }
        }
        candidates.sort_unstable();
        candidates
    }

    /// Returns the clusters of the classes that have articles older than a time, sorted.
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

    /// Frees empty classes if they are more than half; returns the new number by old number (u32::MAX: none).
    pub fn tidy(&mut self) -> Option<Vec<u32>> {
        if 2 * self.empty_classes <= self.classes.len() {
            return None;
        }
        let mut live = 0;
        let numbers: Vec<u32> = self
            .classes
            .iter()
            .map(|class| {
                live += u32::from(class.size() > 0);
                if class.size() > 0 {
                    live - 1
                } else {
                    u32::MAX
                }
            })
            .collect();
        let new = |number: u32| Some(numbers[number as usize]).filter(|&number| number != u32::MAX);
        self.classes.retain(|class| class.size() > 0);
        let reported = mem::take(&mut self.reported).into_iter();
        let renumbered = |neighbour: Neighbour| Neighbour { to: numbers[neighbour.to as usize], ..neighbour };
        self.reported = reported
            .map(|(class, neighbours)| {
                (numbers[class as usize].into(), neighbours.into_iter().map(renumbered).collect())
            })
            .collect();
        for lists in &mut self.postings {
            lists.retain(|_, list| {
                list.change(new);
                !list.as_slice().is_empty()
            });
            lists.shrink_to_fit();
        }
        self.class_numbers.values_mut().for_each(|class| *class = numbers[*class as usize]);
        self.class_numbers.shrink_to_fit();
        self.days.clear();
        for (number, class) in (0..).zip(&self.classes).filter(|(_, class)| class.start != NO_TIME) {
            let day = class.start.div_euclid(DAY);
            self.days.entry(day).and_modify(|(_, last)| *last = number).or_insert((number, number));
        }
        self.classes.shrink_to_fit();
        let old = (0..).zip(mem::take(&mut self.key_counts));
        self.key_counts = old.filter(|&(number, _)| new(number).is_some()).map(|(_, own)| own).collect();
        self.renumberings += 1;
        self.empty_classes = 0;
        Some(numbers)
    }

    /// Number of posting lists.
    pub fn filings(&self) -> usize {
        self.postings.iter().map(Hashed::len).sum()
    }
}

/// Hash of the signature and the interval start, which all articles of a class share.
fn class_hash(signature: &[u32], start: i64) -> u64 {
    hash::sequence(signature, hash::numbered(0, start as u64))
}
