//! How the candidates of a detector are found, as a value: the engine asks for it once and needs no other hooks.

use std::fmt;
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

impl fmt::Debug for Quorum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Quorum({:?} of 1, 10, 100)", [1, 10, 100].map(|keys| self.of(keys)))
    }
}

#[derive(Clone, Debug)]
pub struct CandidatePlan {
    /// How many keys two articles must share to be compared, by the smaller of their numbers of keys.
    pub quorum: Quorum,
    /// The same for the live index and its keys (`Detector::live_keys`).
    pub live_quorum: Quorum,
    /// Lower bound of the keys that an article shares with every related article, whatever the keys of that one, by its
    /// number of keys. If it is more than one, the longest posting lists of the article can be skipped.
    pub required: Option<Quorum>,
    /// Whether `Detector::required_overlap` is implemented, so that the prefix filter applies.
    pub prefix_filter: bool,
    /// Whether `Detector::summary` is implemented: 64 bits of an article for a cheap test before `admits`.
    pub summaries: bool,
    /// The most calendar days between two compared articles; None for no limit.
    pub max_days: Option<u32>,
    /// Whether signatures contain the day of publication, so that articles with equal signatures have the same day.
    pub signatures_have_days: bool,
    /// The longest posting list that is used as a whole; None for no limit.
    pub ceiling: Option<usize>,
    /// How many articles of a longer list are used, evenly from its sources, by articles most of whose lists are longer
    /// (0: none; the list is not used).
    pub long_list_sample: usize,
    /// The most candidates of an article: those with the most shared keys, evenly from their sources. None for no limit.
    pub max_candidates: Option<usize>,
}

impl Default for CandidatePlan {
    /// One shared key is enough.
    fn default() -> Self {
        Self::with_quorum(Quorum::keys(1))
    }
}

impl CandidatePlan {
    pub fn with_quorum(quorum: Quorum) -> Self {
        CandidatePlan {
            live_quorum: quorum.clone(),
            quorum,
            required: None,
            prefix_filter: false,
            summaries: false,
            max_days: None,
            signatures_have_days: false,
            ceiling: None,
            long_list_sample: 0,
            max_candidates: None,
        }
    }

    /// With a ceiling as parameters give it: 0 means none.
    pub fn with_ceiling(self, ceiling: usize) -> Self {
        CandidatePlan { ceiling: (ceiling > 0).then_some(ceiling), ..self }
    }

    /// How many keys an article with so many keys shares with every related article.
    pub fn required(&self, keys: usize) -> usize {
        self.required.as_ref().map_or(1, |required| required.of(keys))
    }
}
