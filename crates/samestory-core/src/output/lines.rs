//! Relations and groups as JSON lines.

use crate::base::parallel::{self, Deal};
use crate::detectors::Overlap;
use crate::engine::population::Corpus;
use crate::engine::relate::Related;
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

fn number(out: &mut Vec<u8>, share: f64) {
    out.extend_from_slice(format!("{:.4}", share).as_bytes());
}

fn shares(out: &mut Vec<u8>, overlap: &Overlap) {
    out.extend_from_slice(b"\"forward\":");
    number(out, overlap.forward);
    out.extend_from_slice(b",\"backward\":");
    number(out, overlap.backward);
}

impl Related {
    pub fn relation_lines(&self, relations: &[Relation], detector: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(relations.len() * 128);
        for relation in relations {
            self.open(&mut out, relation.left, relation.right);
            out.extend_from_slice(b",\"kind\":");
            quote(&mut out, relation.overlap.kind.name());
            out.push(b',');
            shares(&mut out, &relation.overlap);
            // two digits more than a share: groups are formed from the strongest relation down, so ties should be rare
            out.extend_from_slice(format!(",\"score\":{:.6}", relation.overlap.score).as_bytes());
            out.extend_from_slice(b",\"detector\":");
            quote(&mut out, detector);
            out.extend_from_slice(b"}\n");
        }
        out
    }

    fn open(&self, out: &mut Vec<u8>, left: u32, right: u32) {
        out.extend_from_slice(b"{\"left\":");
        quote(out, self.corpus.id(left as usize));
        out.extend_from_slice(b",\"right\":");
        quote(out, self.corpus.id(right as usize));
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

    /// Groups of at least `min_members` members, numbered from 1 in the order given.
    /// With `labels`, each has its label: a headline and common words.
    pub fn group_lines(&self, groups: &[Group], min_members: usize, labels: bool) -> Vec<u8> {
        let groups: Vec<&Group> = groups.iter().filter(|g| g.members.len() >= min_members).collect();
        let labels = if labels { self.labels(&groups) } else { vec![] };
        let mut out = Vec::with_capacity(groups.len() * 128);
        let ids = |out: &mut Vec<u8>, a: u32| quote(out, self.corpus.id(a as usize));
        for (number, group) in groups.into_iter().enumerate() {
            out.extend_from_slice(format!("{{\"group\":{},\"representative\":", number + 1).as_bytes());
            ids(&mut out, group.representative);
            out.extend_from_slice(b",\"members\":[");
            for (i, &member) in group.members.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                ids(&mut out, member);
            }
            out.extend_from_slice(b"],\"weakest\":");
            match &group.weakest {
                None => out.extend_from_slice(b"null,\"kind\":null"),
                Some((left, right, overlap)) => {
                    self.open(&mut out, *left, *right);
                    out.push(b',');
                    shares(&mut out, overlap);
                    out.extend_from_slice(b"},\"kind\":");
                    quote(&mut out, overlap.kind.name());
                }
            }
            out.extend_from_slice(b",\"nearest\":");
            match &group.nearest {
                None => out.extend_from_slice(b"null"),
                Some((to, overlap, why)) => {
                    out.extend_from_slice(b"{\"id\":");
                    ids(&mut out, *to);
                    out.push(b',');
                    shares(&mut out, overlap);
                    out.extend_from_slice(b",\"why\":");
                    quote(&mut out, why.name());
                    out.push(b'}');
                }
            }
            if let Some(label) = labels.get(number) {
                self.label(&mut out, group, label);
            }
            out.extend_from_slice(if group.forced { b",\"forced\":true}\n" as &[u8] } else { b"}\n" });
        }
        out
    }
}
