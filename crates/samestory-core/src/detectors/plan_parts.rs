//! The parts of a candidate plan that are functions: quorums, filters, and sources of pairs.

use std::sync::Arc;

/// A number of keys, by a number of keys.
#[derive(Clone)]
pub struct Quorum(Arc<dyn Fn(usize) -> usize + Send + Sync>);

impl Quorum {
    pub fn new(required: impl Fn(usize) -> usize + Send + Sync + 'static) -> Self {
        Quorum(Arc::new(required))
    }

    /// So many keys, or all of them if there are fewer.
    pub fn keys(count: usize) -> Self {
        Self::new(move |keys| keys.min(count))
    }

    pub fn of(&self, keys: usize) -> usize {
        self.0(keys)
    }
}

/// The posting keys of the live index: may be fewer than those of the batch, if their quorum implies the same candidates.
#[derive(Clone)]
pub struct LiveKeys {
    pub quorum: Quorum,
    keys: Arc<AppendKeys>,
    max_shared: fn(usize) -> usize,
}

/// Appends the keys of a signature.
type AppendKeys = dyn Fn(&[u32], &mut Vec<u64>) + Send + Sync;

impl LiveKeys {
    /// `keys` appends the keys of a signature; `max_shared` is the most keys of the batch that two articles share, by the
    /// number of these that they share.
    pub fn new(
        quorum: Quorum,
        max_shared: fn(usize) -> usize,
        keys: impl Fn(&[u32], &mut Vec<u64>) + Send + Sync + 'static,
    ) -> Self {
        LiveKeys { quorum, keys: Arc::new(keys), max_shared }
    }

    /// The most keys of the batch that two articles share which share so many of these.
    pub fn max_shared(&self, live: usize) -> usize {
        (self.max_shared)(live)
    }

    /// Appends the keys of a signature.
    pub fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        (self.keys)(signature, keys);
    }
}

/// Rejects candidates by the overlap that containment requires (engine/postings/prefix.rs).
pub trait PrefixFilter: Send + Sync {
    /// Computes the overlap that containment of a signature requires.
    fn required_overlap(&self, signature: &[u32], overlap: &mut RequiredOverlap);
}

/// The overlap that containment of one signature requires: the input of the prefix filter.
#[derive(Default)]
pub struct RequiredOverlap {
    /// Upper bound of what each key adds to the overlap if it is shared, in the order of the keys.
    pub max_gains: Vec<u32>,
    /// The total overlap that a larger article needs to contain this one.
    pub needed: f64,
}

/// Rejects candidates by summaries of their signatures, stored contiguously: signatures are scattered in memory.
pub trait SummaryFilter: Send + Sync {
    /// The summary of a signature.
    fn summary(&self, signature: &[u32]) -> u64;

    /// Whether two articles with these summaries and `shared` common keys may match. Never false where the pair filter
    /// admits a pair.
    fn may_match(&self, left: u64, right: u64, shared: usize) -> bool;
}

/// Rejects candidates by their signatures. Called only for pairs that reach the quorum.
pub trait PairFilter: Send + Sync {
    /// Whether two articles that share `shared` keys are compared; `fewer` is the smaller of their numbers of keys.
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool;

    /// `admits` for one left article and several right ones, with the number of shared keys and the smaller number of
    /// keys of each pair.
    fn admits_all(&self, left: &[u32], rights: &[&[u32]], counts: &[(usize, usize)]) -> Vec<bool> {
        let pairs = rights.iter().zip(counts);
        pairs.map(|(right, &(shared, fewer))| self.admits(left, right, shared, fewer)).collect()
    }
}

/// A pair filter that is one function.
pub struct FunctionFilter<F>(pub F);

impl<F: Fn(&[u32], &[u32], usize, usize) -> bool + Send + Sync> PairFilter for FunctionFilter<F> {
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        self.0(left, right, shared, fewer)
    }
}

/// Finds candidates without keys.
pub trait PairSource: Send + Sync {
    /// The candidate pairs of a collection, the later article first. If `for_components`, a spanning forest of the
    /// related pairs is enough.
    fn candidate_pairs(&self, signatures: &[&[u32]], for_components: bool) -> Vec<(u32, u32)>;
}
