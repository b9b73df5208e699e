//! Numbers to steps: a model weighs values, so what can be any number is told by the range it lies in.

use super::super::blocks::Block;

/// In an element: how deep; beside it: how far above it they part.
pub(super) fn apart((apart, above): (u16, u16)) -> u32 {
    if above == 0 {
        u32::from(apart.min(4))
    } else {
        10 + u32::from(above.min(5))
    }
}

/// How long a block is.
pub(super) fn size(tokens: u32) -> u32 {
    const STEPS: [u32; 9] = [1, 2, 3, 6, 10, 15, 25, 50, 100];
    STEPS.iter().filter(|&&step| tokens >= step).count() as u32
}

/// How much of a block is links: nothing, up to a tenth, a third, two thirds, more, all.
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

/// Shares in tenths, with a step of its own for nothing and for hardly anything.
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

/// What kind of character this is.
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
