//! Calibration of `event` on a collection, per language: how similar unrelated articles are, and how many there are.
//!
//! ```text
//! level        of an article: the 0.9 quantile of its cosines with up to 200 articles of the collection
//! population   articles that one article could be paired with: those inside the window of days, or all without dates
//! neighbours   share of short items that are similar to another item without being its copy
//! partners     share of whole articles that have another one that is clearly the same event
//! frequencies  of words that weigh less than in the language, or of all in a language without a table
//! ```
//!
//! A pair drawn at random is one event with odds of about partners / population. That holds for a part of a collection
//! as for the whole: in a tenth of it an article could be paired with a tenth of the articles, and has a tenth of its
//! partners.
//!
//! Everything is measured on a sample: the articles with the smallest id hashes. The order of the articles does not
//! matter, and batch runs, indexes, archives and Spark reach the same decisions from the same calibration. Without one,
//! the usual level of judged collections is assumed, and no base rate.

use super::agreement;
use super::frequencies::CollectionFrequencies;
use super::item::{self, Item};
use super::odds::{Odds, DEFAULT_LEVEL};
use super::summary::BaseRates;
use super::terms;
use crate::base::hash::{self, Hashed};
use crate::detectors::api::{Detector, Sample};

/// Size of the reference sample of a language. With fewer articles there is no level.
const MAX_REFERENCES: usize = 200;
const MIN_REFERENCES: usize = 50;
const LEVEL_QUANTILE: f64 = 0.9;
/// The most short items, or articles, on which the share of neighbours or partners is measured.
const MAX_PROBES: usize = 1000;
/// The most comparisons of one probe: items from one template all share keys.
const MAX_COMPARISONS: u32 = 300;
/// Probability, before the base rate, of a pair of neighbours; a pair above the range is a copy.
const NEIGHBOUR_PROBABILITY: std::ops::Range<f64> = 0.88..0.98;
/// Rate of neighbours among unrelated pairs: 15,000 short items of one paper and twelve years, pairs of different
/// months.
const CHANCE_NEIGHBOURS: f64 = 5e-7;
const MIN_NEIGHBOURS: f64 = 0.005;
/// Population and neighbours of the judged collections of headlines, on which the trees were learned.
const JUDGED_ITEMS: f64 = 6000.0;
const JUDGED_NEIGHBOURS: f64 = 0.22;
/// Probability by the terms, before the base rate, of a clear pair of articles.
const PARTNER_PROBABILITY: f64 = 0.9;
/// Keys that two articles share at least if they are such a pair: three words make three pairs of words.
const PARTNER_KEYS: usize = 3;
/// Rate of such pairs among unrelated articles: a wire of 17,000 articles, pairs of different months.
const CHANCE_PARTNERS: f64 = 1.2e-6;
const MIN_PARTNERS: f64 = 0.002;
/// Partners by population in the judged collection of whole articles where they are fewest, and the weight of the
/// logarithm of rates below it: on a wire of 17,000 undated articles it keeps the articles that are dropped for one of
/// another month under a tenth.
const JUDGED_PARTNER_RATE: f64 = 1e-4;
const PARTNER_RATE_WEIGHT: f64 = 0.85;
/// Log odds against all pairs of a collection with dates: articles of one window share a topic more often than by
/// chance. Of 120 pairs read by an editor, 25 of 48 that exceeded the threshold by less were one event, and 63 of 72
/// that exceeded it by more.
const WINDOW_TOPICS: f64 = 0.5;
/// The version of stored calibrations, and of those before words were counted.
const FORMAT_VERSION: u32 = 4;
const UNWEIGHED_VERSION: u32 = 3;

/// From this number of articles with a term on, its weights in all of them are stored, with zeros: they are added to the
/// sums without reading article numbers, several at once.
const MIN_DENSE: usize = 12;

/// Weights of one term in the articles of the reference sample.
#[derive(Debug)]
enum Weights {
    Some(Vec<(u16, f32)>),
    OfAll(Box<[f32; MAX_REFERENCES]>),
}

/// Inverted index of the reference sample: term hash to normalised weights.
#[derive(Debug, Default)]
struct References {
    terms: Hashed<Weights>,
    articles: usize,
}

impl References {
    fn from_rows(rows: &[Vec<u32>]) -> Self {
        if rows.len() < MIN_REFERENCES {
            return References::default();
        }
        let mut terms = Hashed::<Vec<(u16, f32)>>::default();
        for (at, row) in rows.iter().enumerate() {
            let length = row.iter().map(|&term| terms::weight(term).powi(2)).sum::<f32>().sqrt().max(1.0);
            for &term in row {
                terms.entry(terms::hash_of(term).into()).or_default().push((at as u16, terms::weight(term) / length));
            }
        }
        let weights = |some: Vec<(u16, f32)>| {
            if some.len() < MIN_DENSE {
                return Weights::Some(some);
            }
            let mut all = Box::new([0.0; MAX_REFERENCES]);
            // a collision of two terms of one article: both weights count
            some.into_iter().for_each(|(at, weight)| all[usize::from(at)] += weight);
            Weights::OfAll(all)
        };
        let terms = terms.into_iter().map(|(term, some)| (hash::numbered(0, term), weights(some))).collect();
        References { terms, articles: rows.len() }
    }

    /// The level of an article; the default without a reference sample.
    fn level(&self, terms: &[u32]) -> f32 {
        if self.articles == 0 {
            return DEFAULT_LEVEL as f32;
        }
        let (mut cosines, mut square) = ([0f32; MAX_REFERENCES], 0.0);
        for &term in terms {
            let weight = terms::weight(term);
            square += weight * weight;
            match self.terms.get(&hash::numbered(0, terms::hash_of(term).into())) {
                Some(Weights::Some(some)) => {
                    some.iter().for_each(|&(at, other)| cosines[usize::from(at)] += weight * other);
                }
                Some(Weights::OfAll(all)) => {
                    cosines.iter_mut().zip(all.iter()).for_each(|(cosine, other)| *cosine += weight * other);
                }
                None => {}
            }
        }
        let cosines = &mut cosines[..self.articles];
        let place = (LEVEL_QUANTILE * (cosines.len() - 1) as f64).round() as usize;
        let (_, level, _) = cosines.select_nth_unstable_by(place, f32::total_cmp);
        *level / square.sqrt().max(1.0)
    }
}

/// What is measured of one language.
#[derive(Clone, Copy, Debug)]
struct Measured {
    population: f32,
    /// Number of articles, all of which an article without a date could be paired with.
    articles: f32,
    neighbours: f32,
    partners: f32,
    /// Whether most articles have dates, and there are enough articles to measure a level.
    has_dates: bool,
}

impl Measured {
    /// The number of articles that one could be paired with; `dated`: both have dates.
    fn population(&self, dated: bool) -> f64 {
        f64::from(if dated { self.population } else { self.articles })
    }

    /// What the base rate subtracts from the log odds of two articles, and of two short items; `dated`: both have
    /// dates.
    fn base_rate(&self, dated: bool) -> (f64, f64) {
        let population = self.population(dated);
        let articles = PARTNER_RATE_WEIGHT * (JUDGED_PARTNER_RATE * population / f64::from(self.partners)).ln();
        let items = population / JUDGED_ITEMS * JUDGED_NEIGHBOURS / f64::from(self.neighbours);
        let topics = if self.has_dates { WINDOW_TOPICS } else { 0.0 };
        (articles.max(0.0) + topics, items.ln().max(0.0) + topics)
    }
}

/// The calibration of one language.
#[derive(Debug)]
struct Language {
    hash: u32,
    measured: Measured,
    /// Of pairs of which one has no date, and of dated pairs: every comparison reads them.
    base_rates: BaseRates,
    reference_terms: Vec<Vec<u32>>,
    references: References,
    frequencies: Option<CollectionFrequencies>,
}

impl Language {
    fn new(
        hash: u32,
        measured: Measured,
        reference_terms: Vec<Vec<u32>>,
        references: References,
        frequencies: Option<CollectionFrequencies>,
    ) -> Self {
        let base_rates = [false, true].map(|dated| measured.base_rate(dated));
        Language { hash, measured, base_rates, reference_terms, references, frequencies }
    }
}

/// The calibration of a detector on one collection.
#[derive(Debug, Default)]
pub struct Calibration {
    languages: Vec<Language>,
}

impl Calibration {
    /// Calibrates `event`, which is not calibrated and compares articles at most `days` apart, on a sample.
    pub fn from_sample(event: &dyn Detector, days: u32, sample: &Sample) -> Self {
        let mut by_language: Hashed<Vec<&[u32]>> = Hashed::default();
        for &signature in sample.signatures.iter().filter(|signature| !signature.is_empty()) {
            by_language.entry(item::language_of(signature).into()).or_default().push(signature);
        }
        let scale = sample.total as f32 / sample.signatures.len().max(1) as f32;
        let days = sample.days.map_or(days, |limit| limit.min(days));
        let mut languages: Vec<Language> = by_language
            .into_iter()
            .map(|(hash, signatures)| {
                let is_counted = signatures.len() >= MIN_REFERENCES;
                let frequencies = is_counted.then(|| CollectionFrequencies::from_signatures(&signatures));
                let weighed = frequencies.as_ref().map(|frequencies| frequencies.weighed(&signatures));
                let signatures = weighed.as_ref().map_or(signatures, |rows| rows.iter().map(Vec::as_slice).collect());
                let rows = signatures.iter().take(MAX_REFERENCES);
                let reference_terms: Vec<_> = rows.map(|signature| Item::read(signature).terms.to_vec()).collect();
                let references = References::from_rows(&reference_terms);
                let population = population(&signatures, days) * scale;
                let chance = |rate: f64| rate * f64::from(population);
                let neighbours = match neighbours(event, &signatures) {
                    Some(share) => {
                        let all = f64::from((share * scale).min(1.0));
                        (all - chance(CHANCE_NEIGHBOURS)).max(MIN_NEIGHBOURS)
                    }
                    None => JUDGED_NEIGHBOURS,
                };
                let all = f64::from((partners(event, &signatures, &references, days) * scale).min(1.0));
                let partners = (all - chance(CHANCE_PARTNERS)).max(MIN_PARTNERS);
                let (hash, neighbours, partners) = (hash as u32, neighbours as f32, partners as f32);
                let articles = signatures.len() as f32 * scale;
                let dated = signatures.iter().filter(|signature| item::day_of(signature).is_some()).count();
                let has_dates = signatures.len() >= MIN_REFERENCES && 2 * dated > signatures.len();
                let measured = Measured { population, articles, neighbours, partners, has_dates };
                Language::new(hash, measured, reference_terms, references, frequencies)
            })
            .collect();
        languages.sort_unstable_by_key(|language| language.hash);
        Calibration { languages }
    }

    fn language(&self, hash: u32) -> Option<&Language> {
        self.languages.binary_search_by_key(&hash, |language| language.hash).ok().map(|at| &self.languages[at])
    }

    /// Weighs the words of a signature, which is not empty, by the collection, if the words of its language were counted;
    /// otherwise it keeps its weights.
    pub fn weigh(&self, signature: &mut [u32]) {
        let language = self.language(item::language_of(signature));
        if let Some(Language { frequencies: Some(frequencies), .. }) = language {
            frequencies.weigh(signature);
        }
    }

    /// The level of an article; NaN if its language has no reference sample.
    pub fn level(&self, item: &Item) -> f32 {
        let measured = self.language(item.language).filter(|language| language.references.articles > 0);
        measured.map_or(f32::NAN, |language| language.references.level(item.terms))
    }

    /// What the base rate subtracts from the log odds of a pair: as articles, and as short items.
    fn base_rate(&self, left: &Item, right: &Item) -> (f64, f64) {
        let dated = left.day.is_some() && right.day.is_some();
        let rates = |item: &Item| {
            self.language(item.language).map_or((0.0, 0.0), |language| language.base_rates[usize::from(dated)])
        };
        let (one, other) = (rates(left), rates(right));
        ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0)
    }

    /// The number of articles of its language that an item could be paired with, if measured.
    pub fn population(&self, item: &Item, dated: bool) -> Option<f64> {
        Some(self.language(item.language)?.measured.population(dated))
    }

    pub fn knows(&self, item: &Item) -> bool {
        self.language(item.language).is_some()
    }

    /// The smallest values that the base rate subtracts from the log odds of two articles of known languages.
    pub fn min_base_rates(&self) -> BaseRates {
        let smaller = |x: (f64, f64), y: (f64, f64)| (x.0.min(y.0), x.1.min(y.1));
        let of = |dated: usize| self.languages.iter().map(|language| language.base_rates[dated]).reduce(smaller);
        [0, 1].map(|dated| of(dated).unwrap_or_default())
    }

    pub fn write(&self) -> Vec<u8> {
        let mut words = vec![FORMAT_VERSION, self.languages.len() as u32];
        for language in &self.languages {
            let Measured { population, articles, neighbours, partners, has_dates } = language.measured;
            words.push(language.hash);
            words.extend([population, articles, neighbours, partners].map(f32::to_bits));
            words.push(has_dates.into());
            words.push(language.reference_terms.len() as u32);
            for row in &language.reference_terms {
                words.push(row.len() as u32);
                words.extend(row);
            }
            words.push(language.frequencies.is_some().into());
            language.frequencies.iter().for_each(|frequencies| frequencies.write(&mut words));
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Parses the bytes of `write`; None for any other bytes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut words = bytes.chunks(4).map(|four| four.try_into().map(u32::from_le_bytes).ok());
        let mut next = || words.next().flatten();
        let version = next()?;
        if !(UNWEIGHED_VERSION..=FORMAT_VERSION).contains(&version) {
            return None;
        }
        let mut languages = vec![];
        for _ in 0..next()? {
            let (hash, population, articles) = (next()?, f32::from_bits(next()?), f32::from_bits(next()?));
            let (neighbours, partners) = (f32::from_bits(next()?), f32::from_bits(next()?));
            let (has_dates, count) = (next()? != 0, next()? as usize);
            if count > MAX_REFERENCES || !(population >= 0.0 && articles >= 0.0 && neighbours > 0.0 && partners > 0.0) {
                return None;
            }
            let reference_terms: Option<Vec<Vec<u32>>> = (0..count)
                .map(|_| {
                    let length = next()? as usize;
                    (0..length).map(|_| next()).collect()
                })
                .collect();
            let reference_terms = reference_terms?;
            let references = References::from_rows(&reference_terms);
            let measured = Measured { population, articles, neighbours, partners, has_dates };
            let has_frequencies = version > UNWEIGHED_VERSION && next()? != 0;
            let frequencies = if has_frequencies { Some(CollectionFrequencies::read(&mut next)?) } else { None };
            languages.push(Language::new(hash, measured, reference_terms, references, frequencies));
        }
        languages.windows(2).all(|two| two[0].hash < two[1].hash).then_some(Calibration { languages })
    }
}

/// Mean number of these articles that one of them can be paired with; an undated article pairs with all.
fn population(signatures: &[&[u32]], days: u32) -> f32 {
    let mut dates: Vec<u32> = signatures.iter().filter_map(|signature| item::day_of(signature)).collect();
    dates.sort_unstable();
    let undated = signatures.len() - dates.len();
    let before = |day: u32| dates.partition_point(|&other| other < day);
    let near =
        |&day: &u32| undated + before(day.saturating_add(days).saturating_add(1)) - before(day.saturating_sub(days));
    let all: usize = undated * signatures.len() + dates.iter().map(near).sum::<usize>();
    all as f32 / signatures.len() as f32
}

/// Up to `MAX_PROBES` articles of a sample, to be compared with all of them.
struct Probes<'a> {
    event: &'a dyn Detector,
    signatures: &'a [&'a [u32]],
    by_key: Hashed<Vec<u32>>,
    count: usize,
}

impl<'a> Probes<'a> {
    fn new(event: &'a dyn Detector, signatures: &'a [&'a [u32]], is_probe: impl Fn(&Item) -> bool) -> Self {
        let (mut by_key, mut keys) = (Hashed::<Vec<u32>>::default(), vec![]);
        let some = signatures.iter().enumerate().filter(|(_, signature)| is_probe(&Item::read(signature)));
        let mut count = 0;
        for (at, signature) in some.take(MAX_PROBES) {
            count += 1;
            keys.clear();
            event.keys(signature, &mut keys);
            keys.iter().for_each(|&key| by_key.entry(key).or_default().push(at as u32));
        }
        Probes { event, signatures, by_key, count }
    }

    /// Fills `candidates` with the probes that share keys with an article, sorted, once for every shared key.
    fn candidates(&self, at: usize, candidates: &mut Vec<u32>) {
        let mut keys = vec![];
        self.event.keys(self.signatures[at], &mut keys);
        candidates.clear();
        let postings = keys.iter().filter_map(|key| self.by_key.get(key)).flatten();
        candidates.extend(postings.filter(|&&other| other as usize != at));
        candidates.sort_unstable();
    }
}

/// Share of the short items that have a neighbour among these articles; None if no item is short.
fn neighbours(event: &dyn Detector, signatures: &[&[u32]]) -> Option<f32> {
    let probes = Probes::new(event, signatures, |item| item.is_short());
    let mut comparer = event.comparer();
    let (mut candidates, mut has, mut compared) = (vec![], vec![false; signatures.len()], vec![0u32; signatures.len()]);
    for (at, signature) in signatures.iter().enumerate() {
        probes.candidates(at, &mut candidates);
        candidates.dedup();
        if candidates.is_empty() {
            continue;
        }
        comparer.load(signature);
        for &other in &candidates {
            let other = other as usize;
            if !has[other] && compared[other] < MAX_COMPARISONS {
                compared[other] += 1;
                has[other] = NEIGHBOUR_PROBABILITY.contains(&comparer.compare(signatures[other]).share());
            }
        }
    }
    (probes.count > 0).then(|| has.iter().filter(|&&has| has).count() as f32 / probes.count as f32)
}

/// Share of the whole articles that have a clear partner among these. If none has one, half an article counts: a larger
/// sample would have found some.
fn partners(event: &dyn Detector, signatures: &[&[u32]], references: &References, days: u32) -> f32 {
    let probes = Probes::new(event, signatures, |item| !item.is_short());
    let mut items: Vec<Item> = signatures.iter().map(|signature| Item::read(signature)).collect();
    let (mut candidates, mut has) = (vec![], vec![false; items.len()]);
    for at in 0..items.len() {
        if items[at].is_short() {
            continue;
        }
        probes.candidates(at, &mut candidates);
        for same in candidates.chunk_by(|one, other| one == other).filter(|same| same.len() >= PARTNER_KEYS) {
            let other = same[0] as usize;
            let far = item::days_apart(signatures[at], signatures[other]).is_some_and(|apart| apart > days);
            if has[other] || far || signatures[at] == signatures[other] {
                continue;
            }
            for each in [at, other] {
                // measured once, and only for articles that are compared
                items[each].level = items[each].level.or_else(|| Some(references.level(items[each].terms)));
            }
            let odds = Odds::new(&items[at], &items[other], (0.0, 0.0));
            if odds.probability_by_terms() >= PARTNER_PROBABILITY {
                let numbers = agreement::between(signatures[at], signatures[other]);
                let odds = numbers.map(|numbers| odds.with_contradictions(&numbers));
                has[other] = odds.is_some_and(|odds| odds.probability_by_terms() >= PARTNER_PROBABILITY);
            }
        }
    }
    let found = has.iter().filter(|&&has| has).count() as f32;
    found.max(0.5) / probes.count.max(1) as f32
}

/// What the base rate subtracts from the log odds of a pair: as articles, and as short items. Without a calibration
/// nothing.
pub fn base_rate(calibration: Option<&Calibration>, left: &Item, right: &Item) -> (f64, f64) {
    calibration.map_or((0.0, 0.0), |calibration| calibration.base_rate(left, right))
}
