//! Times in microseconds.

/// Marks an unknown time; all other times are microseconds since 1970.
pub const NO_TIME: i64 = i64::MIN;
pub const DAY: i64 = 24 * 3600 * 1_000_000;

/// Calendar days (UTC) between two times; None where one is unknown. Whole days, so that the copies of one day are
/// compared as one.
pub fn days_between(left: i64, right: i64) -> Option<u32> {
    let day = |time: i64| time.div_euclid(DAY);
    (left != NO_TIME && right != NO_TIME).then(|| day(left).abs_diff(day(right)).try_into().unwrap_or(u32::MAX))
}
