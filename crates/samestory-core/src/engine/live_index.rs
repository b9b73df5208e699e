//! Live index: duplicate classes that answer candidate queries for new articles.
//!
//! Articles of any source with the same signature and with times in the same interval form one duplicate class. The
//! interval is at most a day and never longer than the window, so any two articles of a class are in each other's
//! window. A class is indexed and compared once.
//!
//! Classes are numbered in order of insertion. An empty class stays in its posting lists until more than half of the
//! classes are empty.

mod calibration;

use std::hint;
use std::mem;
use std::sync::Arc;

use crate::base::hash::Hashed;
use crate::base::small_list::SmallList;
use crate::base::time::{DAY, NO_TIME};
use crate::detectors::plan::CandidatePlan;
use crate::detectors::{DayRule, Detector, Overlap, Why};
use crate::engine::compare::at_days;
use crate::engine::duplicate_class::{class_hash, DuplicateClass, Neighbour, REVISIONS_ONLY};
use crate::engine::postings::fair;
use crate::engine::postings::live::{LivePostings, LiveQuery};
use crate::engine::postings::overlap_counter::{count_exactly, OverlapCounter, MAX_COUNT};
use crate::engine::postings::Postings;
use crate::engine::reported_relations::ReportedRelations;
use crate::engine::updates::{may_be_revision, MAX_REVISION_TIME};
use crate::model::group::joins;

/// Longer than the span between any two real times, and small enough to be added to one without overflow.
const MAX_TIME_SPAN: i64 = 1 << 61;

pub struct LiveIndex {
    /// None: the caller compares articles and reports their relations with `report`.
    detector: Option<Arc<dyn Detector>>,
    plan: CandidatePlan,
    day_rule: Option<Arc<dyn DayRule>>,
    /// The relations that the caller reported, by class.
    reported: ReportedRelations,
    pub classes: Vec<DuplicateClass>,
    empty_classes: usize,
    postings: LivePostings,
    /// Class number by `class_hash`.
    class_numbers: Hashed<u32>,
    window: i64,
    /// Length of the time interval of a class.
    interval: i64,
    /// How often classes were renumbered.
    renumberings: u32,
    counter: QueryCounter,
}

/// The counter of a thread that queries.
#[derive(Default)]
pub struct QueryCounter {
    /// Its tags are the numbers of keys of the classes, capped at MAX_COUNT.
    overlaps: OverlapCounter,
    /// The value of `renumberings` that its classes belong to.
    renumberings: u32,
    /// Number of key lookups skipped because the posting list exceeded the ceiling.
    pub skipped: u64,
    /// Whether the last query read samples of posting lists, so that it found only some of the related classes.
    pub is_sampled: bool,
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
        let plan = detector.as_ref().map_or_else(CandidatePlan::default, |detector| detector.candidate_plan());
        let detector_span = plan.max_days.map_or(MAX_TIME_SPAN, |days| (i64::from(days) + 1) * DAY);
        LiveIndex {
            day_rule: detector.as_ref().and_then(|detector| detector.day_rule()),
            detector,
            reported: ReportedRelations::default(),
            classes: vec![],
            empty_classes: 0,
            postings: LivePostings::new(window.min(detector_span) + interval - 1, &plan),
            plan,
            class_numbers: Hashed::default(),
            window,
            interval,
            renumberings: 0,
            counter: QueryCounter::default(),
        }
    }

    /// What the days between two articles mean.
    pub fn day_rule(&self) -> Option<&dyn DayRule> {
        self.day_rule.as_deref()
    }

    /// Whether there is a detector, so that the index itself compares signatures.
    pub fn compares(&self) -> bool {
        self.detector.is_some()
    }

    fn start(&self, published: i64) -> i64 {
        if published == NO_TIME {
            NO_TIME
        } else {
            published.saturating_sub(published.rem_euclid(self.interval))
        }
    }

    /// Returns the class that an article with this signature and time belongs to, if there is one.
    pub fn copied(&self, signature: &[u32], published: i64) -> Option<u32> {
        let start = self.start(published);
        let &class = self.class_numbers.get(&class_hash(signature, start))?;
        let existing = &self.classes[class as usize];
        (*existing.signature == *signature && existing.start == start).then_some(class)
    }

    /// The posting keys of a signature; none without a detector.
    fn keys(&self, signature: &[u32]) -> Vec<u64> {
        let mut keys = vec![];
        match (&self.plan.live_keys, &self.detector) {
            (Some(live), _) => live.keys(signature, &mut keys),
            (None, Some(detector)) if !signature.is_empty() => detector.keys(signature, &mut keys),
            _ => {}
        }
        keys
    }

    /// Adds an article to a class.
    pub fn insert(&mut self, class: u32, published: i64, source: u64) {
        let own = &mut self.classes[class as usize].articles;
        let new = (published, source);
        own.insert(own.as_slice().partition_point(|&article| article < new), new);
    }

    /// Indexes a new class of one article and returns its number; if `alone`, no later copy joins it.
    pub fn open(&mut self, signature: &[u32], source: u64, published: i64, alone: bool) -> u32 {
        let number = self.classes.len() as u32;
        let start = self.start(published);
        let keys = self.keys(signature);
        let articles = SmallList::One((published, source));
        self.classes.push(DuplicateClass { signature: signature.into(), start, cluster: u32::MAX, articles });
        self.postings.push(&keys, start, |class| self.classes[class as usize].sampled_about());
        // an article without posting keys has no copies; without a detector, equal signatures mark the copies
        if !alone && (!keys.is_empty() || (self.detector.is_none() && !signature.is_empty())) {
            self.class_numbers.entry(class_hash(signature, start)).or_insert(number);
        }
        number
    }

    /// Removes an article from its class; removing the last one empties the class.
    pub fn remove(&mut self, class: u32, published: i64, source: u64) {
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
        self.reported.remove(class);
        self.empty_classes += 1;
        if self.postings.has_samples() {
            let keys = self.keys(&signature);
            self.postings.leave_samples(&keys, class, |class| self.classes[class as usize].sampled_about());
        }
    }

    /// Stores relations that the caller detected.
    pub fn report(&mut self, class: u32, neighbours: &[Neighbour]) {
        self.reported.add(class, neighbours);
    }

    /// Returns the relations that the caller reported for a class.
    pub fn reported(&self, class: u32) -> &[Neighbour] {
        self.reported.of(class)
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
        let (first, end) = (published.saturating_sub(self.window), published.saturating_add(self.window + 1));
        (before(end) - before(first)) as u64
    }

    /// Number of `times`, the sorted times at which the same source published a text, that are revisions of this
    /// article.
    fn revisions(&self, published: i64, source: u64, times: &[i64]) -> u64 {
        if source == 0 || published == NO_TIME || times.first().is_none_or(|&first| first == NO_TIME) {
            return 0;
        }
        let before = |limit: i64| times.partition_point(|&time| time < limit);
        let span = self.window.min(MAX_REVISION_TIME);
        let inside = before(published.saturating_add(span + 1)) - before(published.saturating_sub(span));
        (inside - (before(published.saturating_add(1)) - before(published))) as u64
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

    /// Whether two times are within the window. An unknown time is compatible with every time.
    pub fn is_near(&self, one: i64, other: i64) -> bool {
        one == NO_TIME || other == NO_TIME || one.abs_diff(other) <= self.window as u64
    }

    /// If the last query of `related` read samples of posting lists: how many classes of a group these have.
    pub fn sample(&self) -> Option<usize> {
        self.counter.is_sampled.then_some(self.plan.long_list_sample)
    }

    /// Returns a query for an article that is not indexed.
    pub fn query<'a>(&self, signature: &'a [u32], published: i64) -> Query<'a> {
        Query { signature, start: self.start(published) }
    }

    /// Returns a query for an article of a class.
    pub fn query_of(&self, class: u32) -> Query<'_> {
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
            let reported = self.reported.of(class).iter().copied();
            return reported.filter(|neighbour| wanted(&self.classes[neighbour.to as usize], neighbour.to)).collect();
        }
        let mut counter = mem::take(&mut self.counter);
        let overlaps =
            self.overlaps(&mut counter, self.query_of(class), |there, other| other != class && wanted(there, other));
        self.counter = counter;
        overlaps.into_iter().filter_map(|(to, overlap)| self.neighbour(class, to, overlap)).collect()
    }

    /// Returns the neighbour edge between two classes, if their overlap joins them. All articles of a class are of one
    /// day, so the days between two classes are the days between any of their articles.
    fn neighbour(&self, class: u32, to: u32, overlap: Overlap) -> Option<Neighbour> {
        let (here, there) = (self.classes[class as usize].start, self.classes[to as usize].start);
        let overlap = at_days(self.day_rule.as_deref(), overlap, here, there);
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
        counter: &mut QueryCounter,
        query: Query,
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, Overlap)> {
        let Some(detector) = self.detector.as_deref() else {
            return vec![];
        };
        let keys = self.keys(query.signature);
        let candidates = self.candidates(counter, query.start, &keys, wanted);
        let mut comparer = detector.comparer();
        if !candidates.is_empty() {
            comparer.load(query.signature);
        }
        let mut out = vec![];
        for chunk in candidates.chunks(SIGNATURES_PER_FETCH) {
            self.fetch(chunk);
            let fewer = |to: u32| keys.len().min(self.postings.key_counts[to as usize] as usize);
            let signature = |to: u32| &*self.classes[to as usize].signature;
            let counts: Vec<(usize, usize)> = chunk.iter().map(|&(to, shared)| (shared, fewer(to))).collect();
            let rights: Vec<&[u32]> = chunk.iter().map(|&(to, _)| signature(to)).collect();
            let admits = self.plan.admits_all(query.signature, &rights, &counts);
            let admitted: Vec<u32> = chunk.iter().zip(admits).filter(|(_, admits)| *admits).map(|(x, _)| x.0).collect();
            let rights: Vec<&[u32]> = admitted.iter().map(|&to| signature(to)).collect();
            out.extend(admitted.into_iter().zip(comparer.compare_all(&rights)));
        }
        out
    }

    /// Loads the signatures of some classes into the cache. They are scattered in memory, and nearly all are rejected
    /// at once: reading them one by one mostly waits for memory, while independent loads overlap their waiting times.
    fn fetch(&self, classes: &[(u32, usize)]) {
        const WORDS_PER_LINE: usize = 64 / size_of::<u32>();
        let first = |&(class, _): &(u32, usize)| self.classes[class as usize].signature.first().copied().unwrap_or(0);
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

    /// Returns the wanted classes near a time that share enough keys, with the number of shared keys.
    fn candidates(
        &self,
        counter: &mut QueryCounter,
        start: i64,
        keys: &[u64],
        wanted: impl Fn(&DuplicateClass, u32) -> bool,
    ) -> Vec<(u32, usize)> {
        let LivePostings { key_counts, max_time_gap, .. } = &self.postings;
        if counter.renumberings != self.renumberings {
            counter.overlaps.clear();
            counter.renumberings = self.renumberings;
        }
        let new = key_counts[counter.overlaps.len()..].iter();
        counter.overlaps.extend(new.map(|&keys| keys.try_into().unwrap_or(MAX_COUNT)));
        let mut lists = vec![];
        let has_articles = |class: u32| self.classes[class as usize].size() > 0;
        let query = LiveQuery { keys, time: start, has_articles: &has_articles };
        let long = self.postings.lists(query, &mut lists);
        counter.skipped += long as u64;
        counter.is_sampled = self.plan.long_list_sample > 0 && fair::is_crowded(long, keys.len());
        // the quorum by number of keys of a class; larger classes have the last one
        let quorums: Vec<usize> = (0..=keys.len()).map(|fewer| self.plan.live_quorum().of(fewer).max(1)).collect();
        let quorum = |keys: usize| quorums[keys.min(quorums.len() - 1)];
        let is_enough = |class: u32, count: u8, keys: u8| match keys.max(count) {
            MAX_COUNT => {
                let keys = key_counts[class as usize] as usize;
                let is_exact = count < MAX_COUNT;
                usize::from(count) >= quorum(keys) || (!is_exact && count_exactly(&lists, class) >= quorum(keys))
            }
            _ => usize::from(count) >= quorum(keys.into()),
        };
        let mut found = vec![];
        counter.overlaps.count(&lists, |_| true, is_enough, &mut found);
        found.retain(|&(class, _)| {
            let there = &self.classes[class as usize];
            let is_near = start == NO_TIME || there.start == NO_TIME || (start - there.start).abs() <= *max_time_gap;
            is_near && there.size() > 0 && wanted(there, class)
        });
        if let Some(max) = self.plan.max_candidates {
            let source = |&(class, _): &(u32, u8)| self.classes[class as usize].about().source;
            fair::keep(&mut found, max, source, |&(class, count)| {
                u64::from(MAX_COUNT - count) << 32 | u64::from(class)
            });
        }
        found.sort_unstable();
        let exact = |(class, count): (u32, u8)| match count {
            MAX_COUNT => (class, count_exactly(&lists, class)),
            _ => (class, count.into()),
        };
        found.into_iter().map(exact).collect()
    }

    /// Returns the clusters of the classes that have articles older than a time, sorted.
    pub fn clusters_before(&self, before: i64) -> Vec<u32> {
        let (first, last) = self.postings.numbers(..=before.div_euclid(DAY));
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
    pub fn compact(&mut self) -> Option<Vec<u32>> {
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
        self.classes.retain(|class| class.size() > 0);
        self.reported.renumber(&numbers);
        self.class_numbers.values_mut().for_each(|class| *class = numbers[*class as usize]);
        self.class_numbers.shrink_to_fit();
        self.postings.compact(&numbers, |class| self.classes[class as usize].sampled_about());
        self.classes.shrink_to_fit();
        self.renumberings += 1;
        self.empty_classes = 0;
        Some(numbers)
    }

    /// Number of posting lists.
    pub fn posting_count(&self) -> usize {
        self.postings.len()
    }
}
