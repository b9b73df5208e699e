//! Who seeks whom, where only the smaller of two articles is bound to share much with the larger.
//!
//! An article that another one holds shares most of its keys with it, but the other may have any number of keys of its own.
//! So every article may set its commonest keys aside, as long as what is left must still be shared, and *seek* the rest
//! only. In the list of a key, whoever seeks it stands first: an article walks the whole list of a key that it seeks, to
//! find what may hold it, and the beginning of all other lists, to find what it may hold. Common words are sought by
//! nearly nobody, and rare ones have short lists.

use std::sync::atomic::Ordering;

use crate::base::parallel::{self, Deal, Tick};
use crate::detectors::api::Demand;
use crate::engine::population::Corpus;
use crate::engine::shard::span;
use crate::engine::shard::SINGLE_POSTING;

/// Marks, in a list, the articles that seek its key; and among the keys of an article, those that it seeks.
pub const SEEKS: u32 = 1 << 31;

/// Of what must be shared, the part that is still to be found among the sought keys. The more, the longer the lists; the
/// less, the more articles are compared in vain. This is about the fastest on news.
const SOUGHT: f64 = 0.45;

/// Stands for the need of an article that nothing can hold.
const NOTHING: u32 = u32::MAX;

/// Puts whoever seeks a key first in its list, and gives for every article what it must share at least, of the keys that
/// it seeks, with whatever holds it. None: stopped on the way.
pub fn arrange(corpus: &Corpus, original: &[u32], members: &mut [u32], tick: Tick) -> Option<Vec<u32>> {
    assert!(members.len() < SEEKS as usize, "too many keys for one corpus");
    let deal = Deal::new(corpus.len(), 256, &corpus.watch);
    let lists = &*members;
    let parts = parallel::run(corpus.settings.threads, &corpus.watch, tick, |_| {
        let (mut choice, mut found) = (PrefixChooser::default(), vec![]);
        while let Some(range) = deal.take().filter(|_| !corpus.watch.is_stopped()) {
            for article in range {
                if original[article] as usize == article {
                    found.push((article, choice.make(corpus, lists, article)));
                }
            }
        }
        found
    });
    if corpus.watch.is_stopped() {
        return None;
    }
    let mut least = vec![NOTHING; corpus.len()];
    parts.into_iter().flatten().for_each(|(article, needed)| least[article] = needed);
    let originals = || (0..corpus.len()).filter(|&article| original[article] as usize == article);
    let row = |article| {
        let (shard, row) = corpus.place(article);
        let postings = shard.postings[span(&shard.key_ends, row)].iter();
        postings
            .map(|posting_list| posting_list.load(Ordering::Relaxed))
            .filter(|&posting_list| posting_list != SINGLE_POSTING)
    };
    for posting_list in originals().flat_map(row) {
        members[(posting_list & !SEEKS) as usize] = 0;
    }
    for seeks in [SEEKS, 0] {
        for article in originals() {
            for posting_list in row(article).filter(|posting_list| posting_list & SEEKS == seeks) {
                let head = (posting_list & !SEEKS) as usize;
                members[head] += 1;
                members[head + members[head] as usize] = article as u32 | seeks;
            }
        }
    }
    Some(least)
}

/// Room for choosing the keys that an article seeks.
#[derive(Default)]
struct PrefixChooser {
    demand: Demand,
    /// Its keys that others have too: the length of the list, the most it adds, its place.
    keys: Vec<(u32, u32, usize)>,
}

impl PrefixChooser {
    /// Marks the keys that an article seeks; gives what it must share of them with whatever holds it.
    fn make(&mut self, corpus: &Corpus, members: &[u32], article: usize) -> u32 {
        let (shard, row) = corpus.place(article);
        let postings = &shard.postings[span(&shard.key_ends, row)];
        corpus.detector.demands(corpus.signature(article), &mut self.demand);
        let Demand { most, needed } = &self.demand;
        self.keys.clear();
        let shared = postings.iter().zip(most).enumerate().filter_map(|(place, (posting_list, &most))| {
            let head = posting_list.load(Ordering::Relaxed);
            (head != SINGLE_POSTING).then(|| (members[head as usize], most, place))
        });
        self.keys.extend(shared);
        let needed = needed * (1.0 - 1e-9); // rounding must not cost an article
        if self.keys.iter().map(|key| f64::from(key.1)).sum::<f64>() < needed {
            return NOTHING;
        }
        // the longest lists first, by what setting them aside costs
        let worth = |length: u32, most: u32| u64::from(length) * u64::from(most);
        self.keys.sort_unstable_by(|x, y| worth(y.0, x.1).cmp(&worth(x.0, y.1)).then(x.2.cmp(&y.2)));
        let mut left = needed;
        for &(_, most, place) in &self.keys {
            if left - f64::from(most) >= SOUGHT * needed {
                left -= f64::from(most);
            } else {
                postings[place].fetch_or(SEEKS, Ordering::Relaxed);
            }
        }
        (left.ceil() as u32).clamp(1, NOTHING - 1)
    }
}
