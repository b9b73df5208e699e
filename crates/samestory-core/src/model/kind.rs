//! Kinds of relations, and the result of comparing two articles.

/// The relation between two articles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    None = 0,
    Identical = 1,
    Near = 2,
    PartOf = 3,
    HasPart = 4,
    Update = 5,
    SameEvent = 6,
    /// Passages in common, without either being a copy, a part or a version of the other.
    SharesText = 7,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::None,
        Kind::Identical,
        Kind::Near,
        Kind::PartOf,
        Kind::HasPart,
        Kind::Update,
        Kind::SameEvent,
        Kind::SharesText,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::None => "NONE",
            Kind::Identical => "IDENTICAL",
            Kind::Near => "NEAR",
            Kind::PartOf => "PART_OF",
            Kind::HasPart => "HAS_PART",
            Kind::Update => "UPDATE",
            Kind::SameEvent => "SAME_EVENT",
            Kind::SharesText => "SHARES_TEXT",
        }
    }

    /// The kind seen from the other side.
    pub fn flipped(self) -> Kind {
        match self {
            Kind::PartOf => Kind::HasPart,
            Kind::HasPart => Kind::PartOf,
            other => other,
        }
    }
}

/// Minimum share of an edited copy. Below it, an article is none, however certainly it reuses text: of 18 groups that a
/// reader rejected or doubted, 15 were joined by smaller shares.
pub const COPY_SHARE: f64 = 0.5;

/// Why two compared articles are not related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Why {
    Related = 0,
    Apart = 1,
    /// Two reports from one template: other facts in the same words.
    Template = 2,
    /// Enough text in common, but the facts differ.
    Facts = 3,
    /// Like Template, where figures alone differ: an update, if one source published both within hours.
    Figures = 4,
    /// Published more days apart than allowed.
    Days = 5,
}

impl Why {
    pub const ALL: [Why; 6] = [Why::Related, Why::Apart, Why::Template, Why::Facts, Why::Figures, Why::Days];
}

/// The share of left found in right, the share of right found in left, and the relation that follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    pub forward: f64,
    pub backward: f64,
    pub kind: Kind,
    pub why: Why,
    /// The value compared with the detector's threshold: the pair is related for every threshold up to this one. 0 for
    /// unrelated pairs.
    pub score: f64,
}

impl Overlap {
    /// A related pair; without common text it is unrelated, however low the threshold, since it shares no key.
    pub fn related(forward: f64, backward: f64, kind: Kind, score: f64) -> Self {
        if forward <= 0.0 && backward <= 0.0 {
            return Overlap::apart(forward, backward, Why::Apart);
        }
        Overlap { forward, backward, kind, why: Why::Related, score: score.min(1.0) }
    }

    /// Near, or unrelated.
    pub fn near_if(is_near: bool, forward: f64, backward: f64, score: f64) -> Self {
        match is_near {
            true => Overlap::related(forward, backward, Kind::Near, score),
            false => Overlap::apart(forward, backward, Why::Apart),
        }
    }

    pub fn apart(forward: f64, backward: f64, why: Why) -> Self {
        Overlap { forward, backward, kind: Kind::None, why, score: 0.0 }
    }

    /// The overlap if one or both articles have nothing to compare: two such articles are alike, but never candidates.
    pub fn without(left: bool, right: bool) -> Option<Self> {
        match (left, right) {
            (false, false) => None,
            (true, true) => Some(Overlap::related(1.0, 1.0, Kind::Near, 1.0)),
            _ => Some(Overlap::apart(0.0, 0.0, Why::Apart)),
        }
    }

    pub fn share(&self) -> f64 {
        self.forward.max(self.backward)
    }

    /// Whether the articles are two reports from one template, with other facts.
    pub fn is_template(&self) -> bool {
        self.kind == Kind::None && matches!(self.why, Why::Template | Why::Figures)
    }

    pub fn flipped(&self) -> Self {
        Overlap { forward: self.backward, backward: self.forward, kind: self.kind.flipped(), ..*self }
    }
}
