//! Which articles are kept when duplicates are dropped.
//!
//! Articles are visited in the order of preference. Each one that is still undecided is kept, and the undecided articles
//! with a relation of the wanted kinds to it are dropped: every dropped article was compared with the one that is kept
//! for it, and no two kept articles have such a relation.

use crate::base::parallel::{self, Tick};
use crate::detectors::Kind;
use crate::engine::candidates::ComparisonCounts;
use crate::engine::cluster::star::Owners;
use crate::engine::rank::Representative;
use crate::engine::relate::IndexedCorpus;
use crate::model::group::joins;

/// Number of undecided articles per batch: enough for several threads, few enough that they are seldom related to each
/// other.
const BATCH_ARTICLES: usize = 128;

pub struct DedupOptions {
    /// Which article of several is kept, and of equally good ones the first in the input; None: the first in the input.
    pub keep: Option<Representative>,
    /// Hashes of preferred sources, best first; they take precedence over the rule.
    pub preferred: Vec<u64>,
    /// The kinds of the relation of a dropped article to the kept one.
    pub kinds: Vec<Kind>,
}

/// For every article the one that is kept for it, itself if it is kept; the kind of its relation to that one, and the
/// share of its text that is also in it.
pub struct Duplicates {
    pub kept: Vec<u32>,
    pub kinds: Vec<Kind>,
    pub shares: Vec<f64>,
    pub counts: ComparisonCounts,
}

impl IndexedCorpus {
    /// Selects the articles to keep; old articles are kept before new ones. None if the run was stopped.
    pub fn duplicates(&self, options: &DedupOptions, tick: Tick) -> Option<Duplicates> {
        let count = self.corpus.len();
        let mut order = self.corpus.ranked_by_input(options.keep, &options.preferred);
        order.sort_by_key(|&article| article as usize >= self.corpus.old);
        let mut found = Duplicates {
            kept: (0..count as u32).collect(),
            kinds: vec![Kind::None; count],
            shares: vec![1.0; count],
            counts: ComparisonCounts::default(),
        };
        let owners = Owners::new(count);
        let (signatures, hubs) = (self.signatures(), self.hubs(Some(&order)));
        self.corpus.watch.begin(count);
        let (done, workers) = parallel::crew(
            self.corpus.settings.threads,
            &self.corpus.watch,
            tick,
            || self.worker(&hubs, &signatures),
            |worker, &article| {
                let mut links = vec![];
                self.links(worker, article, u32::MAX, |other| owners.is_free(other), &mut links);
                links
            },
            |ask| {
                let mut order = order.iter().copied();
                loop {
                    let batch: Vec<u32> =
                        order.by_ref().filter(|&article| owners.is_free(article)).take(BATCH_ARTICLES).collect();
                    if batch.is_empty() {
                        return Some(());
                    }
                    for (article, links) in batch.iter().zip(ask(batch.clone())?) {
                        if !owners.is_free(*article) {
                            continue;
                        }
                        owners.set(*article, *article);
                        for link in links {
                            let overlap = link.overlap.flipped();
                            let is_wanted = joins(overlap.kind, true) && options.kinds.contains(&overlap.kind);
                            if is_wanted && owners.is_free(link.to) {
                                owners.set(link.to, *article);
                                let dropped = link.to as usize;
                                found.kept[dropped] = *article;
                                found.kinds[dropped] = overlap.kind;
                                found.shares[dropped] = overlap.forward;
                            }
                        }
                    }
                }
            },
        );
        done?;
        found.counts = self.compared_in_advance();
        workers.iter().for_each(|worker| found.counts += worker.counts);
        Some(found)
    }
}
