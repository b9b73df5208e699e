//! Checks a segment as a whole: every block and every record.

use std::path::Path;

use super::format::{ArticleRecord, ClassRecord, Section};
use super::postings::StoredList;
use super::reader::Segment;
use super::{SegmentKind, SegmentResult};
use crate::base::hash;
use crate::base::time::NO_TIME;
use crate::detectors::Detector;
use crate::engine::duplicate_class::class_hash;

/// Reads all of a segment; an error for the first record that is not as this program writes it. With a detector, its
/// signatures must be of this detector. Returns the number of articles.
pub fn check(path: &Path, mark: &str, detector: Option<&dyn Detector>) -> SegmentResult<usize> {
    let segment = Segment::open(path)?;
    segment.check_kind(&SegmentKind { mark: mark.into(), ..segment.header.kind.clone() })?;
    segment.check_blocks()?;
    check_classes(&segment, detector)?;
    check_articles(&segment)?;
    check_lists(&segment)?;
    check_directory(&segment)?;
    Ok(segment.header.articles as usize)
}

fn expect(segment: &Segment, is_right: bool, what: &str) -> SegmentResult<()> {
    match is_right {
        true => Ok(()),
        false => Err(segment.damaged(what)),
    }
}

/// The length of a section.
fn length(segment: &Segment, section: Section) -> u64 {
    segment.header.sections[section as usize].1
}

fn check_classes(segment: &Segment, detector: Option<&dyn Detector>) -> SegmentResult<()> {
    let (mut cursor, mut contents) = (segment.scan(), segment.scan());
    let (resident, plan) = (segment.resident()?, detector.map(Detector::candidate_plan));
    let (mut last, mut starts, mut words) = (None, vec![], vec![]);
    for class in 0..segment.header.classes {
        let record = cursor.class(class)?;
        let next = cursor.class(class + 1)?;
        let order = (record.start, record.hash, record.is_alone);
        expect(segment, last.is_none_or(|last| last <= order), "its classes are not sorted")?;
        last = Some(order);
        expect(segment, record.first < next.first, "a class has no articles")?;
        words.clear();
        contents.signature_between(record.signature, next.signature, &mut words)?;
        expect(segment, class_hash(&words, record.start) == record.hash, "a signature is not that of its class")?;
        let is_signature = detector.is_none_or(|detector| detector.is_well_formed(&words));
        expect(segment, is_signature, "a signature is malformed")?;
        let filter = plan.as_ref().and_then(|plan| plan.summary_filter.as_ref());
        let is_right =
            filter.is_none_or(|filter| resident.summaries.get(class as usize) == Some(&filter.summary(&words)));
        expect(segment, is_right, "a summary is not that of its signature")?;
        let keys = record.keys.try_into().unwrap_or(u8::MAX);
        expect(segment, resident.key_counts[class as usize] == keys, "a number of keys is wrong")?;
        let places = (record.signature, next.signature);
        expect(segment, resident.signature(class) == places, "a length of a signature is wrong")?;
        if starts.last().is_none_or(|&(start, _)| start != record.start) {
            starts.push((record.start, class));
        }
        let is_undated = record.start == NO_TIME;
        expect(segment, is_undated == (class < segment.header.undated_classes), "a class is not dated as it was")?;
    }
    let ClassRecord { signature, first, .. } = cursor.class(segment.header.classes)?;
    let is_whole = signature.saturating_mul(4) == length(segment, Section::Signatures)
        && first == segment.header.articles
        && (segment.header.classes == 0 || cursor.class(0)?.first == 0);
    expect(segment, is_whole, "its classes have not all signatures and articles")?;
    expect(segment, starts == resident.starts, "the times of its classes are wrong")?;
    let dated: Vec<i64> = starts.iter().map(|start| start.0).filter(|&start| start != NO_TIME).collect();
    let ends = (dated.first().copied().unwrap_or(NO_TIME), dated.last().copied().unwrap_or(NO_TIME));
    expect(segment, ends == segment.header.starts, "its first or last time is wrong")
}

fn check_articles(segment: &Segment) -> SegmentResult<()> {
    let (mut cursor, mut classes) = (segment.scan(), segment.scan());
    let mut max = 0;
    for class in 0..segment.header.classes {
        let start = classes.class(class)?.start;
        let mut last = None;
        for row in classes.rows(class)? {
            let ArticleRecord { published, sequence, .. } = cursor.article(row)?;
            let is_inside = match (start, published) {
                (NO_TIME, _) | (_, NO_TIME) => start == published,
                _ => {
                    published.checked_sub(start).is_some_and(|since| (0..segment.header.kind.interval).contains(&since))
                }
            };
            expect(segment, is_inside, "an article is not of the time of its class")?;
            expect(segment, last < Some(sequence), "the articles of a class are not sorted")?;
            last = Some(sequence);
            max = max.max(sequence);
        }
    }
    expect(segment, max == segment.header.last_sequence, "its last sequence is wrong")?;
    let end = cursor.article(segment.header.articles)?.id;
    expect(segment, end == length(segment, Section::Ids), "an id has no article")
}

fn check_lists(segment: &Segment) -> SegmentResult<()> {
    let (mut cursor, mut contents) = (segment.scan(), segment.scan());
    let mut counts = vec![0u32; segment.header.classes as usize];
    let (mut number, mut last, mut classes) = (0, None, vec![]);
    while let Some((key, list)) = cursor.key_at(number)? {
        let StoredList { length, .. } = list;
        expect(segment, last < Some(key) && length > 0, "its keys are not sorted")?;
        last = Some(key);
        classes.clear();
        contents.classes(list, (0, length), &mut classes)?;
        expect(segment, classes.is_sorted(), "a posting list is not sorted")?;
        classes.iter().for_each(|&class| counts[class as usize] += 1);
        let fences = &segment.resident()?.fences;
        let page = fences.partition_point(|fence| fence.0 <= key);
        let is_on_its_page = page == number as usize / super::format::KEYS_PER_PAGE + 1;
        expect(segment, is_on_its_page, "a key is on the wrong page")?;
        number += 1;
    }
    for class in 0..segment.header.classes {
        let keys = cursor.class(class)?.keys;
        expect(segment, counts[class as usize] == keys, "a class is not in the lists of its keys")?;
    }
    Ok(())
}

fn check_directory(segment: &Segment) -> SegmentResult<()> {
    let (mut cursor, mut rows, mut contents) = (segment.scan(), segment.cursor(), segment.cursor());
    let (mut last, mut found) = (0, vec![false; segment.header.articles as usize]);
    for at in 0..segment.header.articles {
        let record = cursor.directory(at)?;
        expect(segment, last <= record.hash, "its ids are not sorted")?;
        last = record.hash;
        let id = contents.id(record.row)?.to_string();
        let is_right = hash::token(id.as_bytes()) == record.hash && rows.rows(record.class)?.contains(&record.row);
        expect(segment, is_right, "an id is not that of its article")?;
        expect(segment, !std::mem::replace(&mut found[record.row as usize], true), "an article has two ids")?;
        expect(segment, segment.find(&id, |row| row == record.row)?.is_some(), "an id is not found")?;
    }
    Ok(())
}
