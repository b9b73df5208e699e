//! Discretises numbers: a model has a weight per value, so numbers are mapped to the index of their range.

use super::super::blocks::Block;

/// A position relative to an element. Inside it: the depth; beside it: 10 plus the height of the common ancestor.
pub(super) fn apart((apart, above): (u16, u16)) -> u32 {
    if above == 0 {
        u32::from(apart.min(4))
    } else {
        10 + u32::from(above.min(5))
    }
}

/// The length of a block.
pub(super) fn size(tokens: u32) -> u32 {
    const STEPS: [u32; 9] = [1, 2, 3, 6, 10, 15, 25, 50, 100];
    STEPS.iter().filter(|&&step| tokens >= step).count() as u32
}

/// The share of a block in links: nothing, up to a tenth, a third, two thirds, more, all.
pub(super) fn links(block: &Block) -> u32 {
    match (block.linked, block.tokens) {
        (0, _) => 0,
        (linked, tokens) if linked == tokens => 5,
        (linked, tokens) => match linked as f32 / tokens as f32 {
            share if share <= 0.1 => 1,
            share if share <= 0.33 => 2,
            share if share <= 0.66 => 3,
            _ => 4,
        },
    }
}

/// Shares in tenths, with separate steps for 0 and for less than 2 %.
pub(super) fn tenths(share: f32) -> u32 {
    match share {
        share if share <= 0.0 => 0,
        share if share < 0.02 => 1,
        share => 2 + (share.min(1.0) * 10.0) as u32,
    }
}

/// Probabilities, finer near both ends.
pub(super) fn level(probability: f32) -> u32 {
    const STEPS: [f32; 7] = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98];
    STEPS.iter().filter(|&&step| probability >= step).count() as u32
}

/// Distances, coarser the farther.
pub(super) fn far(distance: usize) -> u32 {
    (usize::BITS - distance.leading_zeros()).min(8)
}

/// The kind of a character.
pub(super) fn kind(letter: Option<char>) -> u32 {
    match letter {
        None => 0,
        Some('.' | '!' | '?' | '…' | '。') => 1,
        Some(':') => 2,
        Some(',' | ';' | '-' | '–' | '—') => 3,
        Some(c) if c.is_uppercase() => 4,
        Some(c) if c.is_lowercase() => 5,
        Some(c) if c.is_numeric() => 6,
        Some(c) if c.is_alphabetic() => 7,
        Some('"' | '“' | '„' | '«' | '‘' | '\'') => 8,
        Some(_) => 9,
    }
}
