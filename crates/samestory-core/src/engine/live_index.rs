//! Live index: duplicate classes that answer candidate queries for new articles.
//!
//! Articles of any source with the same signature and with times in the same interval form one duplicate class. The
//! interval is at most a day and never longer than the window, so any two articles of a class are in each other's
//! window. A class is indexed and compared once.
//!
//! Classes are numbered in order of insertion. An empty class stays in its posting lists until more than half of the
//! classes are empty.

mod calibration;
mod search;

use std::mem;
use std::sync::Arc;

use crate::base::hash::Hashed;
use crate::base::small_list::SmallList;
use crate::base::time::{DAY, NO_TIME};
use crate::detectors::plan::CandidatePlan;
use crate::detectors::{DayRule, Detector, Overlap};
use crate::engine::compare::at_days;
use crate::engine::duplicate_class::{class_hash, DuplicateClass, Neighbour, REVISIONS_ONLY};
use crate::engine::postings::live::LivePostings;
use crate::engine::prepared_query::{Query, QueryCounter};
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

    /// Length of the time interval of a class.
    pub fn interval(&self) -> i64 {
        self.interval
    }

    /// The maximum distance between the starts of two related classes.
    pub fn max_time_gap(&self) -> i64 {
        self.postings.max_time_gap
    }

    /// How candidates are found.
    pub fn plan(&self) -> &CandidatePlan {
        &self.plan
    }

    /// The classes by key, and the number of keys of each class.
    pub fn postings(&self) -> &LivePostings {
        &self.postings
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

    /// Whether later copies of its articles join a class.
    pub fn is_joined(&self, class: u32) -> bool {
        let own = &self.classes[class as usize];
        self.class_numbers.get(&class_hash(&own.signature, own.start)) == Some(&class)
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
        let summary = self.plan.summary_filter.as_ref().map(|filter| filter.summary(signature));
        self.postings.push(&keys, summary, start, |class| self.classes[class as usize].sampled_about());
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
        let overlaps = self.prepare(self.query_of(class)).map_or_else(Vec::new, |mut query| {
            self.overlaps(&mut counter, &mut query, |there, other| other != class && wanted(there, other))
        });
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
