//! What becomes of a group when articles are taken back: `majority` decides anew about those that are left.

use std::collections::{HashMap, HashSet};

use super::parties::Party;
use super::stream::{Article, Change, Stream, What};
use crate::detectors::{Kind, Overlap};
use crate::engine::cluster::majority;
use crate::engine::postings::live::{Tie, ONE};
use crate::model::group::Decisions;
use crate::model::relation::Relation;

impl Stream {
    /// Looks at what is left of a group, all at once: the part with the oldest article keeps the number. Older is what
    /// was published before, of equals the first id: who comes back from where they were kept come in another order.
    pub(super) fn split(&mut self, place: u32, changes: &mut Vec<Change>) {
        let party = self.parties.get(place);
        if party.lots.len() < 2 {
            return;
        }
        let (members, lots) = (party.members.clone(), party.lots.clone());
        let at: HashMap<u32, u32> = lots.iter().copied().zip(0..).collect();
        let ties = self.inside(place, &lots);
        let part = self.parts(&members, &lots, &at, &ties);
        let mut parts: Vec<Vec<u32>> = vec![];
        let mut number: HashMap<u32, usize> = HashMap::new();
        for &article in &members {
            let own = part[at[&self.articles[article as usize].lot] as usize];
            let next = number.len();
            let place = *number.entry(own).or_insert(next);
            parts.resize_with(number.len(), Vec::new);
            parts[place].push(article);
        }
        let mut parts = self.united(parts);
        // those in which an older article is come first, and members as they came
        let order: HashMap<u32, usize> = members.iter().copied().zip(0..).collect();
        parts.iter_mut().for_each(|part| part.sort_unstable_by_key(|article| order[article]));
        let age = |&article: &u32| {
            let Article { published, ref id, .. } = self.articles[article as usize];
            (published, id.clone())
        };
        parts.sort_by_cached_key(|part| part.iter().map(age).min());
        if parts.len() > 1 {
            self.separate(place, parts, changes);
        }
    }

    /// The ties between the lots of a group, each once.
    pub(super) fn inside(&mut self, place: u32, lots: &[u32]) -> Vec<(u32, Tie)> {
        let mut out = vec![];
        for &lot in lots {
            let ties = self.shelf.related(lot, |there, other| there.party == place && other < lot);
            out.extend(ties.into_iter().map(|tie| (lot, tie)));
        }
        out
    }

    /// The number of the part that every lot of a group belongs to.
    pub(super) fn parts(&self, members: &[u32], lots: &[u32], at: &HashMap<u32, u32>, ties: &[(u32, Tie)]) -> Vec<u32> {
        let mut named: Vec<(&str, u32)> = members
            .iter()
            .map(|&article| {
                let Article { id, lot, .. } = &self.articles[article as usize];
                (&**id, at[lot])
            })
            .collect();
        // of equal offers, those of the first ids come first
        named.sort_unstable();
        let mut seen = HashSet::new();
        let order: Vec<u32> = named.into_iter().map(|(_, lot)| lot).filter(|&lot| seen.insert(lot)).collect();
        let sizes: Vec<u32> = lots.iter().map(|&lot| self.shelf.lots[lot as usize].size()).collect();
        let (mut relations, mut pairs) = (vec![], vec![]);
        for &(lot, tie) in ties {
            let count = self.shelf.all_pairs(lot, tie);
            let score = f64::from(tie.score()) / ONE;
            if count > 0 {
                let overlap = Overlap::related(1.0, 1.0, Kind::Near, score);
                relations.push(Relation { left: at[&lot], right: at[&tie.to], overlap });
                pairs.push(count);
            }
        }
        let mut part = vec![0; lots.len()];
        let apart: Vec<(u32, u32)> =
            self.apart(members).into_iter().map(|(one, other)| (at[&one], at[&other])).collect();
        let groups = majority::group(&order, &relations, &Decisions::new(&[], &apart), &sizes, &pairs);
        for (number, group) in (0..).zip(groups) {
            group.members.iter().for_each(|&lot| part[lot as usize] = number);
        }
        part
    }

    /// Makes groups of the parts of one.
    pub(super) fn separate(&mut self, place: u32, parts: Vec<Vec<u32>>, changes: &mut Vec<Change>) {
        let number = self.parties.get(place).number;
        for (at, members) in parts.into_iter().enumerate() {
            let mut lots: Vec<u32> = members.iter().map(|&article| self.articles[article as usize].lot).collect();
            lots.sort_unstable();
            lots.dedup();
            if at == 0 {
                let size = members.len() as u64;
                *self.parties.get_mut(place) = Party { number, members, lots, size };
                continue;
            }
            let articles = self.ids(&members);
            let part = self.parties.open(members, lots.clone());
            for lot in lots {
                self.shelf.lots[lot as usize].party = part;
            }
            let other = Some(self.parties.get(part).number);
            changes.push(Change { other, ..Change::of(What::Split, number, articles) });
        }
    }
}
