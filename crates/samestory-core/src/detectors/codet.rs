//! CoDet: containment of articles, from the word prefixes that their sentences share.
//!
//! Every sentence is a path of words, rarest first. A path and all its prefixes are nodes of the corpus tree; the score
//! of two articles is the sum, over the nodes that both visit, of the product of their visits, times the depth of the
//! node and the weight of its word. Shares are relative to the score of an article with itself.
//!
//! A signature contains the nodes of the article, each as (hash of the path, weight, visits). The keys are the nodes at
//! depth one: articles that share a node share its ancestor at depth one, so nothing is lost. The signature also stores
//! how many of them another article must share to contain it: one common sentence of boilerplate is not enough.

use std::sync::Arc;

use super::api::{Article, Comparer, Detector, Overlap, Part, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::{PairFilter, SummaryFilter};
use super::sets;
use crate::base::hash;
use crate::statistics::term_counts::Weights;
use crate::text::sentences::sentences;
use crate::text::terms::{Preparation, Term};

/// How a word is weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    Idf,
    Tf,
    TfIdf,
}

#[derive(Clone, Debug)]
pub struct CoDet {
    pub threshold: f64,
    pub limit: usize,
    word_sorting: bool,
    depth: usize,
    suffixes: usize,
    power: f64,
    weight: Weight,
    preparation: Preparation,
    weights: Weights,
}

/// A word of a path: its hash and its weight, without the factor of its depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub word: u32,
    pub weight: f32,
}

/// A prepared sentence: the words of its path, and its byte range in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    pub path: Vec<Step>,
    pub start: usize,
    pub end: usize,
}

impl CoDet {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(CoDet {
            threshold: parameters.number("threshold")?,
            limit: parameters.count("limit")?,
            word_sorting: parameters.flag("word_sorting")?,
            depth: match parameters.count("depth")? {
                0 => usize::MAX,
                depth => depth,
            },
            suffixes: parameters.count("suffixes")?,
            power: parameters.number("power")?,
            weight: match parameters.text("weight")? {
                "tf" => Weight::Tf,
                "tfidf" => Weight::TfIdf,
                _ => Weight::Idf,
            },
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }

    /// The gain of a shared node at this depth, for a word of this weight.
    pub fn gain(&self, depth: usize, weight: f32) -> f32 {
        if self.power == 1.0 {
            depth as f32 * weight
        } else {
            (depth as f64).powf(self.power) as f32 * weight
        }
    }

    /// The sentences of an article as paths; those without words are left out.
    pub fn paths(&self, article: &Article) -> Vec<Sentence> {
        let mut terms: Vec<(f64, Term)> = Vec::with_capacity(article.tokens.len());
        self.preparation.terms(article, |term| terms.push((0.0, term)));
        // a loop of look-ups only: the processor overlaps their memory accesses
        terms.iter_mut().for_each(|(weight, term)| *weight = self.weights.idf(term.hash));
        if self.weight != Weight::Idf {
            self.count(&mut terms);
        }
        let mut rest = &mut terms[..];
        let mut out = vec![];
        for (start, end) in sentences(article.text, article.language) {
            let inside = rest.partition_point(|(_, term)| term.start < end);
            let (here, behind) = rest.split_at_mut(inside);
            rest = behind;
            if self.word_sorting {
                self.sort(article, here);
            }
            for skipped in 0..self.suffixes.min(here.len()) {
                let words = here[skipped..].iter().take(self.depth);
                let path = words
                    .map(|(weight, term)| Step { word: (term.hash >> 32) as u32, weight: *weight as f32 })
                    .collect();
                out.push(Sentence { path, start, end });
            }
        }
        out
    }

    /// Multiplies or replaces the weights by the frequency of the words in the article.
    fn count(&self, terms: &mut [(f64, Term)]) {
        let mut counts: hash::Hashed<u32> = hash::Hashed::default();
        for (_, term) in terms.iter() {
            *counts.entry(term.hash).or_insert(0) += 1;
        }
        let all = terms.len() as f64;
        for (weight, term) in terms {
            let tf = f64::from(counts[&term.hash]) / all;
            *weight = if self.weight == Weight::Tf { tf } else { tf * *weight };
        }
    }

    /// Sorts by falling weight, equal weights alphabetically. Words beyond the length of a path stay in any order: a
    /// text without full stops is one sentence of all its words.
    fn sort(&self, article: &Article, terms: &mut [(f64, Term)]) {
        let by_weight = |(x, left): &(f64, Term), (y, right): &(f64, Term)| {
            y.total_cmp(x).then(left.hash.cmp(&right.hash)) // equal words side by side
        };
        let wanted = self.depth.saturating_add(self.suffixes - 1).min(terms.len());
        let terms = first(terms, wanted, by_weight);
        terms.sort_unstable_by(by_weight);
        // most weights are unique in their sentence, and the text of their words is not needed
        let mut words = vec![];
        let mut placed = 0;
        for same in terms.chunk_by_mut(|(x, _), (y, _)| x == y) {
            let missing = wanted.saturating_sub(placed).min(same.len());
            placed += same.len();
            if same.len() == 1 || missing == 0 {
                continue;
            }
            words.clear();
            words.extend(same.iter().map(|(weight, term)| {
                let mut word = String::new();
                self.preparation.write(article, term, &mut word);
                (word, (*weight, *term))
            }));
            if missing < words.len() {
                words.select_nth_unstable_by(missing - 1, |x, y| x.0.cmp(&y.0));
            }
            words[..missing].sort_by(|x, y| x.0.cmp(&y.0));
            for (place, (_, sorted)) in same.iter_mut().zip(&words) {
                *place = *sorted;
            }
        }
    }
}

/// Moves the `wanted` heaviest terms to the front, and all others with the weight of the last of them; returns these.
fn first(
    terms: &mut [(f64, Term)],
    wanted: usize,
    by_weight: impl Fn(&(f64, Term), &(f64, Term)) -> std::cmp::Ordering,
) -> &mut [(f64, Term)] {
    if wanted == terms.len() {
        return terms;
    }
    let least = terms.select_nth_unstable_by(wanted - 1, by_weight).1 .0;
    let mut end = wanted;
    for at in wanted..terms.len() {
        if terms[at].0 == least {
            terms.swap(at, end);
            end += 1;
        }
    }
    &mut terms[..end]
}

/// Numbers of a node in a signature: hash, weight, visits.
const NODE: usize = 3;
/// Numbers before the nodes: the required overlap, and the score of the article with itself.
const HEAD: usize = 4;
/// Marks the visits of a node at depth one.
const FIRST: u32 = 1 << 31;

/// Classes of articles by the most sentences that begin with the same word, and with the same two or more words.
const REPEAT_CLASSES: [(u32, u32); 7] = [(1, 1), (2, 1), (4, 1), (8, 1), (2, 2), (4, 2), (8, 2)];

/// How many first words another article must share with this one to contain it, for every class of the other article;
/// and the class of this one. A byte each.
///
/// Below a shared first word, the other article visits the node at depth one as often as its sentences begin alike, and
/// the deeper nodes as often as they continue alike: an upper bound of the score of every first word.
fn required_overlap(enough: f64, masses: &[(f64, f64)], begin: u32, go_on: u32) -> u64 {
    let mut bytes = [1u8; 8];
    let mut max_scores: Vec<f64> = vec![];
    for (class, byte) in REPEAT_CLASSES.iter().zip(&mut bytes) {
        max_scores.clear();
        max_scores.extend(masses.iter().map(|(first, below)| first * f64::from(class.0) + below * f64::from(class.1)));
        max_scores.sort_unstable_by(|x, y| y.total_cmp(x));
        let mut reached = 0.0;
        let words = max_scores.iter().position(|mass| {
            reached += mass;
            reached > enough
        });
        *byte = words.map_or(u8::MAX, |at| u8::try_from(at + 1).unwrap_or(u8::MAX));
    }
    bytes[7] = REPEAT_CLASSES.iter().position(|&(b, g)| begin <= b && go_on <= g).unwrap_or(REPEAT_CLASSES.len()) as u8;
    u64::from_le_bytes(bytes)
}

impl Detector for CoDet {
    fn parts(&self, article: &Article) -> Vec<Part> {
        let part = |sentence: Sentence| Part {
            span: (sentence.start, sentence.end),
            words: sentence.path.iter().map(|step| (step.word, step.weight)).collect(),
            ..Part::default()
        };
        self.paths(article).into_iter().map(part).collect()
    }

    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut nodes: Vec<(u32, bool, f32)> = Vec::with_capacity(article.tokens.len());
        // for every sentence: its first word, the gain of the node of that word, and the gain of the nodes below
        let mut sentences: Vec<(u32, f64, f64)> = vec![];
        for sentence in self.paths(article) {
            let (mut path, mut mass) = (0u64, (sentence.path[0].word, 0.0, 0.0));
            for (depth, step) in (1..).zip(&sentence.path) {
                path = hash::numbered(path, u64::from(step.word));
                let gain = self.gain(depth, step.weight);
                nodes.push(((path >> 32) as u32, depth == 1, gain));
                *(if depth == 1 { &mut mass.1 } else { &mut mass.2 }) += f64::from(gain);
            }
            sentences.push(mass);
        }
        nodes.sort_unstable_by_key(|&(path, ..)| path);
        let (mut own, mut begin, mut go_on) = (0.0, 0, 0);
        let start = signature.len();
        signature.extend([0; HEAD]);
        for visitors in nodes.chunk_by(|x, y| x.0 == y.0) {
            let (path, first, gain) = visitors[0];
            let visits = visitors.len() as u32;
            own += f64::from(gain) * f64::from(visits) * f64::from(visits);
            if first {
                begin = visits.max(begin);
                signature.extend([path, gain.to_bits(), visits | FIRST]);
            } else {
                go_on = visits.max(go_on);
                signature.extend([path, gain.to_bits(), visits]);
            }
        }
        if own <= 0.0 {
            signature.truncate(start); // no term has any weight
            return;
        }
        sentences.sort_unstable_by_key(|&(word, ..)| word);
        let add = |x: (f64, f64), y: &(u32, f64, f64)| (x.0 + y.1, x.1 + y.2);
        let masses: Vec<(f64, f64)> =
            sentences.chunk_by(|x, y| x.0 == y.0).map(|same| same.iter().fold((0.0, 0.0), add)).collect();
        let needed = required_overlap(self.threshold * own, &masses, begin, go_on);
        for (place, half) in signature[start..].iter_mut().zip([needed, own.to_bits()].iter().flat_map(|&x| halves(x)))
        {
            *place = half;
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        let Some(nodes) = signature.get(HEAD..) else { return signature.is_empty() };
        let is_class = usize::from(whole(signature).to_le_bytes()[7]) <= REPEAT_CLASSES.len();
        let is_sorted = || nodes.chunks_exact(NODE).is_sorted_by(|one, other| one[0] < other[0]);
        is_class && !nodes.is_empty() && nodes.len() % NODE == 0 && is_sorted()
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        let nodes = signature.get(HEAD..).unwrap_or_default().chunks_exact(NODE);
        keys.extend(nodes.filter(|node| node[2] & FIRST != 0).map(|node| hash::numbered(0, node[0].into())));
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let shares_enough = Arc::new(FirstWords);
        CandidatePlan {
            summary_filter: Some(shares_enough.clone()),
            pair_filter: Some(shares_enough),
            ..CandidatePlan::default().with_ceiling(self.limit)
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| {
            if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
                return known;
            }
            let (forward, backward) = shared(&left[HEAD..], &right[HEAD..]);
            // strictly more than the threshold, as in the study
            let enough = |share: f64| share > self.threshold;
            sets::holding((forward / own(left)).min(1.0), (backward / own(right)).min(1.0), enough)
        })
    }
}

/// Admits pairs of which one article shares as many first words with the other as it requires.
struct FirstWords;

impl SummaryFilter for FirstWords {
    /// What the article requires, and its class.
    fn summary(&self, signature: &[u32]) -> u64 {
        signature.get(..2).map_or(0, whole)
    }

    fn may_match(&self, left: u64, right: u64, shared: usize) -> bool {
        let (left, right) = (left.to_le_bytes(), right.to_le_bytes());
        // u8::MAX is a lower bound of the required overlap; an article in no class may contain any other
        let enough = |required: [u8; 8], class: u8| {
            usize::from(class) == REPEAT_CLASSES.len() || shared >= usize::from(required[usize::from(class)])
        };
        enough(left, right[7]) || enough(right, left[7])
    }
}

impl PairFilter for FirstWords {
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, _fewer: usize) -> bool {
        self.may_match(self.summary(left), self.summary(right), shared)
    }
}

fn halves(whole: u64) -> [u32; 2] {
    [whole as u32, (whole >> 32) as u32]
}

fn whole(halves: &[u32]) -> u64 {
    u64::from(halves[0]) | u64::from(halves[1]) << 32
}

/// The score of an article with itself.
fn own(signature: &[u32]) -> f64 {
    f64::from_bits(whole(&signature[2..4]))
}

/// The scores of two articles over the nodes that both visit, with the weights of the left and of the right one.
fn shared(left: &[u32], right: &[u32]) -> (f64, f64) {
    let (mut i, mut j, mut scores) = (0, 0, (0.0, 0.0));
    while i < left.len() && j < right.len() {
        let (x, y) = (left[i], right[j]);
        if x == y {
            let visits = f64::from(left[i + 2] & !FIRST) * f64::from(right[j + 2] & !FIRST);
            scores.0 += visits * f64::from(f32::from_bits(left[i + 1]));
            scores.1 += visits * f64::from(f32::from_bits(right[j + 1]));
        }
        i += if x <= y { NODE } else { 0 };
        j += if y <= x { NODE } else { 0 };
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_wanted_comes_to_the_front() {
        let weights = [1.0, 5.0, 2.0, 3.0, 2.0, 0.5, 2.0, 4.0];
        let front = |wanted: usize| {
            let term = |at: usize| Term { hash: at as u64, start: at, end: at, figure: false };
            let mut terms: Vec<(f64, Term)> = weights.iter().zip(0..).map(|(&weight, at)| (weight, term(at))).collect();
            let found = first(&mut terms, wanted, |x, y| y.0.total_cmp(&x.0).then(x.1.hash.cmp(&y.1.hash)));
            let mut found: Vec<f64> = found.iter().map(|(weight, _)| *weight).collect();
            found.sort_by(|x, y| y.total_cmp(x));
            found
        };
        assert_eq!(front(2), [5.0, 4.0]);
        assert_eq!(front(4), [5.0, 4.0, 3.0, 2.0, 2.0, 2.0], "all that weigh the same: the alphabet decides later");
        assert_eq!(front(8).len(), 8);
    }
}
