//! How the candidates of a detector are found, as one value: the engine asks for it once. `plan_parts` describes the
//! parts that are functions.

use std::sync::Arc;

use super::plan_parts::{FunctionFilter, LiveKeys, PairFilter, PairSource, PrefixFilter, Quorum, SummaryFilter};

#[derive(Clone)]
pub struct CandidatePlan {
    /// How many keys two articles must share to be compared, by the smaller of their numbers of keys.
    pub quorum: Quorum,
    /// Other keys for the live index that imply the same candidates; None if it uses the same ones.
    pub live_keys: Option<LiveKeys>,
    /// Lower bound of the keys that an article shares with every related article, whatever the keys of that one, by its
    /// number of keys. If it is more than one, the longest posting lists of the article can be skipped.
    pub required: Option<Quorum>,
    /// For containment: which posting lists an article can skip, by the overlap that it requires.
    pub prefix_filter: Option<Arc<dyn PrefixFilter>>,
    /// Rejects candidates by 64 bits of each article, before their signatures are read.
    pub summary_filter: Option<Arc<dyn SummaryFilter>>,
    /// Rejects candidates by their signatures, before they are compared.
    pub pair_filter: Option<Arc<dyn PairFilter>>,
    /// Finds the candidates of a collection without keys; None for all detectors that use keys.
    pub pair_source: Option<Arc<dyn PairSource>>,
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
            quorum,
            live_keys: None,
            required: None,
            prefix_filter: None,
            summary_filter: None,
            pair_filter: None,
            pair_source: None,
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

    /// With a function as pair filter, called with the signatures of both articles, the number of shared keys and the
    /// smaller of their numbers of keys.
    pub fn with_filter(self, admits: impl Fn(&[u32], &[u32], usize, usize) -> bool + Send + Sync + 'static) -> Self {
        CandidatePlan { pair_filter: Some(Arc::new(FunctionFilter(admits))), ..self }
    }

    /// How many keys an article with so many keys shares with every related article.
    pub fn required(&self, keys: usize) -> usize {
        self.required.as_ref().map_or(1, |required| required.of(keys))
    }

    /// Whether one left article and each of several right ones are compared, by the pair filter.
    pub fn admits_all(&self, left: &[u32], rights: &[&[u32]], counts: &[(usize, usize)]) -> Vec<bool> {
        let filter = self.pair_filter.as_ref();
        filter.map_or_else(|| vec![true; rights.len()], |filter| filter.admits_all(left, rights, counts))
    }

    /// Whether two articles with these summaries may match that share so many keys of the live index.
    pub fn may_match(&self, left: u64, right: u64, shared: usize) -> bool {
        let shared = || self.live_keys.as_ref().map_or(shared, |live| live.max_shared(shared));
        self.summary_filter.as_ref().is_none_or(|filter| filter.may_match(left, right, shared()))
    }

    /// The quorum of the live index.
    pub fn live_quorum(&self) -> &Quorum {
        self.live_keys.as_ref().map_or(&self.quorum, |live| &live.quorum)
    }
}
