//! When a relation between two articles of one source is an update: a new version of the article.

use crate::base::time::NO_TIME;
use crate::detectors::api::{Kind, Overlap, Why};

/// The source of an article (0: unknown) and its time of publication.
pub type SourceAndTime = (u64, i64);

/// From this share on, a later article of the same source is a new version of the earlier one.
pub const UPDATE_SHARE: f64 = 0.5;
/// Microseconds within which a source that publishes the same words with other figures has updated its article; later it
/// has filled in its template again.
pub const MAX_REVISION_TIME: i64 = 12 * 3600 * 1_000_000;

/// Whether two articles with this kind of relation are versions of one article if one source published both.
pub(super) fn is_version(kind: Kind) -> bool {
    matches!(kind, Kind::Near | Kind::PartOf | Kind::HasPart)
}

/// Whether an overlap that is no version may be a revision, if one source published both within hours.
pub(super) fn may_be_revision(overlap: &Overlap) -> bool {
    match overlap.kind {
        Kind::SharesText => overlap.share() >= UPDATE_SHARE,
        Kind::None => overlap.why == Why::Figures,
        _ => false,
    }
}

/// Same known source, known times, mostly the same text.
pub(super) fn is_update(left: SourceAndTime, right: SourceAndTime, forward: f64, backward: f64) -> bool {
    is_one_source(left, right) && (left.1 != right.1 || forward != backward) && forward.max(backward) >= UPDATE_SHARE
}

/// Same known source, and different times at most MAX_REVISION_TIME apart.
pub(super) fn is_revision(left: SourceAndTime, right: SourceAndTime) -> bool {
    is_one_source(left, right) && left.1 != right.1 && left.1.abs_diff(right.1) <= MAX_REVISION_TIME as u64
}

/// Same known source, and known times.
fn is_one_source(left: SourceAndTime, right: SourceAndTime) -> bool {
    left.0 != 0 && left.0 == right.0 && left.1 != NO_TIME && right.1 != NO_TIME
}
