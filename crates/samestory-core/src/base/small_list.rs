//! A list that mostly has one value: it allocates only from the second value on.

use std::slice;

pub enum SmallList<T> {
    One(T),
    More(Vec<T>),
}

impl<T: Copy + Ord> SmallList<T> {
    pub fn as_slice(&self) -> &[T] {
        match self {
            SmallList::One(only) => slice::from_ref(only),
            SmallList::More(all) => all,
        }
    }

    /// Inserts a value at an index.
    pub fn insert(&mut self, at: usize, value: T) {
        match self {
            SmallList::One(only) => {
                let mut both = vec![*only];
                both.insert(at, value);
                *self = SmallList::More(both);
            }
            SmallList::More(all) => all.insert(at, value),
        }
    }

    /// Removes the value at an index.
    pub fn remove(&mut self, at: usize) {
        match self {
            SmallList::One(_) => *self = SmallList::More(vec![]),
            SmallList::More(all) => {
                all.remove(at);
            }
        }
    }

    /// Replaces every value by `to(value)`, and removes those for which it is None.
    pub fn change(&mut self, to: impl Fn(T) -> Option<T>) {
        let left: Vec<T> = self.as_slice().iter().filter_map(|&value| to(value)).collect();
        *self = match left[..] {
            [only] => SmallList::One(only),
            _ => SmallList::More(left),
        };
    }
}
