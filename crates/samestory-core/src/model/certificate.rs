//! The certificate of a group: why the nearest article outside is not in it.

/// Why the nearest article outside a group is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Too little in common.
    Apart,
    /// One template, other facts.
    Template,
    /// Enough text in common, but the facts differ.
    Facts,
    /// Published too many days apart.
    Days,
    /// Related, but in a way that does not join groups.
    Kind,
    /// Related to the representative, but a member of another group.
    Taken,
    /// In a group of the same topic, which is another event.
    Topic,
    /// Kept apart by a decision.
    Forbidden,
}

impl Outside {
    pub fn name(self) -> &'static str {
        match self {
            Outside::Apart => "below the threshold",
            Outside::Template => "same template, other facts",
            Outside::Facts => "other facts",
            Outside::Days => "too many days apart",
            Outside::Kind => "related in another way",
            Outside::Taken => "in another group",
            Outside::Topic => "same topic, another event",
            Outside::Forbidden => "decided to be apart",
        }
    }
}
