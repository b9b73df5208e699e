//! Vectors whose entries are removed and reused.

/// Stores a value in a free place, or behind all others, and returns its place.
pub fn store<T>(values: &mut Vec<T>, free: &mut Vec<u32>, value: T) -> u32 {
    match free.pop() {
        Some(place) => {
            values[place as usize] = value;
            place
        }
        None => {
            values.push(value);
            values.len() as u32 - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_places_are_reused_before_new_ones() {
        let (mut values, mut free) = (vec!['a', 'b'], vec![0]);
        assert_eq!(store(&mut values, &mut free, 'c'), 0);
        assert_eq!(store(&mut values, &mut free, 'd'), 2);
        assert_eq!((values, free), (vec!['c', 'b', 'd'], vec![]));
    }
}
