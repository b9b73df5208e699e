//! Events: news items that report the same event, in whatever words.

mod agreement;
mod calibration;
mod decided;
mod exchanged;
mod frequencies;
mod item;
mod numbers;
mod odds;
mod preamble;
mod slots;
mod stems;
mod summary;
mod terms;
mod trees;
mod writer;

use agreement::Agreement;
use item::{family, Item, DATE, IN_LEAD, NAME, NUMBER};
use odds::Odds;
use summary::{BaseRates, Summary};
use terms::TermTable;

use std::mem;
use std::sync::Arc;

use super::api::{Article, CalibratedDetector, Comparer, Detector, Kind, Overlap, Wants, Why};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::{LiveKeys, PairFilter, Quorum, SummaryFilter};
use super::sample::Sample;
use crate::base::hash;
use crate::text::calendar::{DAYS, MONTHS};

pub use agreement::between as agreement_of;
pub use calibration::Calibration;
pub use decided::decided;
pub use numbers::NAMES;

#[derive(Clone, Debug)]
pub struct Event {
    threshold: f64,
    /// How many of its most informative words an item is indexed under: each pair of them is a key.
    max_key_words: usize,
    ceiling: usize,
    /// The largest number of days between two compared items.
    days: u32,
    /// None: not calibrated on a collection.
    calibration: Option<Arc<Calibration>>,
    /// The log odds of the threshold, and the smallest base rates: lower bounds for candidates.
    min_odds: f64,
    min_base_rates: BaseRates,
}

impl Event {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let event = Event {
            min_odds: 0.0,
            min_base_rates: BaseRates::default(),
            threshold: parameters.number("threshold")?,
            max_key_words: parameters.count("telling")?,
            ceiling: parameters.count("ceiling")?,
            days: parameters.count("days")? as u32,
            calibration: None,
        };
        let calibration = match &parameters.calibration[..] {
            [] => None,
            bytes => Some(Calibration::read(bytes).ok_or("calibration")?),
        };
        Ok(event.with_calibration(calibration))
    }

    /// The same detector with another calibration.
    fn with_calibration(&self, calibration: Option<Calibration>) -> Self {
        Event {
            min_odds: (self.threshold / (1.0 - self.threshold)).ln(),
            min_base_rates: calibration.as_ref().map_or_else(BaseRates::default, Calibration::min_base_rates),
            calibration: calibration.map(Arc::new),
            ..*self
        }
    }

    /// Lower bound of the number of key words that a pair above the threshold shares.
    fn min_shared_terms(&self, one: Summary, other: Summary) -> usize {
        one.min_shared_terms(other, self.max_terms(), self.min_odds, &self.min_base_rates)
    }

    /// Whether a pair that shares so many keys may share enough key words.
    fn may_share_enough(&self, one: Summary, other: Summary, shared: usize) -> bool {
        let by_length = one.min_shared_words(other, self.max_terms(), self.min_odds, &self.min_base_rates);
        shared >= pairs(by_length) && shared >= pairs(self.min_shared_terms(one, other))
    }

    fn max_terms(&self) -> usize {
        self.max_key_words.min(terms::MAX_STEMS)
    }

    fn summary_of(&self, item: &Item) -> Summary {
        Summary::new(item, self.calibration.as_ref().is_some_and(|calibration| calibration.knows(item)))
    }
}

impl Detector for Event {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let start = signature.len();
        writer::write(article, signature);
        self.apply(&mut signature[start..]);
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        is_signature(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if signature.is_empty() {
            return;
        }
        let words = key_words(&Item::read(signature), self.max_key_words);
        for (at, &one) in words.iter().enumerate() {
            // figures and dates alone occur together in unrelated items
            let others = words[at + 1..].iter().filter(|other| !(one.is_figure && other.is_figure));
            keys.extend(others.map(|other| {
                let (low, high) = (one.stem.min(other.stem), one.stem.max(other.stem));
                hash::numbered(2, u64::from(low) << 32 | u64::from(high))
            }));
        }
    }

    fn calibration(&self) -> Option<&dyn CalibratedDetector> {
        Some(self)
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let filter = Arc::new(self.clone());
        CandidatePlan {
            live_keys: (self.ceiling == 0).then(|| word_keys(self.max_key_words)),
            summary_filter: Some(filter.clone()),
            pair_filter: Some(filter),
            max_days: Some(self.days),
            signatures_have_days: true,
            max_candidates: Some(MAX_CANDIDATES),
            ..CandidatePlan::default().with_ceiling(self.ceiling)
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(EventComparer {
            event: self,
            left: vec![],
            terms: TermTable::default(),
            agreement: Agreement::default(),
            has_agreement: false,
        })
    }
}

impl CalibratedDetector for Event {
    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        // rows of an earlier calibration have its levels
        let plain = |row: &&[u32]| {
            let mut row = row.to_vec();
            if item::is_item(&row) {
                item::set_level(&mut row, f32::NAN);
            }
            row
        };
        let rows: Vec<Vec<u32>> = sample.signatures.iter().map(plain).collect();
        let sample = &Sample { signatures: rows.iter().map(Vec::as_slice).collect(), ..sample.clone() };
        Some(Arc::new(self.with_calibration(Some(Calibration::from_sample(
            &self.with_calibration(None),
            self.days,
            sample,
        )))))
    }

    fn is_calibrated(&self) -> bool {
        self.calibration.is_some()
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.calibration.as_ref().map_or(vec![], |calibration| calibration.write())
    }

    fn apply(&self, signature: &mut [u32]) {
        // rows of a damaged store pass here too
        if let (Some(calibration), true) = (&self.calibration, item::is_item(signature)) {
            calibration.weigh(signature);
            let level = calibration.level(&Item::read(signature));
            item::set_level(signature, level);
        }
    }
}

impl SummaryFilter for Event {
    fn summary(&self, signature: &[u32]) -> u64 {
        Item::parse(signature).map_or(0, |item| self.summary_of(&item).pack())
    }

    fn may_match(&self, left: u64, right: u64, shared: usize) -> bool {
        let (one, other) = (Summary::unpack(left), Summary::unpack(right));
        one.is_within(other, self.days) && (self.ceiling != 0 || self.may_share_enough(one, other, shared))
    }
}

impl PairFilter for Event {
    /// Whether the days are compatible and enough key words are shared.
    fn admits(&self, left: &[u32], right: &[u32], _shared: usize, _fewer: usize) -> bool {
        let Some((left, right)) = Item::parse(left).zip(Item::parse(right)) else { return false };
        let (one, other) = (self.summary_of(&left), self.summary_of(&right));
        let min_shared = self.min_shared_terms(one, other);
        if !one.is_within(other, self.days) {
            return false;
        }
        let is_minimum = min_shared <= summary::MIN_SHARED_TERMS;
        if is_minimum && !(has_figures(&left) && has_figures(&right)) {
            return true;
        }
        let (one, other) = (key_words(&left, self.max_key_words), key_words(&right, self.max_key_words));
        let shared: Vec<&KeyWord> = one.iter().filter(|word| other.contains(word)).collect();
        let are_figures = shared.iter().all(|word| word.is_figure);
        // with few shared words, they were counted already; candidates of `fusion` need not share any
        match is_minimum {
            true => !are_figures || shared.len() < summary::MIN_SHARED_TERMS,
            false => !are_figures && shared.len() >= min_shared,
        }
    }
}

/// Items that share two key words share one pair of them: postings of twenty words replace those of 190 pairs. Not
/// under a ceiling, which needs the number of items that have both words of a pair.
fn word_keys(max_key_words: usize) -> LiveKeys {
    LiveKeys::new(Quorum::keys(2), pairs, move |signature, keys| {
        if let Some(item) = Item::parse(signature) {
            keys.extend(key_words(&item, max_key_words).into_iter().map(|word| hash::numbered(1, word.stem.into())));
        }
    })
}

/// The number of pairs of so many words.
fn pairs(words: usize) -> usize {
    words * words.saturating_sub(1) / 2
}

/// No item costs more than this many comparisons. In 12,000 undated articles of a wire full of templates, a seventh of the
/// comparisons is saved and no relation is lost.
const MAX_CANDIDATES: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
struct KeyWord {
    stem: u32,
    /// Whether it is a number, a day or a month.
    is_figure: bool,
}

fn is_figure(note: u32) -> bool {
    item::flags(note) & (NUMBER | DATE) != 0
}

/// Whether an item has several figures: then two key words that it shares may both be figures.
fn has_figures(item: &Item) -> bool {
    item.notes.iter().filter(|&&note| is_figure(note)).nth(1).is_some()
}

/// The most informative words of an item, at most `max`. For an article, the stems of its heaviest terms; for a short
/// item rare words, names, and words of the headline and the lead. Numbers occur in unrelated items, so they are used
/// only if there is nothing else.
fn key_words(item: &Item, max: usize) -> Vec<KeyWord> {
    if (item.words >= item::ARTICLE_WORDS || item.has_counts) && item.heaviest.len() >= 2 {
        return item.heaviest.iter().take(max).map(|&stem| KeyWord { stem, is_figure: false }).collect();
    }
    // like those of the heaviest terms, where signatures have their counts
    let shortened = |stem: u32| if item.has_counts { terms::short_stem(stem) } else { stem };
    let informativeness = |note: u32| {
        let flags = item::flags(note);
        let named = if flags & NAME != 0 { 1.3 } else { 1.0 };
        let lead = if flags & IN_LEAD != 0 { 1.4 } else { 1.0 };
        let number = if flags & NUMBER != 0 { 0.01 } else { 1.0 };
        (item::rarity(note) * named * lead * number * 1e6) as u64
    };
    let notes = item.notes.iter().zip(item.stems);
    let mut words: Vec<(u64, u32, bool)> =
        notes.map(|(&note, &stem)| (informativeness(note), shortened(stem), is_figure(note))).collect();
    words.sort_unstable_by(|x, y| y.cmp(x));
    words.truncate(max);
    words.into_iter().map(|(_, stem, is_figure)| KeyWord { stem, is_figure }).collect()
}

/// The parts of the probability of a pair, for explanations.
pub struct Weighed {
    /// 0: only the trees count; 1: only the terms do.
    pub weight_of_terms: f64,
    pub cosine: f64,
    pub level: f64,
    /// Whether one of the two is a column, a letter, a live blog or a digest.
    pub has_no_single_event: bool,
    /// Whether their beginnings name different months.
    pub has_other_months: bool,
    /// NaN if it was not measured.
    pub population: f64,
    pub before_base_rate: f64,
    pub probability: f64,
}

/// Whether a row has the layout of a signature; the empty one is of an article without words.
pub fn is_signature(row: &[u32]) -> bool {
    row.is_empty() || item::is_item(row)
}

/// The parts of the probability of two signatures; None if they have nothing in common.
///
/// The probability is that of the comparer: contradictions do not count where the terms of two articles alone do not reach
/// the threshold, and items that share too little have none.
pub fn weighed(left: &[u32], right: &[u32], threshold: f64, calibration: Option<&Calibration>) -> Option<Weighed> {
    let (left, right) = (Item::parse(left)?, Item::parse(right)?);
    let mut agreement = Agreement::default();
    agreement.load(&left);
    let share_enough = agreement.meet(&left, &right);
    if !agreement.is_any() {
        return None;
    }
    let numbers = agreement.measure(&left, &right);
    let trees = trees::likelihood(family(&left, &right), &numbers);
    let by_terms = Odds::new(&left, &right, calibration::base_rate(calibration, &left, &right));
    let terms_suffice = by_terms.asks_trees() || by_terms.likelihood(trees) >= threshold;
    let odds = if terms_suffice { by_terms.with_contradictions(&numbers) } else { by_terms };
    let probability = |odds: Odds| if share_enough || !terms_suffice { odds.likelihood(trees) } else { 0.0 };
    let dated = left.day.is_some() && right.day.is_some();
    let population = |item: &Item| calibration.and_then(|calibration| calibration.population(item, dated));
    Some(Weighed {
        weight_of_terms: odds.weight_of_terms(),
        cosine: left.cosine(&right),
        level: odds::level(&left, &right),
        has_no_single_event: odds.genre() > 0.0,
        has_other_months: odds.has_other_months(),
        population: population(&left).zip(population(&right)).map_or(f64::NAN, |(one, other)| one.max(other)),
        probability: probability(odds),
        before_base_rate: probability(odds.without_base_rate()),
    })
}

/// The parts of the log odds of two signatures, for detectors that add evidence of their own: the weight of the terms,
/// the log odds by the terms, the probability by the trees (both NaN if the items have nothing in common), what the
/// days between the two subtract, what the base rate subtracts from articles, and what it and the genre subtract from short items.
pub fn odds_of(left: &[u32], right: &[u32], calibration: Option<&Calibration>) -> [f64; 6] {
    let (Some(one), Some(other)) = (Item::parse(left), Item::parse(right)) else { return [f64::NAN; 6] };
    let odds = Odds::new(&one, &other, calibration::base_rate(calibration, &one, &other));
    let (terms, trees) = agreement::between(left, right).map_or((f64::NAN, f64::NAN), |numbers| {
        (odds.with_contradictions(&numbers).of_terms(), trees::likelihood(family(&one, &other), &numbers))
    });
    let (of_articles, of_items) = odds.base_rate();
    [odds.weight_of_terms(), terms, trees, odds.days(), of_articles, of_items + odds.genre()]
}

/// The evidence of two signatures: the cosine of their terms, the mean of their levels, the words of the shorter one,
/// the likelihood by the trees, whether they continue differently after the same beginning, and whether months and days
/// agree. Zeros if one of them is empty.
pub fn evidence_of(left: &[u32], right: &[u32]) -> [f64; 7] {
    let (Some(one), Some(other)) = (Item::parse(left), Item::parse(right)) else { return [0.0; 7] };
    let numbers = agreement::between(left, right);
    [
        one.cosine(&other),
        odds::level(&one, &other),
        f64::from(one.words.min(other.words)),
        numbers.map_or(0.0, |numbers| trees::likelihood(family(&one, &other), &numbers)),
        numbers.map_or(0.0, |numbers| numbers[numbers::REST_APART]),
        odds::agreement(one.calendar & MONTHS, other.calendar & MONTHS),
        odds::agreement(one.calendar & DAYS, other.calendar & DAYS),
    ]
}

struct EventComparer<'a> {
    event: &'a Event,
    left: Vec<u32>,
    terms: TermTable,
    agreement: Agreement,
    /// Whether `agreement` has the left item: most articles are related to none, and need only their terms.
    has_agreement: bool,
}

impl Comparer for EventComparer<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.has_agreement = false;
        if !left.is_empty() {
            self.terms.load(Item::read(left).terms);
        }
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if self.left == right {
            return Overlap::related(1.0, 1.0, Kind::SameEvent, 1.0);
        }
        if self.left.is_empty() || right.is_empty() {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        if item::days_apart(&self.left, right).is_some_and(|days| days > self.event.days) {
            return Overlap::apart(0.0, 0.0, Why::Facts);
        }
        let (one, other) = (Item::read(&self.left), Item::read(right));
        let base_rate = calibration::base_rate(self.event.calibration.as_deref(), &one, &other);
        let odds = Odds::with_cosine(&one, &other, one.cosine_by(&self.terms, &other), base_rate);
        // for articles, the agreement is computed only if the terms alone reach the threshold
        if !odds.asks_trees() && odds.likelihood(0.0) < self.event.threshold {
            let share = odds.likelihood(0.0);
            return Overlap::apart(share, share, Why::Apart);
        }
        if !mem::replace(&mut self.has_agreement, true) {
            self.agreement.load(&one);
        }
        if !self.agreement.meet(&one, &other) {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        let (numbers, trees) = match odds.asks_trees() {
            true => {
                let numbers = self.agreement.measure(&one, &other);
                (numbers, trees::likelihood(family(&one, &other), &numbers))
            }
            false => (self.agreement.contradictions_of_articles(&one, &other), 0.0),
        };
        let share = odds.with_contradictions(&numbers).likelihood(trees);
        if share >= self.event.threshold {
            Overlap::related(share, share, Kind::SameEvent, share)
        } else {
            Overlap::apart(share, share, Why::Apart)
        }
    }
}
