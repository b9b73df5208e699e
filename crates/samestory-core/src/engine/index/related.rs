//! The related articles of a query in all parts of an index.

use std::sync::Arc;

use super::fresh::IndexedArticle;
use super::rows::{RelatedRow, RowQuery, SearchBuffers, Wanted};
use super::Index;
use crate::detectors::{Kind, Overlap};
use crate::engine::compare::{dated, depends_on_dates, is_unrelated};
use crate::engine::duplicate_class::class_hash;
use crate::engine::prepared_query::Query;
use crate::engine::segments::attached::Attached;
use crate::engine::segments::search::FoundClass;
use crate::engine::segments::SegmentResult;
use crate::engine::updates::SourceAndTime;

/// A related article, with its position in the order of insertion.
struct Hit {
    sequence: u64,
    row: RelatedRow,
}

/// What is returned of the articles that one part has of a duplicate class if one copy represents them: the first one, and
/// the first update.
struct ClassHits {
    /// `class_hash` and start; None for a class that has no articles in other parts.
    class: Option<(u64, i64)>,
    first: Hit,
    update: Option<Hit>,
}

impl Index {
    pub(super) fn related(&self, buffers: &mut SearchBuffers, query: RowQuery) -> SegmentResult<Vec<RelatedRow>> {
        let live_index = &self.fresh.live_index;
        let Some(mut prepared) = live_index.prepare(query.query) else {
            return Ok(vec![]);
        };
        let (mut hits, mut classes) = (vec![], vec![]);
        for (class, overlap) in live_index.overlaps(&mut buffers.live, &mut prepared, |_, _| true) {
            if !is_unrelated(&overlap) {
                self.fresh_hits(&query, class, overlap, &mut hits, &mut classes);
            }
        }
        let (time, gap) = (prepared.time(), live_index.max_time_gap());
        buffers.segments.counter.is_sampled = false;
        for attached in self.segments.iter().filter(|attached| attached.is_near(time, gap)) {
            let plan = live_index.plan();
            for found in attached.overlaps(&mut buffers.segments, &*self.detector, plan, &mut prepared, gap)? {
                self.stored_hits(&query, attached, found, &mut hits, &mut classes)?;
            }
        }
        buffers.live.is_sampled |= buffers.segments.counter.is_sampled;
        let classes = if self.segments.is_empty() { classes } else { unite(classes) };
        for ClassHits { first, update, .. } in classes {
            hits.push(first.row);
            hits.extend(update.map(|update| update.row));
        }
        Ok(hits)
    }

    /// The related articles of a class in memory.
    fn fresh_hits(
        &self,
        query: &RowQuery,
        class: u32,
        overlap: Overlap,
        hits: &mut Vec<RelatedRow>,
        classes: &mut Vec<ClassHits>,
    ) {
        let hit = |number: u32| {
            let other = self.fresh.article(number);
            let is_wanted = match query.wanted {
                Wanted::Before(sequence) => other.sequence < sequence,
                Wanted::Another(id) => *other.id != *id,
            };
            let IndexedArticle { id, published, source, sequence, .. } = other;
            let overlap = self.dated(query, overlap, (*source, *published)).filter(|_| is_wanted)?;
            let row = RelatedRow { row: query.row, id: id.clone(), published: *published, source: *source, overlap };
            Some(Hit { sequence: *sequence, row })
        };
        let mut all = self.fresh.members(class).iter().filter_map(|&number| hit(number));
        if query.every {
            return hits.extend(all.map(|hit| hit.row));
        }
        // where one copy represents its class, an update of the source's own article is reported in addition
        let Some(first) = all.next() else { return };
        let update = match first.is_update() {
            true => None,
            false => self.fresh.members_of(class, query.about.0).filter_map(hit).find(Hit::is_update),
        };
        let is_joined = || self.fresh.live_index.is_joined(class);
        let class = (!self.segments.is_empty() && is_joined()).then(|| {
            let Query { signature, start } = self.fresh.live_index.query_of(class);
            (class_hash(signature, start), start)
        });
        classes.push(ClassHits { class, first, update });
    }

    /// The related articles of a class in a segment.
    fn stored_hits(
        &self,
        query: &RowQuery,
        attached: &Attached,
        found: FoundClass,
        hits: &mut Vec<RelatedRow>,
        classes: &mut Vec<ClassHits>,
    ) -> SegmentResult<()> {
        let FoundClass { class, hash, overlap } = found;
        let may_be_update =
            query.about.0 != 0 && depends_on_dates(self.fresh.live_index.day_rule(), &overlap) && !query.every;
        let (mut first, mut update): (Option<Hit>, Option<Hit>) = (None, None);
        attached.for_each_member(class, |row, record, cursor| {
            let (published, source, sequence) = (record.published, record.source, record.sequence);
            if matches!(query.wanted, Wanted::Before(limit) if sequence >= limit) {
                return Ok(true);
            }
            if first.is_some() && (source != query.about.0) {
                return Ok(true); // no update
            }
            let Some(overlap) = self.dated(query, overlap, (source, published)) else {
                return Ok(true);
            };
            let id: Arc<str> = cursor.id(row)?.into();
            if matches!(query.wanted, Wanted::Another(other) if *id == *other) {
                return Ok(true);
            }
            let hit = Hit { sequence, row: RelatedRow { row: query.row, id, published, source, overlap } };
            match &first {
                _ if query.every => hits.push(hit.row),
                None => first = Some(hit),
                Some(_) if hit.is_update() => update = Some(hit),
                Some(_) => {}
            }
            let is_complete =
                update.is_some() || first.as_ref().is_some_and(|first| first.is_update() || !may_be_update);
            Ok(!is_complete)
        })?;
        classes.extend(first.map(|first| ClassHits { class: hash, first, update }));
        Ok(())
    }

    /// The overlap with an article of this source and time; None if it is unrelated.
    fn dated(&self, query: &RowQuery, overlap: Overlap, other: SourceAndTime) -> Option<Overlap> {
        let live_index = &self.fresh.live_index;
        if !live_index.is_near(query.about.1, other.1) {
            return None;
        }
        let overlap = dated(live_index.day_rule(), overlap, query.about, other);
        (overlap.kind != Kind::None).then_some(overlap)
    }
}

impl Hit {
    fn is_update(&self) -> bool {
        self.row.overlap.kind == Kind::Update
    }
}

/// Unites the hits of classes that are in several parts: the article inserted first represents its class. Returns them in
/// the order of insertion of their first articles.
fn unite(mut classes: Vec<ClassHits>) -> Vec<ClassHits> {
    classes.sort_by_key(|hits| (hits.class, hits.first.sequence));
    let mut united: Vec<ClassHits> = vec![];
    for later in classes {
        let Some(last) = united.last_mut().filter(|last| last.class.is_some() && last.class == later.class) else {
            united.push(later);
            continue;
        };
        let update = if later.first.is_update() { Some(later.first) } else { later.update };
        let is_earlier = |hit: &Hit| last.update.as_ref().is_none_or(|other| hit.sequence < other.sequence);
        if let Some(update) = update.filter(|hit| !last.first.is_update() && is_earlier(hit)) {
            last.update = Some(update);
        }
    }
    united.sort_by_key(|hits| hits.first.sequence);
    united
}
