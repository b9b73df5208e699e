//! Posting lists of a batch corpus: for every key that several articles share, the articles that have it.
//!
//! Keys are partitioned when they are generated, so that the hash table of a part stays in the processor's cache and
//! every thread works on its own parts. A key with several articles becomes a posting list; every article stores the
//! ids of its posting lists. A key with more articles than the detector's ceiling is counted; it gets no list, or one that
//! is read by its hubs, as the plan of the detector says.

use super::{fair, Postings};
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::Mutex;

use crate::base::parallel::{self, Deal, Tick};
use crate::base::time::{DAY, NO_TIME};
use crate::detectors::plan::CandidatePlan;
use crate::engine::duplicates::Copies;
use crate::engine::population::Corpus;
use crate::engine::postings::hubs::Hubs;
use crate::engine::postings::prefix::{self, IN_PREFIX};
use crate::engine::shard::{span, Key, PARTS, PART_BITS, SINGLE_POSTING};

/// Marks a row whose keys are not indexed: a copy, or a rejected article.
const NO_ARTICLE: u32 = u32::MAX;

pub struct BatchPostings {
    pub plan: CandidatePlan,
    /// Posting lists, each preceded by its length. The id of a list is the offset of that length.
    members: Vec<u32>,
    /// Number of keys that exceeded the ceiling.
    pub skipped: usize,
    /// The ids of the lists of these keys, where they are read by their hubs.
    pub long_lists: Vec<u32>,
    /// Number of keys of every article.
    pub key_counts: Vec<u32>,
    /// The detector's quorum by number of keys, clamped to 8 bits.
    pub quorum: Vec<u8>,
    /// The minimum quorum over that number of keys and all larger ones. It never decreases with the number of keys, so
    /// the smaller value of two articles is a lower bound of the quorum of the pair.
    pub least_quorum: Vec<u8>,
    /// The detector's bitmap summary of every article; empty if the detector has none.
    pub summaries: Vec<u64>,
    /// With the prefix filter: the overlap of prefix keys that every article requires with any container.
    pub required_overlap: Vec<u32>,
    /// If the detector has a window of days: the day of every article. Long lists are sorted by it, undated articles
    /// first. Otherwise empty.
    days: Vec<i64>,
    window_days: i64,
    /// Whether all lists are sorted by article number.
    pub is_sorted_by_number: bool,
}

/// Shorter lists are scanned completely, which is faster than two binary searches.
pub const MIN_SORTED_LENGTH: usize = 64;
/// The day of an article without a date.
const UNDATED: i64 = i64::MIN;

impl BatchPostings {
    /// Builds the posting lists and frees the keys of the corpus. Returns None if the run was stopped.
    pub fn new(corpus: &mut Corpus, copies: &Copies, tick: Tick) -> Option<Self> {
        let candidates = Self::build(corpus, copies, &mut *tick);
        // the keys are no longer needed; freeing this much memory takes long enough to use all threads
        let keys =
            Mutex::new(corpus.shards.iter_mut().map(|shard| std::mem::take(&mut shard.keys)).collect::<Vec<_>>());
        parallel::run(corpus.settings.threads, &corpus.watch, tick, |_| loop {
            let Some(shard_keys) = keys.lock().expect("no panic while the lock is held").pop() else {
                break;
            };
            drop(shard_keys);
        });
        candidates
    }

    /// No posting lists, where all candidates have been compared.
    pub(crate) fn without_lists(plan: CandidatePlan) -> Self {
        BatchPostings {
            plan,
            members: vec![],
            skipped: 0,
            long_lists: vec![],
            key_counts: vec![],
            quorum: vec![],
            least_quorum: vec![],
            summaries: vec![],
            required_overlap: vec![],
            days: vec![],
            window_days: 0,
            is_sorted_by_number: true,
        }
    }

    fn build(corpus: &Corpus, copies: &Copies, tick: Tick) -> Option<Self> {
        let plan = corpus.detector.candidate_plan();
        // the article of every row
        let mut owners: Vec<Vec<u32>> = corpus.shards.iter().map(|s| vec![NO_ARTICLE; s.words.len()]).collect();
        for (article, &(shard, row)) in corpus.articles.iter().enumerate() {
            if copies.is_original(article as u32) {
                owners[shard as usize][row as usize] = article as u32;
            }
        }
        let window = plan.max_days.filter(|_| plan.signatures_have_days);
        let days: Vec<i64> = match window {
            Some(_) => (0..corpus.len()).map(|article| day(corpus.published(article))).collect(),
            None => vec![],
        };
        // every part writes its lists into its own region, large enough if all lists have two articles; id 0 is unused
        let mut sizes = [0usize; PARTS];
        for shard in &corpus.shards {
            for (part, size) in sizes.iter_mut().enumerate() {
                *size += shard.part(part).len();
            }
        }
        let capacity = |keys: usize| keys + keys / 2;
        let mut members = vec![0u32; 1 + sizes.iter().map(|&size| capacity(size)).sum::<usize>()];
        assert!(u32::try_from(members.len()).is_ok(), "too many keys for one corpus");
        let mut rest = &mut members[1..];
        let mut start = 1;
        let mut regions = vec![];
        for size in sizes {
            let (region, behind) = rest.split_at_mut(capacity(size));
            regions.push(Mutex::new((start, region)));
            start += capacity(size) as u32;
            rest = behind;
        }
        let deal = Deal::new(PARTS, 1, &corpus.watch);
        let skipped = parallel::run(corpus.settings.threads, &corpus.watch, &mut *tick, |_| {
            let mut table = KeyTable::default();
            let mut skipped = 0;
            let mut long_lists = vec![];
            while let Some(part) = deal.take().filter(|_| !corpus.watch.is_stopped()) {
                let part = part.start;
                let mut region = regions[part].lock().expect("every part is processed once");
                let (start, members) = &mut *region;
                skipped += table.write_lists(corpus, &owners, part, sizes[part], &plan, *start, members);
                if let (Some(ceiling), true) = (plan.ceiling, plan.long_list_sample > 0) {
                    long_lists.extend(lists_above(ceiling, members).map(|head| *start + head as u32));
                }
                if !days.is_empty() {
                    sort_long_lists(members, &days);
                }
            }
            (skipped, long_lists)
        });
        if corpus.watch.is_stopped() {
            return None;
        }
        drop(regions);
        let (skipped, long_lists): (Vec<usize>, Vec<Vec<u32>>) = skipped.into_iter().unzip();
        let key_counts: Vec<u32> = (0..corpus.len())
            .map(|article| {
                let (shard, row) = corpus.place(article);
                span(&shard.key_ends, row).len() as u32
            })
            .collect();
        let max_keys = key_counts.iter().copied().max().unwrap_or(0) as usize;
        let quorum: Vec<u8> =
            (0..=max_keys).map(|keys| plan.quorum.of(keys).clamp(1, usize::from(u8::MAX)) as u8).collect();
        let mut least_quorum = quorum.clone();
        for keys in (0..max_keys).rev() {
            least_quorum[keys] = least_quorum[keys].min(least_quorum[keys + 1]);
        }
        let summaries = match &plan.summary_filter {
            Some(filter) => (0..corpus.len()).map(|article| filter.summary(corpus.signature(article))).collect(),
            None => vec![],
        };
        let required_overlap = match &plan.prefix_filter {
            Some(filter) => prefix::arrange(&**filter, corpus, &copies.original, &mut members, tick)?,
            None => vec![],
        };
        let window_days = window.map_or(0, i64::from);
        Some(BatchPostings {
            is_sorted_by_number: days.iter().all(|&day| day == UNDATED),
            plan,
            members,
            skipped: skipped.into_iter().sum(),
            long_lists: long_lists.concat(),
            key_counts,
            quorum,
            least_quorum,
            summaries,
            required_overlap,
            days,
            window_days,
        })
    }

    /// Calls `each` with the position and the posting list of every key that this original shares: the complete list of
    /// a prefix key; for other keys only the articles that have the key in their prefix. Those are marked with `IN_PREFIX`.
    pub fn lists_by_prefix(&self, corpus: &Corpus, article: usize, mut each: impl FnMut(usize, &[u32])) {
        let (shard, row) = corpus.place(article);
        for (place, posting_list) in shard.postings[span(&shard.key_ends, row)].iter().enumerate() {
            let posting_list = posting_list.load(Ordering::Relaxed);
            if posting_list == SINGLE_POSTING {
                continue;
            }
            let head = (posting_list & !IN_PREFIX) as usize;
            let all = &self.members[head + 1..=head + self.members[head] as usize];
            let in_prefix = all.partition_point(|&other| posting_list & IN_PREFIX == 0 && other & IN_PREFIX != 0);
            each(place, if posting_list & IN_PREFIX != 0 { all } else { &all[..in_prefix] });
        }
    }

    /// Whether a list contains an article: by binary search, unless lists are sorted by day.
    pub fn is_in(&self, article: u32, list: &[u32]) -> bool {
        match self.days.is_empty() {
            true => list.binary_search(&article).is_ok(),
            false => list.contains(&article),
        }
    }
}

impl BatchPostings {
    /// The articles of a list by its id.
    pub fn list(&self, id: u32) -> &[u32] {
        let head = id as usize;
        &self.members[head + 1..=head + self.members[head] as usize]
    }

    /// The hubs of the long lists; `order`: all articles, best representative first.
    pub fn hubs<'a>(&self, corpus: &'a Corpus, order: Option<&[u32]>) -> Hubs<'a> {
        Hubs::new(corpus, self.plan.long_list_sample, &self.long_lists, self.crowded(), order)
    }

    /// For every article whether long lists are at least half of its keys; empty without long lists.
    fn crowded(&self) -> Vec<bool> {
        if self.long_lists.is_empty() {
            return vec![];
        }
        let mut long = vec![0u32; self.key_counts.len()];
        for &list in &self.long_lists {
            self.list(list).iter().for_each(|&article| long[article as usize] += 1);
        }
        long.iter().zip(&self.key_counts).map(|(&long, &keys)| fair::is_crowded(long as usize, keys as usize)).collect()
    }

    /// The lists up to the ceiling; of longer ones, if the article is crowded, the hubs, or all crowded articles if it is a
    /// hub itself.
    fn lists_with_hubs<'a>(
        &'a self,
        article: u32,
        ids: &[u32],
        hubs: &'a Hubs<'a>,
        lists: &mut Vec<&'a [u32]>,
    ) -> usize {
        let ceiling = self.plan.ceiling.unwrap_or(usize::MAX);
        let mut long = 0;
        for &id in ids {
            let list = self.list(id);
            if list.len() <= ceiling {
                lists.push(list);
                continue;
            }
            long += 1;
            if hubs.is_crowded(article) {
                lists.push(hubs.list_of(article, id, list));
            }
        }
        long
    }
}

/// The posting lists of an original, which contain the original too.
pub struct BatchQuery<'q, 'a> {
    pub corpus: &'q Corpus,
    pub article: u32,
    /// A buffer for the ids of the lists.
    pub list_ids: &'q mut Vec<u32>,
    pub hubs: &'a Hubs<'a>,
}

impl Postings for BatchPostings {
    type Query<'q, 'a> = BatchQuery<'q, 'a>;
    type Error = Infallible;

    /// Two passes let the processor fetch the heads of all lists at once: they are far apart in memory.
    fn lists<'a>(&'a self, query: BatchQuery<'_, 'a>, lists: &mut Vec<&'a [u32]>) -> Result<usize, Infallible> {
        let BatchQuery { corpus, article, list_ids, hubs } = query;
        let (shard, row) = corpus.place(article as usize);
        let row = &shard.postings[span(&shard.key_ends, row)];
        list_ids.resize(row.len(), 0);
        let mut count = 0;
        for posting_list in row {
            list_ids[count] = posting_list.load(Ordering::Relaxed);
            count += usize::from(list_ids[count] != SINGLE_POSTING);
        }
        lists.clear();
        if !self.long_lists.is_empty() {
            return Ok(self.lists_with_hubs(article, &list_ids[..count], hubs, lists));
        }
        let full_lists = list_ids[..count].iter().map(|&list| self.list(list));
        let day = self.days.get(article as usize).copied().unwrap_or(UNDATED);
        if day == UNDATED {
            lists.extend(full_lists);
            return Ok(0);
        }
        for list in full_lists {
            if list.len() < MIN_SORTED_LENGTH {
                lists.push(list);
                continue;
            }
            let (undated, dated) = list.split_at(list.partition_point(|&other| self.days[other as usize] == UNDATED));
            let before = |day: i64| dated.partition_point(|&other| self.days[other as usize] < day);
            let in_window = &dated[before(day - self.window_days)..before(day + self.window_days + 1)];
            lists.extend([undated, in_window].into_iter().filter(|list| !list.is_empty()));
        }
        Ok(0)
    }
}

/// Sorts every long list by day.
fn sort_long_lists(members: &mut [u32], days: &[i64]) {
    for head in lists_above(MIN_SORTED_LENGTH - 1, members).collect::<Vec<_>>() {
        let end = head + 1 + members[head] as usize;
        members[head + 1..end].sort_unstable_by_key(|&article| (days[article as usize], article));
    }
}

/// The offsets of the lists of a region that are longer than `length`.
fn lists_above(length: usize, members: &[u32]) -> impl Iterator<Item = usize> + '_ {
    let mut next = 0;
    let heads = std::iter::from_fn(move || {
        let head = next;
        let count = *members.get(head).filter(|&&count| count > 0)?;
        next = head + 1 + count as usize;
        Some(head)
    });
    heads.filter(move |&head| members[head] as usize > length)
}

/// The day (UTC) of a timestamp.
fn day(published: i64) -> i64 {
    match published {
        NO_TIME => UNDATED,
        time => time.div_euclid(DAY),
    }
}

/// Open-addressing hash table that counts the articles of every key of a part, then writes the lists of shared keys.
#[derive(Default)]
struct KeyTable {
    slots: Vec<KeySlot>,
    /// The slot of every key of the part, in order.
    places: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct KeySlot {
    key: u64,
    /// Number of articles with this key; 0 for an empty slot.
    count: u32,
    /// Offset of its list in the region of the part, plus one; 0 for none.
    list: u32,
}

impl KeyTable {
    /// Writes the posting lists of a part; returns the number of keys that exceeded the ceiling.
    #[allow(clippy::too_many_arguments)]
    fn write_lists(
        &mut self,
        corpus: &Corpus,
        owners: &[Vec<u32>],
        part: usize,
        size: usize,
        plan: &CandidatePlan,
        start: u32,
        members: &mut [u32],
    ) -> usize {
        let KeyTable { slots, places } = self;
        slots.clear();
        slots.resize((2 * size).next_power_of_two().max(16), KeySlot::default());
        places.clear();
        let mask = slots.len() - 1;
        for (shard, owners) in corpus.shards.iter().zip(owners) {
            for &Key { key, row, .. } in &shard.keys[shard.part(part)] {
                if owners[row as usize] == NO_ARTICLE {
                    continue;
                }
                let mut at = (key >> PART_BITS) as usize & mask;
                while slots[at].count != 0 && slots[at].key != key {
                    at = (at + 1) & mask;
                }
                slots[at].key = key;
                slots[at].count += 1;
                places.push(at as u32);
            }
        }
        let (mut end, mut skipped) = (0u32, 0);
        for slot in slots.iter_mut() {
            let is_long = plan.ceiling.is_some_and(|ceiling| slot.count as usize > ceiling);
            skipped += usize::from(is_long);
            if slot.count > 1 && (!is_long || plan.long_list_sample > 0) {
                slot.list = end + 1;
                end += slot.count + 1;
            }
        }
        let mut places = places.iter();
        for (shard, owners) in corpus.shards.iter().zip(owners) {
            for &Key { row, place, .. } in &shard.keys[shard.part(part)] {
                let article = owners[row as usize];
                if article == NO_ARTICLE {
                    continue;
                }
                let slot = places.next().expect("a slot for every key");
                let list = slots[*slot as usize].list as usize;
                if list != 0 {
                    let head = list - 1;
                    members[head] += 1;
                    members[head + members[head] as usize] = article;
                    shard.postings[place as usize].store(start + head as u32, Ordering::Relaxed);
                }
            }
        }
        skipped
    }
}
