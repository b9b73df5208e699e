//! Relations and groups as JSON lines.

use crate::base::parallel::{self, Deal};
use crate::engine::exchange::assembly::GroupRow;
use crate::engine::population::Corpus;
use crate::engine::relate::IndexedCorpus;
use crate::model::group::Group;
use crate::model::relation::Relation;
use crate::output::label::{label, Label};
use crate::text::headlines::feedless;

/// Number of groups that a thread labels at a time.
const GROUPS_PER_CHUNK: usize = 256;

fn quote(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\') {
        // nothing to escape, as in nearly every id
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return;
    }
    // writing a string to memory cannot fail
    sonic_rs::to_writer(&mut *out, text).expect("text to JSON");
}

/// A rounded number without zeros at the end, as JSON libraries write it.
fn number(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let digits = format!("{value:.decimals$}");
    let short = digits.trim_end_matches('0');
    out.extend_from_slice(short.as_bytes());
    if short.ends_with('.') {
        out.push(b'0');
    }
}

fn shares(out: &mut Vec<u8>, forward: f64, backward: f64) {
    out.extend_from_slice(b"\"forward\":");
    number(out, forward, 4);
    out.extend_from_slice(b",\"backward\":");
    number(out, backward, 4);
}

/// Opens an object with the ids of a pair.
fn open(out: &mut Vec<u8>, left: &str, right: &str) {
    out.extend_from_slice(b"{\"left\":");
    quote(out, left);
    out.extend_from_slice(b",\"right\":");
    quote(out, right);
}

/// Closes the line of a group.
fn close(out: &mut Vec<u8>, forced: bool) {
    out.extend_from_slice(if forced { b",\"forced\":true}\n" as &[u8] } else { b"}\n" });
}

/// The certificate of a group with the ids of its articles.
struct GroupLine<'a, M: Iterator<Item = &'a str>> {
    /// The representative first.
    members: M,
    /// Left, right, kind, forward, backward.
    weakest: Option<(&'a str, &'a str, &'a str, f64, f64)>,
    /// Id, forward, backward, reason.
    nearest: Option<(&'a str, f64, f64, &'a str)>,
}

impl<'a, M: Iterator<Item = &'a str> + Clone> GroupLine<'a, M> {
    fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\"representative\":");
        quote(out, self.members.clone().next().unwrap_or_default());
        out.extend_from_slice(b",\"members\":[");
        for (i, id) in self.members.enumerate() {
            if i > 0 {
                out.push(b',');
            }
            quote(out, id);
        }
        out.extend_from_slice(b"],\"weakest\":");
        match self.weakest {
            None => out.extend_from_slice(b"null,\"kind\":null"),
            Some((left, right, kind, forward, backward)) => {
                open(out, left, right);
                out.push(b',');
                shares(out, forward, backward);
                out.extend_from_slice(b"},\"kind\":");
                quote(out, kind);
            }
        }
        out.extend_from_slice(b",\"nearest\":");
        match self.nearest {
            None => out.extend_from_slice(b"null"),
            Some((id, forward, backward, why)) => {
                out.extend_from_slice(b"{\"id\":");
                quote(out, id);
                out.push(b',');
                shares(out, forward, backward);
                out.extend_from_slice(b",\"why\":");
                quote(out, why);
                out.push(b'}');
            }
        }
    }
}

impl GroupRow {
    /// The line of this group, without the opening brace and its number.
    pub fn line(&self) -> Vec<u8> {
        let mut out = vec![];
        let (weakest, nearest) = (self.weakest.as_ref(), self.nearest.as_ref());
        let line = GroupLine {
            members: self.members.iter().map(String::as_str),
            weakest: weakest
                .map(|(left, right, kind, forward, backward)| (&**left, &**right, &**kind, *forward, *backward)),
            nearest: nearest.map(|(id, forward, backward, why)| (&**id, *forward, *backward, &**why)),
        };
        line.write(&mut out);
        close(&mut out, self.forced);
        out
    }
}

impl IndexedCorpus {
    pub fn relation_lines(&self, relations: &[Relation], detector: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(relations.len() * 128);
        for relation in relations {
            open(&mut out, self.corpus.id(relation.left as usize), self.corpus.id(relation.right as usize));
            out.extend_from_slice(b",\"kind\":");
            quote(&mut out, relation.overlap.kind.name());
            out.push(b',');
            shares(&mut out, relation.overlap.forward, relation.overlap.backward);
            // two digits more than a share: groups are formed from the strongest relation down, so ties should be rare
            out.extend_from_slice(b",\"score\":");
            number(&mut out, relation.overlap.score, 6);
            out.extend_from_slice(b",\"detector\":");
            quote(&mut out, detector);
            out.extend_from_slice(b"}\n");
        }
        out
    }

    /// The label of every group, computed on all threads.
    fn labels(&self, groups: &[&Group]) -> Vec<Label> {
        let Corpus { watch, settings, .. } = &self.corpus;
        let deal = Deal::new(groups.len(), GROUPS_PER_CHUNK, watch);
        let label_of = |group: &Group| {
            let headlines: Vec<&str> = group.members.iter().map(|&member| self.corpus.title(member as usize)).collect();
            label(&headlines, self.corpus.language(group.representative as usize))
        };
        let parts = parallel::run(settings.threads, watch, &mut |_| true, |_| {
            let next =
                || deal.take().map(|range| (range.start, groups[range].iter().map(|group| label_of(group)).collect()));
            std::iter::from_fn(next).collect::<Vec<(usize, Vec<Label>)>>()
        });
        let mut runs: Vec<(usize, Vec<Label>)> = parts.into_iter().flatten().collect();
        runs.sort_unstable_by_key(|(start, _)| *start);
        runs.into_iter().flat_map(|(_, labels)| labels).collect()
    }

    fn label(&self, out: &mut Vec<u8>, group: &Group, Label { headline, words }: &Label) {
        out.extend_from_slice(b",\"headline\":");
        match headline {
            Some(at) => quote(out, feedless(self.corpus.title(group.members[*at] as usize))),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"words\":[");
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            quote(out, word);
        }
        out.push(b']');
    }

    /// Groups of at least `min_members` members, numbered from `first` in the order given.
    /// With `labels`, each has its label: a headline and common words.
    pub fn group_lines(&self, groups: &[Group], min_members: usize, labels: bool, first: usize) -> Vec<u8> {
        let groups: Vec<&Group> = groups.iter().filter(|g| g.members.len() >= min_members).collect();
        let labels = if labels { self.labels(&groups) } else { vec![] };
        let mut out = Vec::with_capacity(groups.len() * 128);
        let id = |article: u32| self.corpus.id(article as usize);
        for (number, group) in groups.into_iter().enumerate() {
            out.extend_from_slice(format!("{{\"group\":{},", first + number).as_bytes());
            let weakest = group.weakest.as_ref();
            let line = GroupLine {
                members: group.members.iter().map(|&member| id(member)),
                weakest: weakest.map(|(l, r, o)| (id(*l), id(*r), o.kind.name(), o.forward, o.backward)),
                nearest: group.nearest.as_ref().map(|(to, o, why)| (id(*to), o.forward, o.backward, why.name())),
            };
            line.write(&mut out);
            if let Some(label) = labels.get(number) {
                self.label(&mut out, group, label);
            }
            close(&mut out, group.forced);
        }
        out
    }
}
