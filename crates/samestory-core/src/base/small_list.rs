//! A list that is mostly of one: it costs no room of its own until there are two.

use std::slice;

pub enum Few<T> {
    One(T),
    More(Vec<T>),
}

impl<T: Copy + Ord> Few<T> {
    pub fn as_slice(&self) -> &[T] {
        match self {
            Few::One(only) => slice::from_ref(only),
            Few::More(all) => all,
        }
    }

    /// Puts a value at a place.
    pub fn insert(&mut self, at: usize, value: T) {
        match self {
            Few::One(only) => {
                let mut both = vec![*only];
                both.insert(at, value);
                *self = Few::More(both);
            }
            Few::More(all) => all.insert(at, value),
        }
    }

    /// Takes out the value at a place.
    pub fn remove(&mut self, at: usize) {
        match self {
            Few::One(_) => *self = Few::More(vec![]),
            Few::More(all) => {
                all.remove(at);
            }
        }
    }

    /// Every value as another, or gone.
    pub fn change(&mut self, to: impl Fn(T) -> Option<T>) {
        let left: Vec<T> = self.as_slice().iter().filter_map(|&value| to(value)).collect();
        *self = match left[..] {
            [only] => Few::One(only),
            _ => Few::More(left),
        };
    }
}
