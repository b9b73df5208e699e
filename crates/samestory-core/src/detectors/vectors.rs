//! Signatures, keys and cosines for detectors that represent an article as a vector of its terms, each weighted by its
//! frequency in the article and its rarity (tf-idf).
//!
//! Layout of a signature: the square of the length, the relative lengths of the heaviest terms, then the terms, the
//! rarest first, then their weights.

use super::lookup::Lookup;
use super::sets;
use super::vocabulary::{Entry, Vocabulary};

/// The share of the least cosine that the terms that are no keys may reach alone. A larger share means fewer keys; a
/// smaller one, more shared keys required for a comparison. This value is about the fastest on news.
const REST: f64 = 0.6;
/// How many lengths of the heaviest terms are stored: of the first two, four, six and so on.
const NOTED: usize = 16;
const STEP: usize = 2;
/// Numbers in front of the terms.
const HEAD: usize = 2 + NOTED;

/// Appends the vector; nothing if no term has any weight.
pub fn write(own: &mut Vocabulary, signature: &mut Vec<u32>) {
    own.terms.retain(|entry| entry.weight() > 0.0);
    if own.terms.is_empty() {
        return;
    }
    Vocabulary::rarest_first(&mut own.terms);
    let weights = || own.terms.iter().map(|entry| entry.weight() as f32);
    let square = weights().fold(0.0, |sum, weight| sum + f64::from(weight) * f64::from(weight)).to_bits();
    signature.extend([square as u32, (square >> 32) as u32]);
    let mut heaviest: Vec<f32> = weights().collect();
    heaviest.sort_unstable_by(|x, y| y.total_cmp(x));
    let mut sum = 0.0;
    for noted in 0..NOTED {
        let next = heaviest.iter().skip(STEP * noted).take(STEP);
        sum += next.map(|&weight| f64::from(weight) * f64::from(weight)).sum::<f64>();
        signature.push(((sum / f64::from_bits(square)).sqrt() as f32).to_bits());
    }
    signature.extend(own.terms.iter().map(Entry::short));
    signature.extend(weights().map(f32::to_bits));
}

/// Whether a row has the layout of a vector, with lengths that are numbers.
pub fn is_vector(row: &[u32]) -> bool {
    let is_weight = |&bits: &u32| weight(bits) >= 0.0 && weight(bits).is_finite();
    row.len() > HEAD && (row.len() - HEAD) % 2 == 0 && {
        let Vector { square, weights, .. } = Vector::read(row);
        square >= 0.0 && square.is_finite() && weights.iter().all(is_weight)
    }
}

#[derive(Clone, Copy)]
struct Vector<'a> {
    square: f64,
    terms: &'a [u32],
    weights: &'a [u32],
}

impl<'a> Vector<'a> {
    fn read(signature: &'a [u32]) -> Self {
        let (head, rest) = signature.split_at(HEAD);
        let (terms, weights) = rest.split_at(rest.len() / 2);
        Vector { square: f64::from_bits(u64::from(head[0]) | u64::from(head[1]) << 32), terms, weights }
    }
}

fn weight(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

/// Appends the rarest terms as keys, until the length of the rest is less than `REST * least` of the vector's.
pub fn keys(signature: &[u32], least: f64, keys: &mut Vec<u64>) {
    if signature.is_empty() {
        return;
    }
    let Vector { square, terms, weights } = Vector::read(signature);
    // rounding must not drop a key
    let needed = (REST * least).powi(2) * square * (1.0 - 1e-9);
    let (mut rest, mut count) = (0.0, terms.len());
    for &bits in weights.iter().rev() {
        rest += weight(bits) * weight(bits);
        if rest >= needed {
            break;
        }
        count -= 1;
    }
    sets::keys(&terms[..count.max(1)], keys);
}

/// Whether the cosine of two vectors that share `shared` keys can be `least`.
///
/// Let x be the vector whose keys end first, in the order of rarity. A common term that is not a key of both is in the
/// rest of x, and all of these together add less than `REST * least` to the cosine. The shared keys add at most the
/// product of the lengths of as many of the heaviest terms of x and of y.
pub fn can_reach(left: &[u32], right: &[u32], shared: usize, least: f64) -> bool {
    let at = shared.saturating_sub(1) / STEP;
    let heaviest = |signature: &[u32]| signature[2..HEAD].get(at).map_or(1.0, |&bits| weight(bits));
    heaviest(left) * heaviest(right) >= (1.0 - REST) * least - 1e-6
}

/// One vector, to be compared with many.
#[derive(Default)]
pub struct Loaded {
    own: Vec<u32>,
    lookup: Lookup,
}

impl Loaded {
    pub fn load(&mut self, signature: &[u32]) {
        self.own.clear();
        self.own.extend_from_slice(signature);
        if !signature.is_empty() {
            self.lookup.load(Vector::read(signature).terms);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// The cosine of the angle to another vector; neither must be empty.
    pub fn cosine(&mut self, signature: &[u32]) -> f64 {
        if self.own == signature {
            return 1.0;
        }
        let (own, other) = (Vector::read(&self.own), Vector::read(signature));
        let mut product = 0.0;
        self.lookup.matches(other.terms, |here, there| {
            product += weight(own.weights[here]) * weight(other.weights[there]);
        });
        let share = product / (own.square * other.square).sqrt();
        if share.is_nan() {
            return 0.0; // of damaged numbers
        }
        share.clamp(0.0, 1.0)
    }
}
