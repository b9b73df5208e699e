//! What a comparison of two texts means for two articles: the days between them, updates (updates.rs), and the direction
//! in which a relation is reported. These rules are written here only.

use crate::base::time::{days_between, NO_TIME};
use crate::detectors::api::{DayRule, Kind, Overlap, Why};
use crate::engine::updates::{is_revision, is_update, is_version, may_be_revision, SourceAndTime};

/// What distinguishes articles with equal signatures: nothing, unless the days between them count.
pub fn distinguishing(rule: Option<&dyn DayRule>, about: SourceAndTime) -> SourceAndTime {
    match rule {
        Some(_) => about,
        None => (0, NO_TIME),
    }
}

/// An overlap, given the days between two articles, by the rule of a detector, if it has one.
pub fn at_days(rule: Option<&dyn DayRule>, overlap: Overlap, left: i64, right: i64) -> Overlap {
    match rule.zip(days_between(left, right)) {
        Some((rule, days)) => rule.adjust(overlap, days),
        None => overlap,
    }
}

/// The overlap of two articles of these sources and times, given that of their texts: the days between them are evidence,
/// and a new version of a source's own article is an update.
pub fn dated(rule: Option<&dyn DayRule>, overlap: Overlap, left: SourceAndTime, right: SourceAndTime) -> Overlap {
    let overlap = at_days(rule, overlap, left.1, right.1);
    let is_update = is_version(overlap.kind) && is_update(left, right, overlap.forward, overlap.backward)
        || may_be_revision(&overlap) && is_revision(left, right);
    match is_update {
        true => Overlap { kind: Kind::Update, why: Why::Related, ..overlap },
        false => overlap,
    }
}

/// Whether articles of these texts are unrelated whatever their dates and sources.
pub fn is_unrelated(overlap: &Overlap) -> bool {
    overlap.kind == Kind::None && overlap.score == 0.0
}

/// Whether `dated` may change an overlap.
pub fn depends_on_dates(rule: Option<&dyn DayRule>, overlap: &Overlap) -> bool {
    rule.is_some() || is_version(overlap.kind) || may_be_revision(overlap)
}

/// Whether a relation is reported from its right side: a part before its container, and a new version before the old one.
/// Of two versions of the same time, since they have days without times, the longer one is the newer.
pub fn is_reversed(overlap: &Overlap, left: i64, right: i64) -> bool {
    match overlap.kind {
        Kind::HasPart => true,
        Kind::Update => match left.cmp(&right) {
            std::cmp::Ordering::Equal => overlap.forward > overlap.backward,
            order => order.is_lt(),
        },
        _ => false,
    }
}
