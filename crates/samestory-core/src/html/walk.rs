//! Cuts a tree into blocks: one depth-first pass with an explicit stack of frames instead of recursion.

use std::collections::HashMap;
use std::ops::Range;

use super::blocks::{
    Block, BlockOptions, Blocks, Border, Element, Flags, CEDAR, HIDDEN, INLINE, INSIDE, MUTE, PARAGRAPHS, VOID,
};
use super::names::{words, StringTable};
use super::tree::{NodeKind, Tree, DOCUMENT, NONE};
use crate::text::tokens::tokenise;

pub(super) fn blocks(tree: &Tree, options: &BlockOptions) -> Blocks {
    let mut walk = Walk::new(tree, options);
    let mut at = tree.nodes[DOCUMENT as usize].first;
    while at != NONE {
        let node = &tree.nodes[at as usize];
        let mut inner = NONE;
        match node.what {
            NodeKind::Element(name, marks) => {
                if walk.enter(name, marks) {
                    inner = node.first;
                }
                if inner == NONE {
                    walk.leave();
                }
            }
            NodeKind::Text(start, end) => walk.add(&tree.text[start as usize..end as usize]),
            NodeKind::Document | NodeKind::Nothing => {}
        }
        if inner != NONE {
            at = inner;
            continue;
        }
        // the next sibling, of this node or of the nearest ancestor that has one
        while tree.nodes[at as usize].next == NONE && tree.nodes[at as usize].parent != DOCUMENT {
            at = tree.nodes[at as usize].parent;
            walk.leave();
        }
        at = tree.nodes[at as usize].next;
    }
    walk.finish()
}

/// The properties of an element name.
#[derive(Clone, Copy, Default)]
struct Kind {
    tag: u32,
    inline: bool,
    mute: bool,
    void: bool,
    link: bool,
    span: bool,
    paragraph: bool,
    inside: u32,
}

/// An open element.
#[derive(Clone, Copy)]
struct Frame {
    kind: Kind,
    marks: u32,
    /// The frame of the nearest element that forms a paragraph.
    paragraph_frame: u32,
    linked: bool,
    /// A bit for every class of the gold annotation on it or around it.
    cedar: u8,
    inside: u32,
    /// A span of the gold annotation, left out of the elements and inline tags.
    traceless: bool,
    /// Its index in `Blocks::elements`, or `NONE` so far.
    element: u32,
    /// The number of the paragraph it forms, or `NONE` so far.
    paragraph: u32,
    /// The last segment it was counted for as an inline tag.
    counted: u32,
}

/// A part of the text of a block, by its start offset.
struct Run {
    start: usize,
    linked: bool,
    cedar: u8,
}

struct Walk<'a> {
    tree: &'a Tree,
    kinds: Vec<Kind>,
    names: StringTable,
    out: Blocks,
    sets: HashMap<Vec<u32>, u32>,
    frames: Vec<Frame>,
    paragraphs: u32,
    /// The fields from here on describe the current block; this is where its text begins.
    start: usize,
    /// White space was read that becomes a space if more text follows.
    space: bool,
    runs: Vec<Run>,
    inline: Vec<u32>,
    before: Border,
    /// The number of frames that contain all of its text so far, and the minimum stack depth since its last text.
    common: usize,
    min_depth: usize,
    element: u32,
    inside: u32,
    /// The number of the current segment between two borders, whether it becomes a block or not.
    segment: u32,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a Tree, options: &BlockOptions) -> Self {
        let mut names = StringTable::default();
        let among = |list: &[String], name: &str| list.iter().any(|known| known == name);
        let kinds = tree.names.iter().map(|(name, _)| Kind {
            tag: names.number(name),
            inline: INLINE.contains(&&**name) || among(&options.inline_extra, name),
            mute: MUTE.contains(&&**name) || among(&options.mute, name),
            void: VOID.contains(&&**name),
            link: &**name == "a",
            span: &**name == "span",
            paragraph: PARAGRAPHS.contains(&&**name),
            inside: INSIDE.iter().position(|known| *known == &**name).map_or(0, |bit| 1 << bit),
        });
        let kinds = kinds.collect();
        let before = Border { tag: names.number("html"), closes: false };
        Walk {
            tree,
            kinds,
            names,
            out: Blocks::default(),
            sets: HashMap::new(),
            frames: vec![],
            paragraphs: 0,
            start: 0,
            space: false,
            runs: vec![],
            inline: vec![],
            before,
            common: 0,
            min_depth: 0,
            element: NONE,
            inside: 0,
            segment: 0,
        }
    }

    /// Opens an element; returns false if its content is to be skipped.
    fn enter(&mut self, name: u32, marks: u32) -> bool {
        let kind = self.kinds[name as usize];
        let cedar = if kind.span { self.cedar(marks) } else { 0 };
        if !kind.inline {
            self.border(Border { tag: kind.tag, closes: false });
        } else if cedar == 0 {
            self.add_inline(kind.tag);
        }
        let number = self.frames.len() as u32;
        let hidden = if cedar == 0 && self.tree.is_hidden(marks) { HIDDEN } else { 0 };
        let outer = self.frames.last();
        self.frames.push(Frame {
            kind,
            marks,
            paragraph_frame: if kind.paragraph { number } else { outer.map_or(number, |outer| outer.paragraph_frame) },
            linked: kind.link || outer.is_some_and(|outer| outer.linked),
            cedar: cedar | outer.map_or(0, |outer| outer.cedar),
            inside: kind.inside | hidden | outer.map_or(0, |outer| outer.inside),
            traceless: cedar != 0,
            element: NONE,
            paragraph: NONE,
            counted: NONE,
        });
        !kind.mute
    }

    fn leave(&mut self) {
        let Some(&Frame { kind, .. }) = self.frames.last() else { return };
        if !kind.inline {
            self.border(Border { tag: kind.tag, closes: !kind.void });
        }
        self.frames.pop();
        self.min_depth = self.min_depth.min(self.frames.len());
    }

    /// The classes of the gold annotation that a span has.
    fn cedar(&self, marks: u32) -> u8 {
        let (_, class) = self.tree.id_and_class(marks);
        if !class.contains("Cedar") {
            return 0;
        }
        let bit = |word: &str| CEDAR.iter().position(|known| *known == word).map_or(0, |bit| 1u8 << bit);
        class.split_ascii_whitespace().map(bit).fold(0, |all, bit| all | bit)
    }

    fn add_inline(&mut self, tag: u32) {
        if !self.inline.contains(&tag) {
            self.inline.push(tag);
        }
    }

    /// Adds text: white space is collapsed to one space, and trimmed at both ends.
    fn add(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let spaces = rest.len() - rest.trim_start_matches(is_space).len();
            self.space |= spaces > 0;
            rest = &rest[spaces..];
            if rest.is_empty() {
                return;
            }
            let end = rest.bytes().position(|byte| is_space(byte.into())).unwrap_or(rest.len());
            self.add_shown(&rest[..end]);
            rest = &rest[end..];
        }
    }

    fn add_shown(&mut self, mut word: &str) {
        if self.out.text.len() == self.start {
            word = word.trim_start_matches(is_blank);
            if word.is_empty() {
                return;
            }
            (self.common, self.min_depth) = (usize::MAX, usize::MAX);
        } else if self.space {
            self.out.text.push(' ');
        }
        self.space = false;
        let Some(&Frame { linked, cedar, .. }) = self.frames.last() else { return };
        if self.runs.last().is_none_or(|run| run.linked != linked || run.cedar != cedar) {
            self.runs.push(Run { start: self.out.text.len() - self.start, linked, cedar });
        }
        self.out.text.push_str(word);
        let common = self.common.min(self.min_depth).min(self.frames.len());
        if common != self.common {
            self.common = common;
            self.element = self.element_of(common - 1);
            self.inside = self.frames[common - 1].inside;
        }
        self.min_depth = self.frames.len();
        self.count_inline();
    }

    /// Counts the inline tags around the current text, up to those counted already.
    fn count_inline(&mut self) {
        for place in (0..self.frames.len()).rev() {
            let Frame { kind, counted, traceless, .. } = self.frames[place];
            if !kind.inline || counted == self.segment {
                return;
            }
            self.frames[place].counted = self.segment;
            if !traceless {
                self.add_inline(kind.tag);
            }
        }
    }

    /// The element index of a frame, assigned now if it has none.
    fn element_of(&mut self, place: usize) -> u32 {
        let known = |frame: &Frame| frame.element != NONE;
        let first = self.frames[..=place].iter().rposition(known).map_or(0, |place| place + 1);
        let mut parent = if first == 0 { NONE } else { self.frames[first - 1].element };
        for place in first..=place {
            let Frame { kind, marks, traceless, .. } = self.frames[place];
            if !traceless {
                let begin = self.out.words.len() as u32;
                let (id, class) = self.tree.id_and_class(marks);
                for text in [id, class] {
                    words(text, |word| self.out.words.push(self.names.number(word)));
                }
                let own = Range { start: begin, end: self.out.words.len() as u32 };
                self.out.elements.push(Element { parent, tag: kind.tag, words: own });
                parent = self.out.elements.len() as u32 - 1;
            }
            self.frames[place].element = parent;
        }
        parent
    }

    /// Ends the current block, if it has text, and begins the next.
    fn border(&mut self, border: Border) {
        let shown = self.out.text[self.start..].trim_end_matches(is_blank).len();
        self.out.text.truncate(self.start + shown);
        if shown > 0 {
            self.close(border);
        }
        self.before = border;
        self.start = self.out.text.len();
        self.space = false;
        self.runs.clear();
        self.inline.clear();
        self.segment += 1;
    }

    fn close(&mut self, after: Border) {
        let (mut tokens, mut linked, mut cedar) = (0, 0, [0; CEDAR.len()]);
        let mut runs = self.runs.iter().peekable();
        let mut run = runs.next();
        tokenise(&self.out.text[self.start..], false, |token| {
            while runs.peek().is_some_and(|next| next.start <= token.start) {
                run = runs.next();
            }
            tokens += 1;
            if let Some(run) = run {
                linked += u32::from(run.linked);
                cedar.iter_mut().enumerate().for_each(|(bit, count)| *count += u32::from(run.cedar >> bit & 1));
            }
        });
        let paragraph_frame = self.frames.last().map_or(0, |frame| frame.paragraph_frame as usize);
        if self.frames[paragraph_frame].paragraph == NONE {
            self.frames[paragraph_frame].paragraph = self.paragraphs;
            self.paragraphs += 1;
        }
        let mut inline = std::mem::take(&mut self.inline);
        inline.sort_unstable();
        let sets = &mut self.out.sets;
        let inline = *self.sets.entry(inline).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() as u32 - 1
        });
        self.out.blocks.push(Block {
            text: self.start as u32..self.out.text.len() as u32,
            tokens,
            linked,
            cedar,
            inline,
            before: self.before,
            after,
            element: self.element,
            paragraph: self.frames[paragraph_frame].paragraph,
            inside: self.inside,
        });
    }

    fn finish(mut self) -> Blocks {
        self.out.title = title(self.tree);
        self.out.names = self.names.into_all();
        self.out.flags = Flags { frames: self.tree.has_frames, deep: self.tree.is_deep, ..Flags::default() };
        self.out
    }
}

/// The text of the first HTML title, with white space collapsed; the title of an SVG does not count.
fn title(tree: &Tree) -> String {
    let is_title = |what: NodeKind| matches!(what, NodeKind::Element(name, _) if tree.names[name as usize] == ("title".into(), true));
    let Some(node) = tree.nodes.iter().find(|node| node.parent != NONE && is_title(node.what)) else {
        return String::new();
    };
    let children =
        std::iter::successors(tree.nodes.get(node.first as usize), |node| tree.nodes.get(node.next as usize));
    let text: String = children
        .filter_map(|node| match node.what {
            NodeKind::Text(start, end) => Some(&tree.text[start as usize..end as usize]),
            _ => None,
        })
        .collect();
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").trim_matches(is_blank).into()
}

/// White space that a browser collapses to one space.
fn is_space(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}

/// Invisible at the end of a line: white space of all kinds, control characters, and characters of zero width.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}
