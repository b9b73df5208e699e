//! Relations between duplicate classes that the caller of a live index detected, stored in both directions.

use std::mem;

use crate::base::hash::Hashed;
use crate::engine::duplicate_class::Neighbour;

#[derive(Default)]
pub struct ReportedRelations {
    neighbours: Hashed<Vec<Neighbour>>,
}

impl ReportedRelations {
    pub fn of(&self, class: u32) -> &[Neighbour] {
        self.neighbours.get(&class.into()).map_or(&[], Vec::as_slice)
    }

    /// Of several scores for the same two classes the highest is kept, so that their order does not matter.
    pub fn add(&mut self, class: u32, neighbours: &[Neighbour]) {
        for &new in neighbours.iter().filter(|neighbour| neighbour.to != class) {
            let back = Neighbour { to: class, ..new };
            // both lists have the pair, or neither: the list of a class that thousands name is rarely searched
            let is_known = self.of(class).iter().any(|existing| existing.to == new.to);
            for (from, new) in [(class, new), (new.to, back)] {
                let own = self.neighbours.entry(from.into()).or_default();
                match own.iter_mut().find(|existing| is_known && existing.to == new.to) {
                    Some(existing) => existing.packed_score = existing.packed_score.max(new.packed_score),
                    None => own.push(new),
                }
            }
        }
    }

    pub fn remove(&mut self, class: u32) {
        for neighbour in self.neighbours.remove(&class.into()).unwrap_or_default() {
            if let Some(back) = self.neighbours.get_mut(&neighbour.to.into()) {
                back.retain(|back| back.to != class);
            }
        }
    }

    /// Renumbers the classes; `numbers` are the new numbers by old number.
    pub fn renumber(&mut self, numbers: &[u32]) {
        let new = |class: u32| numbers[class as usize];
        let renumbered = mem::take(&mut self.neighbours).into_iter().map(|(class, mut neighbours)| {
            neighbours.iter_mut().for_each(|neighbour| neighbour.to = new(neighbour.to));
            (new(class as u32).into(), neighbours)
        });
        self.neighbours = renumbered.collect();
    }
}
