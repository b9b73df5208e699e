//! Posting lists of a live index: duplicate classes are added and removed between queries.
//!
//! Classes are numbered in order of insertion. The range of class numbers of every day is stored, so that a query reads
//! only the section of each posting list that its days can contain. Of a list above the ceiling a fair sample is kept up
//! to date, for every span of days of its own.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::mem;

use super::fair::{self, FairSample};
use super::Postings;
use crate::base::hash::Hashed;
use crate::base::small_list::SmallList;
use crate::base::time::{DAY, NO_TIME};
use crate::detectors::plan::CandidatePlan;

#[derive(Default)]
pub struct LivePostings {
    /// Posting lists by key: classes with a known time, and classes without.
    lists: [Hashed<SmallList<u32>>; 2],
    /// Number of posting keys of each class.
    pub key_counts: Vec<u32>,
    /// The summary of the signature of each class; empty for detectors without a summary filter.
    pub summaries: Vec<u64>,
    /// The first and the last class number of every day.
    days: BTreeMap<i64, (u32, u32)>,
    /// The maximum distance between the times of two related classes.
    pub max_time_gap: i64,
    ceiling: Option<usize>,
    sample_size: usize,
    /// Samples of the lists above the ceiling, by span of days.
    samples: [Hashed<BTreeMap<i64, FairSample>>; 2],
}

/// The indexes of the two kinds of posting lists.
const DATED: usize = 0;
const UNDATED: usize = 1;

/// The span of days that a time is in.
fn span_of(time: i64, days: i64) -> i64 {
    time.div_euclid(DAY).div_euclid(days)
}

/// What a fair sample must know about a class.
#[derive(Clone, Copy)]
pub struct ClassAbout {
    pub source: u64,
    /// A hash, by which the classes of a source are chosen.
    pub rank: u64,
    pub time: i64,
}

/// A query for the classes near a time.
pub struct LiveQuery<'q> {
    pub keys: &'q [u64],
    pub time: i64,
    /// Whether a class has articles: empty ones stay in their lists until the next `compact`.
    pub has_articles: &'q dyn Fn(u32) -> bool,
}

impl Postings for LivePostings {
    type Query<'q, 'a> = LiveQuery<'q>;
    type Error = Infallible;

    fn lists<'a>(&'a self, query: LiveQuery<'_>, lists: &mut Vec<&'a [u32]>) -> Result<usize, Infallible> {
        let mut long = vec![];
        for (kind, (first, last)) in [self.range(query.time), (0, u32::MAX)].into_iter().enumerate() {
            for (key, list) in query.keys.iter().filter_map(|key| Some((key, self.lists[kind].get(key)?))) {
                let list = list.as_slice();
                let list = &list[list.partition_point(|&class| class < first)..];
                let list = &list[..list.partition_point(|&class| class <= last)];
                let count = || list.iter().filter(|&&class| (query.has_articles)(class)).count();
                if self.ceiling.is_some_and(|ceiling| list.len() > ceiling && count() > ceiling) {
                    long.push((kind, *key));
                } else {
                    lists.push(list);
                }
            }
        }
        let mut long_keys: Vec<u64> = long.iter().map(|&(_, key)| key).collect();
        long_keys.sort_unstable();
        long_keys.dedup();
        if fair::is_crowded(long_keys.len(), query.keys.len()) {
            for (kind, key) in &long {
                let time = if *kind == UNDATED { NO_TIME } else { query.time };
                let samples = self.samples[*kind].get(key).into_iter().flat_map(|spans| spans.range(self.spans(time)));
                lists.extend(samples.map(|(_, sample)| sample.numbers()));
            }
        }
        Ok(long_keys.len())
    }
}

impl LivePostings {
    pub fn new(max_time_gap: i64, plan: &CandidatePlan) -> Self {
        let (ceiling, sample_size) = (plan.ceiling, plan.long_list_sample);
        LivePostings { max_time_gap, ceiling, sample_size, ..LivePostings::default() }
    }

    /// Adds the next class, with the summary of its signature if there are summaries; `about` describes it and all earlier
    /// ones that have articles.
    pub fn push(&mut self, keys: &[u64], summary: Option<u64>, time: i64, about: impl Fn(u32) -> Option<ClassAbout>) {
        let number = self.key_counts.len() as u32;
        let kind = if time == NO_TIME { UNDATED } else { DATED };
        for &key in keys {
            let list = self.lists[kind].entry(key).and_modify(|list| list.insert(list.as_slice().len(), number));
            list.or_insert(SmallList::One(number));
            self.extend_sample(kind, key, &about);
        }
        self.key_counts.push(keys.len() as u32);
        self.summaries.extend(summary);
        self.set_day(number, time);
    }

    /// Adds the last class of a list to its sample, if the list is long; all classes, if it has no sample yet.
    fn extend_sample(&mut self, kind: usize, key: u64, about: &impl Fn(u32) -> Option<ClassAbout>) {
        let list = self.lists[kind][&key].as_slice();
        let ceiling = self.ceiling.unwrap_or(usize::MAX);
        if self.sample_size == 0 || list.len() <= ceiling {
            return;
        }
        let new = if self.samples[kind].contains_key(&key) { list.len() - 1 } else { 0 };
        let days = self.days_in_span();
        let spans = self.samples[kind].entry(key).or_default();
        for (class, ClassAbout { source, rank, time }) in
            list[new..].iter().filter_map(|&class| Some((class, about(class)?)))
        {
            spans.entry(span_of(time, days)).or_default().insert(self.sample_size, source, rank, class);
        }
    }

    pub fn has_samples(&self) -> bool {
        self.samples.iter().any(|samples| !samples.is_empty())
    }

    /// Removes a class without articles from the samples of its keys. Of a sample that has lost half of its classes,
    /// the list is sampled again.
    pub fn leave_samples(&mut self, keys: &[u64], class: u32, about: impl Fn(u32) -> Option<ClassAbout>) {
        for kind in [DATED, UNDATED] {
            for &key in keys {
                let spans = self.samples[kind].get_mut(&key).into_iter().flatten();
                let halved = spans.filter(|(_, sample)| sample.contains(class)).any(|(_, sample)| {
                    sample.remove(class);
                    2 * sample.numbers().len() < self.sample_size
                });
                if halved {
                    self.samples[kind].remove(&key);
                    self.extend_sample(kind, key, &about);
                }
            }
        }
    }

    /// How many days a sample covers: so many that a query needs few samples.
    fn days_in_span(&self) -> i64 {
        (self.max_time_gap / DAY).saturating_add(1)
    }

    /// The spans of days within `max_time_gap`.
    fn spans(&self, time: i64) -> std::ops::RangeInclusive<i64> {
        let span = |time: i64| span_of(time, self.days_in_span());
        match time {
            NO_TIME => i64::MIN..=i64::MAX,
            time => span(time.saturating_sub(self.max_time_gap))..=span(time.saturating_add(self.max_time_gap)),
        }
    }

    fn set_day(&mut self, number: u32, time: i64) {
        if time != NO_TIME {
            self.days.entry(time.div_euclid(DAY)).and_modify(|(_, last)| *last = number).or_insert((number, number));
        }
    }

    /// The range of class numbers of the days within `max_time_gap`.
    fn range(&self, time: i64) -> (u32, u32) {
        if time == NO_TIME {
            return (0, u32::MAX);
        }
        let day = |time: i64| time.div_euclid(DAY);
        let days = day(time.saturating_sub(self.max_time_gap))..=day(time.saturating_add(self.max_time_gap));
        self.numbers(days)
    }

    /// The first and the last class number of some days; the first is larger if they have none.
    pub fn numbers(&self, days: impl std::ops::RangeBounds<i64>) -> (u32, u32) {
        self.days.range(days).fold((u32::MAX, 0), |(first, last), (_, day)| (first.min(day.0), last.max(day.1)))
    }

    /// Renumbers the classes: `numbers` are the new numbers by old number (u32::MAX: none), `about` describes
    /// the classes by new number.
    pub fn compact(&mut self, numbers: &[u32], about: impl Fn(u32) -> Option<ClassAbout>) {
        let new = |number: u32| Some(numbers[number as usize]).filter(|&number| number != u32::MAX);
        for lists in &mut self.lists {
            lists.retain(|_, list| {
                list.change(new);
                !list.as_slice().is_empty()
            });
            lists.shrink_to_fit();
        }
        let is_kept = |number: &u32| new(*number).is_some();
        self.key_counts = retained(mem::take(&mut self.key_counts), is_kept);
        self.summaries = retained(mem::take(&mut self.summaries), is_kept);
        self.days.clear();
        let times = |number: u32| about(number).map_or(NO_TIME, |about| about.time);
        (0..self.key_counts.len() as u32).for_each(|number| self.set_day(number, times(number)));
        for kind in 0..self.samples.len() {
            for (key, _) in mem::take(&mut self.samples[kind]) {
                if self.lists[kind].contains_key(&key) {
                    self.extend_sample(kind, key, &about);
                }
            }
        }
    }

    /// All keys with their lists of classes, dated or not; not sorted.
    pub fn all_lists(&self) -> impl Iterator<Item = (u64, &[u32])> {
        self.lists.iter().flatten().map(|(&key, list)| (key, list.as_slice()))
    }

    /// Number of posting lists.
    pub fn len(&self) -> usize {
        self.lists.iter().map(Hashed::len).sum()
    }
}

/// The values of the numbers that are kept.
fn retained<T>(values: Vec<T>, is_kept: impl Fn(&u32) -> bool) -> Vec<T> {
    (0..).zip(values).filter(|(number, _)| is_kept(number)).map(|(_, value)| value).collect()
}
