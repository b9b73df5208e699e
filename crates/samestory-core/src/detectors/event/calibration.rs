//! Calibration of `event` on a collection, per language: how similar unrelated articles are, and how many there are.
//!
//! ```text
//! level        of an article: the 0.9 quantile of its cosines with up to 200 articles of the collection
//! population   articles that one article could be paired with: those inside the window of days, or all without dates
//! neighbours   share of short items that are similar to another item without being its copy
//! ```
//!
//! Everything is measured on a sample: the articles with the smallest id hashes. The order of the articles does not matter,
//! and batch runs, indexes, archives and Spark reach the same decisions from the same calibration. Without one, the usual
//! level of judged collections is assumed, and no base rate.

use std::sync::Arc;

use super::item::{self, Item};
use super::{terms, Event};
use crate::detectors::{Detector, Sample};
use crate::hash::Hashed;

/// Size of the reference sample of a language. With fewer articles there is no level.
const MAX_REFERENCES: usize = 200;
const MIN_REFERENCES: usize = 50;
const LEVEL_QUANTILE: f64 = 0.9;
/// Level without a reference sample: the mean over whole articles of judged collections.
pub const DEFAULT_LEVEL: f64 = 0.085;
/// How many short items the share of neighbours is measured on.
const MAX_PROBES: usize = 1000;
/// With how many articles a probe is compared: of items from one template all share keys.
const MAX_COMPARISONS: u32 = 300;
/// Probability, before the base rate, of a pair of neighbours; a pair above the range is a copy.
const NEIGHBOUR_PROBABILITY: std::ops::Range<f64> = 0.88..0.98;
/// Rate of neighbours among unrelated pairs: 15,000 short items of one paper and twelve years, pairs of different months.
const CHANCE_NEIGHBOURS: f64 = 5e-7;
const MIN_NEIGHBOURS: f64 = 0.005;
/// Population and neighbours of the judged collections of headlines, on which the trees were learned.
const JUDGED_ITEMS: f64 = 6000.0;
const JUDGED_NEIGHBOURS: f64 = 0.22;
/// Population of the judged collections of whole articles, and the weight of ln(population) beyond it: on a wire of 17,245
/// undated articles it keeps the articles that are dropped for one of another month under a tenth.
const JUDGED_ARTICLES: f64 = 1000.0;
const POPULATION_WEIGHT: f64 = 0.75;
const FORMAT_VERSION: u32 = 1;

/// Inverted index of the reference sample: term hash to (article, normalised weight).
#[derive(Debug, Default)]
struct References {
    terms: Hashed<Vec<(u16, f32)>>,
    articles: usize,
}

impl References {
    fn of(rows: &[Vec<u32>]) -> Self {
        let mut terms = Hashed::<Vec<(u16, f32)>>::default();
        for (at, row) in rows.iter().enumerate() {
            let length = row.iter().map(|&term| terms::weight(term).powi(2)).sum::<f32>().sqrt().max(1.0);
            for &term in row {
                terms.entry(terms::hash_of(term).into()).or_default().push((at as u16, terms::weight(term) / length));
            }
        }
        References { terms, articles: rows.len() }
    }

    fn level(&self, terms: &[u32]) -> f32 {
        let (mut cosines, mut square) = ([0f32; MAX_REFERENCES], 0.0);
        for &term in terms {
            let weight = terms::weight(term);
            square += weight * weight;
            for &(at, other) in self.terms.get(&terms::hash_of(term).into()).into_iter().flatten() {
                cosines[usize::from(at)] += weight * other;
            }
        }
        let cosines = &mut cosines[..self.articles];
        let place = (LEVEL_QUANTILE * (cosines.len() - 1) as f64).round() as usize;
        let (_, level, _) = cosines.select_nth_unstable_by(place, f32::total_cmp);
        *level / square.sqrt().max(1.0)
    }
}

/// The calibration of one language.
#[derive(Debug)]
struct Language {
    hash: u32,
    population: f32,
    neighbours: f32,
    reference_terms: Vec<Vec<u32>>,
    references: References,
}

impl Language {
    fn of(hash: u32, population: f32, neighbours: f32, reference_terms: Vec<Vec<u32>>) -> Self {
        let references = if reference_terms.len() < MIN_REFERENCES {
            References::default()
        } else {
            References::of(&reference_terms)
        };
        Language { hash, population, neighbours, reference_terms, references }
    }

    /// What the base rate subtracts from the log odds of two articles, and of two short items.
    fn base_rate(&self) -> (f64, f64) {
        let (population, neighbours) = (f64::from(self.population), f64::from(self.neighbours));
        let articles = POPULATION_WEIGHT * (population / JUDGED_ARTICLES).ln();
        let items = population / JUDGED_ITEMS * JUDGED_NEIGHBOURS / neighbours;
        (articles.max(0.0), items.ln().max(0.0))
    }
}

/// The calibration of a detector on one collection.
#[derive(Debug, Default)]
pub struct Calibration {
    languages: Vec<Language>,
}

impl Calibration {
    /// Calibrates a detector on a sample.
    pub fn of(event: &Event, sample: &Sample) -> Self {
        let event = &Event { calibration: None, ..event.clone() };
        let mut by_language: Hashed<Vec<&[u32]>> = Hashed::default();
        for &signature in sample.signatures.iter().filter(|signature| !signature.is_empty()) {
            by_language.entry(item::language_of(signature).into()).or_default().push(signature);
        }
        let scale = sample.total as f32 / sample.signatures.len().max(1) as f32;
        let days = sample.days.map_or(event.days, |days| days.min(event.days));
        let mut languages: Vec<Language> = by_language
            .into_iter()
            .map(|(hash, signatures)| {
                let population = population(&signatures, days) * scale;
                let neighbours = match neighbours(event, &signatures) {
                    Some(share) => {
                        let all = f64::from((share * scale).min(1.0));
                        (all - CHANCE_NEIGHBOURS * f64::from(population)).max(MIN_NEIGHBOURS)
                    }
                    None => JUDGED_NEIGHBOURS,
                };
                let references = signatures.iter().take(MAX_REFERENCES);
                let reference_terms = references.map(|signature| Item::read(signature).terms.to_vec()).collect();
                Language::of(hash as u32, population, neighbours as f32, reference_terms)
            })
            .collect();
        languages.sort_unstable_by_key(|language| language.hash);
        Calibration { languages }
    }

    fn language(&self, hash: u32) -> Option<&Language> {
        self.languages.binary_search_by_key(&hash, |language| language.hash).ok().map(|at| &self.languages[at])
    }

    /// The level of an article; NaN if its language has no reference sample.
    pub fn level(&self, item: &Item) -> f32 {
        let known = self.language(item.language).filter(|language| language.references.articles > 0);
        known.map_or(f32::NAN, |language| language.references.level(item.terms))
    }

    /// What the base rate subtracts from the log odds of a pair: as articles, and as short items.
    pub fn base_rate(&self, left: &Item, right: &Item) -> (f64, f64) {
        let known = |item: &Item| self.language(item.language).map_or((0.0, 0.0), Language::base_rate);
        let (one, other) = (known(left), known(right));
        ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0)
    }

    /// How many articles of its language an item could be paired with, if that was measured.
    pub fn population(&self, item: &Item) -> Option<f64> {
        self.language(item.language).map(|language| f64::from(language.population))
    }

    pub fn knows(&self, item: &Item) -> bool {
        self.language(item.language).is_some()
    }

    /// The smallest value that the base rate subtracts from the log odds of two articles of known languages.
    pub fn min_base_rate(&self) -> f64 {
        self.languages.iter().map(|language| language.base_rate().0).reduce(f64::min).unwrap_or(0.0)
    }

    pub fn write(&self) -> Vec<u8> {
        let mut words = vec![FORMAT_VERSION, self.languages.len() as u32];
        for language in &self.languages {
            words.extend([language.hash, language.population.to_bits(), language.neighbours.to_bits()]);
            words.push(language.reference_terms.len() as u32);
            for row in &language.reference_terms {
                words.push(row.len() as u32);
                words.extend(row);
            }
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Parses the bytes of `write`; None for any other bytes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut words = bytes.chunks(4).map(|four| four.try_into().map(u32::from_le_bytes).ok());
        let mut next = || words.next().flatten();
        if next()? != FORMAT_VERSION {
            return None;
        }
        let mut languages = vec![];
        for _ in 0..next()? {
            let (hash, population, neighbours) = (next()?, f32::from_bits(next()?), f32::from_bits(next()?));
            let count = next()? as usize;
            if count > MAX_REFERENCES || !(population >= 0.0 && neighbours > 0.0) {
                return None;
            }
            let reference_terms: Option<Vec<Vec<u32>>> = (0..count)
                .map(|_| {
                    let length = next()? as usize;
                    (0..length).map(|_| next()).collect()
                })
                .collect();
            languages.push(Language::of(hash, population, neighbours, reference_terms?));
        }
        languages.windows(2).all(|two| two[0].hash < two[1].hash).then_some(Calibration { languages })
    }
}

/// Mean number of these articles that one of them can be paired with; an undated article pairs with all.
fn population(signatures: &[&[u32]], days: u32) -> f32 {
    let mut known: Vec<u32> = signatures.iter().filter_map(|signature| item::day_of(signature)).collect();
    known.sort_unstable();
    let undated = signatures.len() - known.len();
    let before = |day: u32| known.partition_point(|&other| other < day);
    let near =
        |&day: &u32| undated + before(day.saturating_add(days).saturating_add(1)) - before(day.saturating_sub(days));
    let all: usize = undated * signatures.len() + known.iter().map(near).sum::<usize>();
    all as f32 / signatures.len() as f32
}

/// Share of the short items that have a neighbour among these articles; None if no item is short.
fn neighbours(event: &Event, signatures: &[&[u32]]) -> Option<f32> {
    let mut probes: Hashed<Vec<u32>> = Hashed::default();
    let (mut count, mut keys, mut has) = (0usize, vec![], vec![false; signatures.len()]);
    for (at, signature) in signatures.iter().enumerate() {
        if count < MAX_PROBES && Item::read(signature).is_short() {
            count += 1;
            keys.clear();
            event.keys(signature, &mut keys);
            keys.iter().for_each(|&key| probes.entry(key).or_default().push(at as u32));
        }
    }
    let mut comparer = event.comparer();
    let mut met: Vec<u32> = vec![];
    let mut compared = vec![0u32; signatures.len()];
    for (at, signature) in signatures.iter().enumerate() {
        keys.clear();
        event.keys(signature, &mut keys);
        met.clear();
        met.extend(keys.iter().filter_map(|key| probes.get(key)).flatten().filter(|&&other| other as usize != at));
        if met.is_empty() {
            continue;
        }
        met.sort_unstable();
        met.dedup();
        comparer.load(signature);
        for &other in &met {
            let other = other as usize;
            if !has[other] && compared[other] < MAX_COMPARISONS {
                compared[other] += 1;
                has[other] = NEIGHBOUR_PROBABILITY.contains(&comparer.compare(signatures[other]).share());
            }
        }
    }
    (count > 0).then(|| has.iter().filter(|&&has| has).count() as f32 / count as f32)
}

/// The detector, calibrated on a sample.
pub fn calibrated(event: &Event, sample: &Sample) -> Arc<dyn Detector> {
    Arc::new(Event { calibration: Some(Arc::new(Calibration::of(event, sample))), ..event.clone() })
}
