//! What a comparison of two texts means for two articles: the days between them, updates, and the direction in which a
//! relation is reported. These rules are written here only.

use crate::base::time::{days_between, NO_TIME};
use crate::detectors::api::{Detector, Kind, Overlap, Why};

/// From this share on, a later article of the same source is a new version of the earlier one.
pub const UPDATE_SHARE: f64 = 0.5;
/// Microseconds within which a source that publishes the same words with other figures has updated its article; later it
/// has filled in its template again.
pub const MAX_REVISION_TIME: i64 = 12 * 3600 * 1_000_000;

/// The source of an article (0: unknown) and its time of publication.
pub type About = (u64, i64);

/// What distinguishes articles with equal signatures: nothing, unless the detector weighs days.
pub fn distinguishing(detector: Option<&dyn Detector>, about: About) -> About {
    match detector.is_some_and(|detector| detector.weighs_days()) {
        true => about,
        false => (0, NO_TIME),
    }
}

/// An overlap, given the days between two articles. Without a detector days weigh nothing.
pub fn at_days(detector: Option<&dyn Detector>, overlap: Overlap, left: i64, right: i64) -> Overlap {
    match detector.zip(days_between(left, right)) {
        Some((detector, days)) => detector.at_days(overlap, days),
        None => overlap,
    }
}

/// The overlap of two articles of these sources and times, given that of their texts: the days between them are evidence,
/// and a new version of a source's own article is an update.
pub fn dated(detector: Option<&dyn Detector>, overlap: Overlap, left: About, right: About) -> Overlap {
    let overlap = at_days(detector, overlap, left.1, right.1);
    let is_update = is_version(overlap.kind) && is_update(left, right, overlap.forward, overlap.backward)
        || may_be_revision(&overlap) && is_revision(left, right);
    match is_update {
        true => Overlap { kind: Kind::Update, why: Why::Related, ..overlap },
        false => overlap,
    }
}

/// A kind of relation between two articles, which is an update if both are of one source; and whether the relation is
/// reported from its right side.
pub fn directed(kind: Kind, left: About, right: About, forward: f64, backward: f64) -> (Kind, bool) {
    let is_update = is_version(kind) && is_update(left, right, forward, backward);
    let kind = if is_update { Kind::Update } else { kind };
    let overlap = Overlap { forward, backward, kind, why: Why::Related, score: 0.0 };
    (kind, is_reversed(&overlap, left.1, right.1))
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

/// Whether two articles with this kind of relation are versions of one article if one source published both.
fn is_version(kind: Kind) -> bool {
    matches!(kind, Kind::Near | Kind::PartOf | Kind::HasPart)
}

/// Whether an overlap that is no version may be a revision, if one source published both within hours.
pub fn may_be_revision(overlap: &Overlap) -> bool {
    match overlap.kind {
        Kind::SharesText => overlap.share() >= UPDATE_SHARE,
        Kind::None => overlap.why == Why::Figures,
        _ => false,
    }
}

/// Same known source, known times, mostly the same text.
fn is_update(left: About, right: About, forward: f64, backward: f64) -> bool {
    is_one_source(left, right) && (left.1 != right.1 || forward != backward) && forward.max(backward) >= UPDATE_SHARE
}

/// Same known source, and different times at most MAX_REVISION_TIME apart.
fn is_revision(left: About, right: About) -> bool {
    is_one_source(left, right) && left.1 != right.1 && left.1.abs_diff(right.1) <= MAX_REVISION_TIME as u64
}

/// Same known source, and known times.
fn is_one_source(left: About, right: About) -> bool {
    left.0 != 0 && left.0 == right.0 && left.1 != NO_TIME && right.1 != NO_TIME
}
