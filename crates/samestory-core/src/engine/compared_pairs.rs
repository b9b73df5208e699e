//! Candidate pairs compared in advance, for detectors that compare many pairs at a time.

use crate::base::parallel::{Tick, Watch};
use crate::detectors::{BatchDetector, Overlap};
use crate::engine::candidates::ComparisonCounts;

/// Pairs that are compared at a time: enough to amortise a call, few enough that a run stops soon.
const PAIRS_PER_BATCH: usize = 1 << 16;

/// The comparisons of every original, by the number of the other original.
pub struct ComparedPairs {
    /// Start of the comparisons of each article in `links`, and their end.
    starts: Vec<usize>,
    links: Vec<ComparedWith>,
    pub counts: ComparisonCounts,
}

/// A comparison with another original, from the side of an article.
#[derive(Clone, Copy)]
pub struct ComparedWith {
    pub to: u32,
    /// Number of shared keys, at most 255; 0 if it was not counted.
    pub shared: u8,
    pub overlap: Overlap,
}

impl ComparedPairs {
    /// Compares pairs of articles. Returns None if the run was stopped.
    pub fn new(
        detector: &dyn BatchDetector,
        signatures: &[&[u32]],
        pairs: &[(u32, u32)],
        watch: &Watch,
        tick: Tick,
    ) -> Option<Self> {
        watch.begin(pairs.len());
        let mut compared = Vec::with_capacity(pairs.len());
        for batch in pairs.chunks(PAIRS_PER_BATCH) {
            compared.extend(detector.compare_pairs(signatures, batch));
            watch.done.fetch_add(batch.len() as u64, std::sync::atomic::Ordering::Relaxed);
            if !tick(watch) || watch.is_stopped() {
                return None;
            }
        }
        let pairs = pairs.iter().zip(compared).map(|(&(left, right), overlap)| (left, right, 0, overlap));
        Some(Self::from_overlaps(signatures.len(), pairs))
    }

    /// From pairs of originals of `articles` articles, each once: left, right, shared keys, overlap.
    pub fn from_overlaps(articles: usize, pairs: impl Iterator<Item = (u32, u32, u8, Overlap)>) -> Self {
        let mut counts = ComparisonCounts::default();
        let mut links: Vec<(u32, ComparedWith)> = vec![];
        for (left, right, shared, overlap) in pairs {
            counts.compared += 1;
            counts.template_pairs += u64::from(overlap.is_template());
            links.push((left, ComparedWith { to: right, shared, overlap }));
            if left != right {
                links.push((right, ComparedWith { to: left, shared, overlap: overlap.flipped() }));
            }
        }
        links.sort_unstable_by_key(|(from, with)| (*from, with.to));
        let mut starts = vec![0; articles + 1];
        links.iter().for_each(|&(from, _)| starts[from as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        ComparedPairs { starts, links: links.into_iter().map(|(_, with)| with).collect(), counts }
    }

    /// The originals that were compared with this one, in order, with the overlap from its side.
    pub fn of(&self, original: u32) -> &[ComparedWith] {
        &self.links[self.starts[original as usize]..self.starts[original as usize + 1]]
    }

    /// The overlap with another original, if the two were compared.
    pub fn between(&self, original: u32, other: u32) -> Option<Overlap> {
        let compared = self.of(original);
        compared.binary_search_by_key(&other, |with| with.to).ok().map(|at| compared[at].overlap)
    }
}
