//! The date of an article in a signature: two 32-bit numbers, the lower half first. Shared by several detectors.

use crate::base::time::NO_TIME;

pub fn write(published: i64, signature: &mut Vec<u32>) {
    signature.extend([published as u32, (published >> 32) as u32]);
}

/// The date at the beginning of a signature, in microseconds; None if it is unknown.
pub fn read(signature: &[u32]) -> Option<i64> {
    let at = i64::from(signature[0]) | i64::from(signature[1] as i32) << 32;
    (at != NO_TIME).then_some(at)
}

/// Whether two dates, in any unit, are at most `reach` apart; an unknown date is compatible with every date.
pub fn within(left: Option<i64>, right: Option<i64>, reach: u64) -> bool {
    left.zip(right).is_none_or(|(left, right)| left.abs_diff(right) <= reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_back() {
        for at in [0, -1, 1, i64::MAX, i64::MIN + 1, 1_700_000_000_000_000, -62_000_000_000_000_000] {
            let mut signature = vec![];
            write(at, &mut signature);
            assert_eq!(read(&signature), Some(at));
        }
        let mut signature = vec![];
        write(NO_TIME, &mut signature);
        assert_eq!(read(&signature), None);
        assert!(within(None, Some(3), 0) && within(Some(-2), Some(3), 5) && !within(Some(-2), Some(3), 4));
    }
}
