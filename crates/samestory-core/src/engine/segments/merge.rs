//! Merges segments into one: sorted sections are merged without computing keys again, in O(classes + articles) memory.

use std::path::Path;

use super::attached::Attached;
use super::format::{ArticleRecord, ClassRecord, DirectoryRecord, Section};
use super::postings::StoredList;
use super::reader::{Cursor, Segment};
use super::writer::{NewClass, SegmentWriter};
use super::{SegmentKind, SegmentResult};
use crate::base::hash;

/// The number of a class or article that is not in the merged segment.
const NONE: u32 = u32::MAX;

/// A segment to merge, and the new numbers of its classes and articles.
struct Source {
    attached: Attached,
    /// NONE for a class that is not written: it has no articles, or its lists are those of the class it is united with.
    listed: Vec<u32>,
    classes: Vec<u32>,
    rows: Vec<u32>,
    left: Left,
}

/// How much of a source is not read yet: a damaged one whose records overlap must not fill the disk.
struct Left {
    articles: Amount,
    id_bytes: Amount,
    words: Amount,
    postings: Amount,
}

struct Amount(u64);

impl Left {
    fn new(segment: &Segment) -> Self {
        let length = |section: Section| segment.header.sections[section as usize].1;
        Left {
            articles: Amount(segment.header.articles.into()),
            id_bytes: Amount(length(Section::Ids)),
            words: Amount(length(Section::Signatures) / 4),
            postings: Amount(length(Section::Postings) / 4),
        }
    }
}

impl Amount {
    fn take(&mut self, amount: u64, from: &Cursor) -> SegmentResult<()> {
        let left = self.0.checked_sub(amount);
        self.0 = left.ok_or_else(|| from.segment.damaged("its records overlap"))?;
        Ok(())
    }
}

/// A class or article of a source.
#[derive(Clone, Copy)]
struct Place {
    source: u32,
    number: u32,
}

/// A merged class: its first place, the number of its articles, and what is written of it.
struct Merged {
    place: Place,
    articles: u32,
}

/// Writes the articles of some segments, without those with the given ids, as one segment. Returns their number; without
/// any nothing is written.
pub fn merge(sources: &[(&Path, &[String])], out: &Path, mark: &str) -> SegmentResult<usize> {
    let Some((first, _)) = sources.first() else {
        return Ok(0);
    };
    let kind = &SegmentKind { mark: mark.into(), ..Segment::open(first)?.header.kind.clone() };
    let open = |(path, dead): &(&Path, &[String])| {
        let attached = Attached::open(path, kind, dead)?;
        let header = &attached.segment.header;
        let (classes, rows) = (vec![NONE; header.classes as usize], vec![NONE; header.articles as usize]);
        let left = Left::new(&attached.segment);
        Ok(Source { attached, listed: classes.clone(), classes, rows, left })
    };
    let mut sources: Vec<Source> = sources.iter().map(open).collect::<SegmentResult<_>>()?;
    let segments: Vec<std::sync::Arc<Segment>> = sources.iter().map(|source| source.attached.segment.clone()).collect();
    let mut cursors: Vec<Cursor> = segments.iter().map(|segment| segment.scan()).collect();
    let (classes, articles) = number(&mut sources, &mut cursors)?;
    if articles.is_empty() {
        return Ok(0);
    }
    let stamp = segments.iter().fold(articles.len() as u64, |stamp, segment| hash::numbered(stamp, segment.stamp()));
    let mut writer = SegmentWriter::create(out, kind, stamp)?;
    let mut words = vec![];
    for merged in &classes {
        let (cursor, class) = (&mut cursors[merged.place.source as usize], merged.place.number);
        let ClassRecord { start, hash, keys, is_alone, signature, .. } = cursor.class(class)?;
        let words = cursor.class(class + 1)?.signature.saturating_sub(signature);
        sources[merged.place.source as usize].left.words.take(words, cursor)?;
        let words = words as usize;
        let summary = cursor.segment.resident()?.summaries.get(class as usize).copied();
        writer.class(NewClass { start, hash, words, articles: merged.articles as usize, keys, summary, is_alone })?;
    }
    writer.end_classes()?;
    for place in &articles {
        let cursor = &mut cursors[place.source as usize];
        let ArticleRecord { published, source, sequence, id } = cursor.article(place.number)?;
        let id_bytes = cursor.article(place.number + 1)?.id.saturating_sub(id);
        sources[place.source as usize].left.id_bytes.take(id_bytes, cursor)?;
        writer.article(published, source, sequence, id_bytes as usize)?;
    }
    writer.end_articles()?;
    // a cursor for the records and one for the contents, so that neither reads a block twice
    let mut contents: Vec<Cursor> = segments.iter().map(|segment| segment.scan()).collect();
    for place in &articles {
        let (source, row) = (place.source as usize, place.number);
        let (start, end) = (cursors[source].article(row)?.id, cursors[source].article(row + 1)?.id);
        writer.id(contents[source].id_between(start, end)?.as_bytes())?;
    }
    for merged in &classes {
        let (source, class) = (merged.place.source as usize, merged.place.number);
        let (start, end) = (cursors[source].class(class)?.signature, cursors[source].class(class + 1)?.signature);
        words.clear();
        contents[source].signature_between(start, end, &mut words)?;
        writer.signature(&words)?;
    }
    merge_lists(&mut sources, &mut cursors, &mut contents, &mut writer)?;
    writer.finish(Directories::new(&sources, &mut cursors)?)?;
    Ok(articles.len())
}

/// Gives the classes and articles that are written their numbers, by which they are returned.
fn number(sources: &mut [Source], cursors: &mut [Cursor]) -> SegmentResult<(Vec<Merged>, Vec<Place>)> {
    let (mut classes, mut articles): (Vec<Merged>, Vec<Place>) = (vec![], vec![]);
    let mut next = vec![0; sources.len()];
    let mut heads: Vec<Option<ClassRecord>> = vec![];
    for (source, cursor) in cursors.iter_mut().enumerate() {
        heads.push(head(cursor, next[source])?);
    }
    let mut last: Option<ClassRecord> = None;
    // the articles of the class that is being merged, with their sequences
    let mut members: Vec<(u64, Place)> = vec![];
    let order = |record: &ClassRecord| (record.start, record.hash, record.is_alone);
    let first = |heads: &[Option<ClassRecord>]| {
        let heads = heads.iter().enumerate().filter_map(|(source, head)| Some((source, head.as_ref()?)));
        heads.min_by_key(|(source, head)| (order(head), *source)).map(|(source, head)| (source, *head))
    };
    while let Some((source, record)) = first(&heads) {
        let class = next[source];
        next[source] += 1;
        heads[source] = head(&mut cursors[source], next[source])?;
        let rows = cursors[source].rows(class)?;
        sources[source].left.articles.take(rows.len() as u64, &cursors[source])?;
        let dead = &sources[source].attached.dead;
        let rows: Vec<u32> = rows.filter(|&row| !dead.contains(row)).collect();
        if rows.is_empty() {
            continue;
        }
        let is_same = !record.is_alone
            && last.is_some_and(|last| order(&last) == order(&record))
            && classes.last().is_some_and(|merged| merged.place.source != source as u32);
        if !is_same {
            close(&mut members, sources, &mut articles);
            classes.push(Merged { place: Place { source: source as u32, number: class }, articles: 0 });
            sources[source].listed[class as usize] = classes.len() as u32 - 1;
            last = Some(record);
        }
        sources[source].classes[class as usize] = classes.len() as u32 - 1;
        if let Some(merged) = classes.last_mut() {
            merged.articles += rows.len() as u32;
        }
        for row in rows {
            members.push((cursors[source].article(row)?.sequence, Place { source: source as u32, number: row }));
        }
    }
    close(&mut members, sources, &mut articles);
    Ok((classes, articles))
}

/// Numbers the articles of a merged class, by sequence.
fn close(members: &mut Vec<(u64, Place)>, sources: &mut [Source], articles: &mut Vec<Place>) {
    members.sort_unstable_by_key(|member| member.0);
    for (_, place) in members.drain(..) {
        sources[place.source as usize].rows[place.number as usize] = articles.len() as u32;
        articles.push(place);
    }
}

/// The next class of a source.
fn head(cursor: &mut Cursor, class: u32) -> SegmentResult<Option<ClassRecord>> {
    match class < cursor.segment.header.classes {
        true => cursor.class(class).map(Some),
        false => Ok(None),
    }
}

/// Writes the posting lists of all sources, with the new numbers of their classes. Keys without classes are left out.
fn merge_lists(
    sources: &mut [Source],
    cursors: &mut [Cursor],
    contents: &mut [Cursor],
    writer: &mut SegmentWriter,
) -> SegmentResult<()> {
    let mut heads: Vec<(u64, Option<(u64, StoredList)>)> = vec![];
    for cursor in cursors.iter_mut() {
        heads.push((0, cursor.key_at(0)?));
    }
    let (mut stored, mut classes) = (vec![], vec![]);
    while let Some(key) = heads.iter().filter_map(|head| head.1.map(|(key, _)| key)).min() {
        classes.clear();
        for (source, head) in heads.iter_mut().enumerate() {
            let Some((_, list)) = head.1.filter(|&(own, _)| own == key) else { continue };
            stored.clear();
            // the only class of a list lies in the entry of its key
            let postings = if list.length > 1 { list.length.into() } else { 0 };
            sources[source].left.postings.take(postings, &contents[source])?;
            contents[source].classes(list, (0, list.length), &mut stored)?;
            let new = stored.iter().map(|&class| sources[source].listed[class as usize]);
            classes.extend(new.filter(|&class| class != NONE));
            *head = (head.0 + 1, cursors[source].key_at(head.0 + 1)?);
        }
        classes.sort_unstable();
        if !classes.is_empty() {
            writer.list(key, &classes)?;
        }
    }
    Ok(())
}

/// The directories of all sources, merged by hash.
struct Directories<'a, 'b> {
    sources: &'a [Source],
    cursors: &'a mut [Cursor<'b>],
    next: Vec<u32>,
    heads: Vec<Option<DirectoryRecord>>,
}

impl<'a, 'b> Directories<'a, 'b> {
    fn new(sources: &'a [Source], cursors: &'a mut [Cursor<'b>]) -> SegmentResult<Self> {
        let mut all = Directories { next: vec![0; sources.len()], heads: vec![None; sources.len()], sources, cursors };
        (0..sources.len()).try_for_each(|source| all.advance(source))?;
        Ok(all)
    }

    /// Reads the next article of a source that is written.
    fn advance(&mut self, source: usize) -> SegmentResult<()> {
        self.heads[source] = None;
        while self.heads[source].is_none() && self.next[source] < self.cursors[source].segment.header.articles {
            let old = self.cursors[source].directory(self.next[source])?;
            self.next[source] += 1;
            let Source { classes, rows, .. } = &self.sources[source];
            let (row, class) = (rows[old.row as usize], classes[old.class as usize]);
            self.heads[source] = (row != NONE && class != NONE).then_some(DirectoryRecord { row, class, ..old });
        }
        Ok(())
    }
}

impl Iterator for Directories<'_, '_> {
    type Item = SegmentResult<DirectoryRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        let heads = self.heads.iter().enumerate();
        let (record, source) = heads.filter_map(|(source, head)| Some((((*head)?), source))).min()?;
        match self.advance(source) {
            Ok(()) => Some(Ok(record)),
            Err(error) => Some(Err(error)),
        }
    }
}
