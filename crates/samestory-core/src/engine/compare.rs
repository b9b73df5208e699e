//! What a comparison of two texts means for two articles: direction, days between them, and updates. The only place where
//! these rules are written.

use crate::base::time::{days_between, NO_TIME};
use crate::detectors::api::{Detector, Kind, Overlap, Why};
use crate::model::relation::Relation;

/// From this share on, a later article of the same source is a new version of the earlier one.
pub const UPDATE_SHARE: f64 = 0.5;
/// A source that prints the same words with other figures so soon has updated its article; later it has filled in its
/// template again. In microseconds.
pub const UPDATE_SPAN: i64 = 12 * 3600 * 1_000_000;

/// Is a relation read from its other side?
pub fn turns(relation: &Relation, published: impl Fn(u32) -> i64) -> bool {
    match relation.overlap.kind {
        Kind::HasPart => true,
        Kind::Update => match published(relation.left).cmp(&published(relation.right)) {
            std::cmp::Ordering::Equal => relation.overlap.forward > relation.overlap.backward,
            order => order.is_lt(),
        },
        _ => false,
    }
}

/// The source of an article (0: unknown) and when it was published.
pub type About = (u64, i64);

/// What decides, beside its text, how an article is related to others.
pub fn standing(detector: Option<&dyn Detector>, about: About) -> About {
    match detector.is_some_and(|detector| detector.weighs_days()) {
        true => about,
        false => (0, NO_TIME),
    }
}

/// What a comparison of their texts means for two articles of these sources and times: days between them are evidence,
/// and a new version of a source's own article is an update. Without a detector days weigh nothing.
pub fn dated(detector: Option<&dyn Detector>, overlap: Overlap, left: About, right: About) -> Overlap {
    let overlap = match detector.zip(days_between(left.1, right.1)) {
        Some((detector, days)) => detector.at_days(overlap, days),
        None => overlap,
    };
    let is_update = match overlap.kind {
        Kind::Near | Kind::PartOf | Kind::HasPart => is_update(left, right, overlap.forward, overlap.backward),
        // what one source prints twice within hours it has revised
        Kind::SharesText => overlap.share() >= UPDATE_SHARE && is_revision(left, right),
        Kind::None => overlap.why == Why::Figures && is_revision(left, right),
        _ => false,
    };
    match is_update {
        true => Overlap { kind: Kind::Update, why: Why::Related, ..overlap },
        false => overlap,
    }
}

/// Same known source, known times, mostly the same text. Where the times are equal, since they are days without a time,
/// the longer text is the newer one.
pub fn is_update(left: About, right: About, forward: f64, backward: f64) -> bool {
    left.0 != 0
        && left.0 == right.0
        && left.1 != NO_TIME
        && right.1 != NO_TIME
        && (left.1 != right.1 || forward != backward)
        && forward.max(backward) >= UPDATE_SHARE
}

/// Same known source, and different times at most UPDATE_SPAN apart.
pub fn is_revision(left: About, right: About) -> bool {
    left.0 != 0
        && left.0 == right.0
        && left.1 != NO_TIME
        && right.1 != NO_TIME
        && left.1 != right.1
        && left.1.abs_diff(right.1) <= UPDATE_SPAN as u64
}
