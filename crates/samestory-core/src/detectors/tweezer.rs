//! Tweezer: one SHA-1 over all names with the words around them.
//!
//! A signature is the digest, then whether the article has no names.

use sha1::{Digest, Sha1};

use super::api::{Article, Comparer, Detector, Kind, Part, Wants};
use super::entity_shingles::EntityShingles;
use super::equal;
use super::parameters::{Missing, Parameters};

/// Words in a digest.
const DIGEST: usize = 5;

#[derive(Clone, Debug)]
pub struct Tweezer {
    shingles: EntityShingles,
}

impl Tweezer {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Tweezer { shingles: EntityShingles::from_parameters(parameters)? })
    }
}

impl Detector for Tweezer {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let shingles = self.shingles.shingles(article);
        let mut sorted: Vec<&str> = shingles.texts().collect();
        if sorted.is_empty() {
            return;
        }
        sorted.sort_unstable();
        sorted.dedup();
        let mut hasher = Sha1::new();
        for (at, shingle) in sorted.iter().enumerate() {
            if at > 0 {
                hasher.update(b"\n");
            }
            hasher.update(shingle.as_bytes());
        }
        let digest: [u8; 20] = hasher.finalize().into();
        signature.extend(digest.chunks_exact(4).map(|c| u32::from_be_bytes(c.try_into().expect("four bytes"))));
        signature.push(u32::from(shingles.nameless));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.len() == DIGEST + 1 && signature[DIGEST] <= 1
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.shingles.parts(article)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        equal::keys(signature, keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        equal::comparer(Kind::Near)
    }
}
