//! One pass over a text that replaces parts of it, and the kinds of repairs.

/// The kinds of repair, as they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Repair {
    /// `&#39;`, `&amp;quot;`
    Entities,
    /// U+0092, which is an apostrophe of Windows-1252. Those below U+0020 separate words as a blank does, and stay.
    Controls,
    /// `<br/>`, `</p>`
    Tags,
    /// `.ad{display:none}`, `<script>…</script>`
    Code,
}

/// A count for every kind of repair.
pub type Repairs = [u64; Repair::ALL.len()];

impl Repair {
    pub const ALL: [Repair; 4] = [Repair::Entities, Repair::Controls, Repair::Tags, Repair::Code];

    pub fn name(self) -> &'static str {
        match self {
            Repair::Entities => "HTML entities",
            Repair::Controls => "control characters",
            Repair::Tags => "HTML tags",
            Repair::Code => "style sheets and scripts",
        }
    }
}

/// A set of kinds of repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    pub(super) fn add(&mut self, kind: Repair) {
        self.0 |= 1 << kind as u8;
    }

    pub fn union(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Repair> {
        Repair::ALL.into_iter().filter(move |&kind| self.0 >> kind as u8 & 1 == 1)
    }
}

/// One replacement: `start..end` of the new text replaces `from..to` of the old. Neither is empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub start: usize,
    pub end: usize,
    pub from: usize,
    pub to: usize,
}

/// One pass over a text, which copies the text between replacements.
pub(super) struct Pass<'a> {
    pub text: &'a str,
    /// How much of the text is copied or replaced.
    pub copied: usize,
    pub kinds: Kinds,
    out: String,
    edits: Vec<Edit>,
}

impl<'a> Pass<'a> {
    pub fn new(text: &'a str) -> Self {
        Pass { text, copied: 0, kinds: Kinds::default(), out: String::new(), edits: vec![] }
    }

    pub fn replace(&mut self, from: usize, to: usize, with: char, kind: Repair) {
        if self.edits.is_empty() {
            self.out.reserve(self.text.len());
        }
        self.out.push_str(&self.text[self.copied..from]);
        let start = self.out.len();
        self.out.push(with);
        self.edits.push(Edit { start, end: self.out.len(), from, to });
        self.copied = to;
        self.kinds.add(kind);
    }

    pub fn append(&mut self, more: char) {
        self.out.push(more);
        if let Some(edit) = self.edits.last_mut() {
            edit.end = self.out.len();
        }
    }

    /// The new text and its edits; None if there were none.
    pub fn finish(mut self) -> Option<(String, Vec<Edit>)> {
        if self.edits.is_empty() {
            return None;
        }
        self.out.push_str(&self.text[self.copied..]);
        Some((self.out, self.edits))
    }
}
