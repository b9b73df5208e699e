//! What detectors share that see an article as a vector of its terms, each weighed by how often it stands there and how
//! rare it is, and that measure the cosine of the angle between two.
//!
//! In a signature: the square of the length, then the terms, the rarest first, then their weights.

use super::lookup::Lookup;
use super::sets;
use super::vocabulary::{Entry, Vocabulary};

/// Numbers in front of the terms.
const HEAD: usize = 2;

/// Appends the vector; nothing where no term weighs anything.
pub fn write(own: &mut Vocabulary, signature: &mut Vec<u32>) {
    own.terms.retain(|entry| entry.weight() > 0.0);
    if own.terms.is_empty() {
        return;
    }
    Vocabulary::rarest_first(&mut own.terms);
    let weights = || own.terms.iter().map(|entry| entry.weight() as f32);
    let square = weights().fold(0.0, |sum, weight| sum + f64::from(weight) * f64::from(weight)).to_bits();
    signature.extend([square as u32, (square >> 32) as u32]);
    signature.extend(own.terms.iter().map(Entry::short));
    signature.extend(weights().map(f32::to_bits));
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

/// Files a vector under its rarest terms, as many as are needed to meet every vector with a cosine of `least`.
///
/// Of the terms that two vectors x and y share, let t be the rarest. All of them stand in the part of x from t on, so that
/// their product is at most |that part of x| |y|, and the cosine at most |that part of x| / |x|. If that is `least` or
/// more, t is among the terms before which the rest of x is so long, and those are keys; the same holds for y.
pub fn keys(signature: &[u32], least: f64, keys: &mut Vec<u64>) {
    if signature.is_empty() {
        return;
    }
    let Vector { square, terms, weights } = Vector::read(signature);
    // rounding must not cost a key
    let needed = least * least * square * (1.0 - 1e-9);
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
    pub fn cosine(&self, signature: &[u32]) -> f64 {
        if self.own == signature {
            return 1.0;
        }
        let (own, other) = (Vector::read(&self.own), Vector::read(signature));
        let mut product = 0.0;
        for (&term, &bits) in other.terms.iter().zip(other.weights) {
            if let Some(place) = self.lookup.find(term) {
                product += weight(own.weights[place]) * weight(bits);
            }
        }
        (product / (own.square * other.square).sqrt()).min(1.0)
    }
}
