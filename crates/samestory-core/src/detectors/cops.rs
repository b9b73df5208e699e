//! COPS: an article as the set of its chunks, each of one or several units (sentences, as a rule); an article that
//! shares many of another one's chunks, or enough of them, is a copy.

use super::api::{Article, Comparer, Detector, Kind, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::Quorum;
use super::sets::{self, Rule};
use crate::base::hash;
use crate::base::sorted::common;
use crate::base::sorted::sorted;
use crate::text::characters::fold;
use crate::text::sentences::sentences;
use crate::text::terms;

/// What an article is broken into.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Sentence,
    Paragraph,
    Word,
    Character,
}

/// How units become chunks.
#[derive(Clone, Copy, Debug)]
enum Chunking {
    /// One unit each.
    Single,
    /// A fixed number of units each, not overlapping.
    Disjoint,
    /// A fixed number of units each, one beginning at every unit.
    Overlapping,
    /// Not overlapping, cut behind every unit whose hash is divisible by the size.
    Variable,
}

#[derive(Clone, Debug)]
pub struct Cops {
    unit: Unit,
    chunking: Chunking,
    size: usize,
    threshold: f64,
    count: usize,
}

impl Cops {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let unit = match parameters.text("unit")? {
            "sentence" => Unit::Sentence,
            "paragraph" => Unit::Paragraph,
            "word" => Unit::Word,
            "character" => Unit::Character,
            _ => return Err("unit".into()),
        };
        let chunking = match parameters.text("chunking")? {
            "single" => Chunking::Single,
            "disjoint" => Chunking::Disjoint,
            "overlapping" => Chunking::Overlapping,
            "variable" => Chunking::Variable,
            _ => return Err("chunking".into()),
        };
        let (size, count) = (parameters.count("size")?, parameters.count("count")?);
        Ok(Cops { unit, chunking, size, threshold: parameters.number("threshold")?, count })
    }

    fn units(&self, article: &Article) -> Vec<u64> {
        match self.unit {
            Unit::Sentence => joined(article, sentences(article.text, article.language).into_iter().map(|span| span.1)),
            Unit::Paragraph => {
                let line_ends = article.text.match_indices(['\n', '\r', '\u{2028}', '\u{2029}']).map(|(at, _)| at);
                joined(article, line_ends.chain([article.text.len()]))
            }
            Unit::Word => article.tokens.iter().map(|token| hash::numbered(0, token.base)).collect(),
            Unit::Character => {
                let mut out = vec![];
                terms::hashed_runs(&terms::letters_and_digits(article), 1, |hash| out.push(hash::numbered(0, hash)));
                out
            }
        }
    }
}

/// The hash of the terms of each part of an article that has any, a blank between them; parts are given by their ends.
fn joined(article: &Article, ends: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut tokens = article.tokens.iter().peekable();
    let (mut unit, mut folded, mut out) = (String::new(), String::new(), vec![]);
    for end in ends {
        unit.clear();
        while let Some(token) = tokens.next_if(|token| token.start < end) {
            if !unit.is_empty() {
                unit.push(' ');
            }
            fold(&article.text[token.start..token.base_end], article.is_turkish(), &mut folded);
            unit.push_str(&folded);
        }
        if !unit.is_empty() {
            out.push(hash::numbered(0, hash::token(unit.as_bytes())));
        }
    }
    out
}

/// Calls `each` with the hash of every chunk, including an incomplete last one.
fn chunks(units: &[u64], chunking: Chunking, size: usize, mut each: impl FnMut(u64)) {
    let values: Vec<u32> = units.iter().map(|unit| (unit >> 32) as u32).collect();
    match chunking {
        Chunking::Single => units.iter().for_each(|&unit| each(unit)),
        Chunking::Disjoint => values.chunks(size).for_each(|chunk| each(hash::sequence(chunk, 0))),
        Chunking::Overlapping => hash::shingles(&values, u32::MAX, size, |_, chunk| each(chunk)),
        Chunking::Variable => {
            let mut rest = &values[..];
            for chunk in units.split_inclusive(|unit| unit % size as u64 == 0) {
                let (values, behind) = rest.split_at(chunk.len());
                each(hash::sequence(values, 0));
                rest = behind;
            }
        }
    }
}

impl Detector for Cops {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut out = vec![];
        chunks(&self.units(article), self.chunking, self.size, |chunk| out.push((chunk >> 32) as u32));
        signature.extend(sorted(out));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let (threshold, count) = (self.threshold, self.count);
        CandidatePlan::with_quorum(Quorum::new(move |fewer| sets::quorum(threshold, fewer).min(count)))
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| {
            let common = common(left, right);
            let found = sets::decide(Rule::Contains, self.threshold, common, left.len(), right.len());
            if common < self.count {
                return found;
            }
            // this many common chunks are a copy whatever their share, and at every threshold
            let kind = if found.kind == Kind::None { Kind::Near } else { found.kind };
            Overlap::related(found.forward, found.backward, kind, 1.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_strategies_of_the_worked_example() {
        // A to F, of which 3 divides B and F
        let units: Vec<u64> = [(1, 1), (2, 0), (3, 1), (4, 1), (5, 1), (6, 0)]
            .map(|(unit, rest): (u64, u64)| (unit << 32) / 3 * 3 + rest)
            .to_vec();
        let values: Vec<u32> = units.iter().map(|unit| (unit >> 32) as u32).collect();
        let of = |chunking| {
            let mut out = vec![];
            chunks(&units, chunking, 3, |chunk| out.push(chunk));
            out
        };
        let apart = |cuts: &[(usize, usize)]| -> Vec<u64> {
            cuts.iter().map(|&(start, end)| hash::sequence(&values[start..end], 0)).collect()
        };
        assert_eq!(of(Chunking::Single), units, "A, B, C, D, E, F");
        assert_eq!(of(Chunking::Disjoint), apart(&[(0, 3), (3, 6)]), "ABC, DEF");
        assert_eq!(of(Chunking::Overlapping).len(), 4, "ABC, BCD, CDE, DEF");
        assert_eq!(of(Chunking::Variable), apart(&[(0, 2), (2, 6)]), "AB, CDEF");
    }
}
