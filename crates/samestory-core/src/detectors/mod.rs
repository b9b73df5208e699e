//! Detectors: article tokens to signatures, signatures to keys, pairs of signatures to overlaps.
//!
//! A signature is a row of 32-bit numbers, a key is a 64-bit number; two articles are candidates when they share enough
//! keys. A detector holds no articles.

use std::sync::Arc;

use crate::seeking::Demand;
use crate::text::languages::is_turkish_case;
use crate::text::tokens::Token;

mod cedar;
pub mod codet;
mod cooper;
mod cops;
mod cosine;
mod dates;
mod ddd;
mod dsc;
mod dsc_ss;
mod dsc_varol;
pub mod entity_shingles;
mod equal;
pub mod event;
mod exact;
mod exact_hash;
mod exhaustive;
mod henzinger;
mod imatch;
mod koala;
mod lookup;
mod mega;
mod minhash;
mod minima;
mod parameters;
mod park;
pub mod reuse;
mod sanderson;
mod scam;
mod sets;
mod sif;
mod simhash;
mod sketch;
mod spotsigs;
mod supers;
mod tweezer;
mod tweezer_set;
mod vectors;
mod vocabulary;
mod winnow;
mod within;
mod word_runs;

pub use cedar::runs_of_words;
pub use exhaustive::Exhaustive;
pub use parameters::{Missing, Parameters, Value};
pub use within::Within;

/// The detector of this name, if there is one.
pub fn build(name: &str, parameters: &Parameters) -> Result<Option<Arc<dyn Detector>>, Missing> {
    Ok(Some(match name {
        "cedar" => Arc::new(cedar::Cedar::of(parameters)?),
        "codet" => Arc::new(codet::CoDet::of(parameters)?),
        "cooper" => Arc::new(cooper::Cooper::of(parameters)?),
        "cops" => Arc::new(cops::Cops::of(parameters)?),
        "cosine" => Arc::new(cosine::Cosine::of(parameters)?),
        "ddd" => Arc::new(ddd::Ddd::of(parameters)?),
        "dsc" => Arc::new(dsc::Dsc::of(parameters)?),
        "dsc-ss" => Arc::new(dsc_ss::DscSs::of(parameters)?),
        "dsc-varol" => Arc::new(dsc_varol::DscVarol::of(parameters)?),
        "event" => Arc::new(event::Event::of(parameters)?),
        "exact" => Arc::new(exact::Exact),
        "ffp" => Arc::new(word_runs::WordRuns::of(sets::Rule::Contains, parameters)?),
        "henzinger" => Arc::new(henzinger::Henzinger::of(parameters)?),
        "imatch-idf" => Arc::new(imatch::IMatch::band(parameters)?),
        "imatch-rand" => Arc::new(imatch::IMatch::random(parameters)?),
        "imatch-top10" => Arc::new(imatch::IMatch::top(parameters)?),
        "koala" => Arc::new(koala::Koala::of(parameters)?),
        "md5-exact" => Arc::new(exact_hash::ExactHash::Md5),
        "mega" => Arc::new(mega::Mega::of(parameters)?),
        "minhash" => Arc::new(minhash::MinHash::of(parameters)?),
        "park" => Arc::new(park::Park::of(parameters)?),
        "resemblance" => Arc::new(word_runs::WordRuns::of(sets::Rule::Resembles, parameters)?),
        "reuse" => Arc::new(reuse::Reuse::of(parameters)?),
        "sanderson" => Arc::new(sanderson::Sanderson::of(parameters)?),
        "scam" => Arc::new(scam::Scam::of(parameters)?),
        "sha1-exact" => Arc::new(exact_hash::ExactHash::Sha1),
        "sif" => Arc::new(sif::Sif::of(parameters)?),
        "simhash" => Arc::new(simhash::SimHash::of(parameters)?),
        "spotsigs" => Arc::new(spotsigs::SpotSigs::of(parameters)?),
        "tweezer" => Arc::new(tweezer::Tweezer::of(parameters)?),
        "tweezer-set" => Arc::new(tweezer_set::TweezerSet::of(parameters)?),
        "winnow" => Arc::new(winnow::Winnow::of(parameters)?),
        _ => return Ok(None),
    }))
}

/// What was found between two articles.
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

/// An article that has less of another is no edited copy of it, however certainly it reuses its text: of 18 groups that a
/// reader refused or doubted, 15 were held together by less.
pub const COPY_SHARE: f64 = 0.5;

/// Why two compared articles are not related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Why {
    Related = 0,
    Apart = 1,
    /// Two reports from one template: other facts stand in the same words.
    Template = 2,
    /// Enough text in common, but the facts differ.
    Facts = 3,
    /// Like Template, where figures alone differ: an update, if one source printed both within hours.
    Figures = 4,
    /// Published more days apart than is wanted.
    Days = 5,
}

impl Why {
    pub const ALL: [Why; 6] = [Why::Related, Why::Apart, Why::Template, Why::Facts, Why::Figures, Why::Days];
}

/// The share of left found in right, the share of right found in left, and what that means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    pub forward: f64,
    pub backward: f64,
    pub kind: Kind,
    pub why: Why,
    /// What the detector's threshold cuts: the pair is related for every threshold up to this one. 0 for pairs that are
    /// not related.
    pub score: f64,
}

impl Overlap {
    /// Related; but articles that have nothing in common are not, however low the threshold: no key brings them together.
    pub fn related(forward: f64, backward: f64, kind: Kind, score: f64) -> Self {
        if forward <= 0.0 && backward <= 0.0 {
            return Overlap::apart(forward, backward, Why::Apart);
        }
        Overlap { forward, backward, kind, why: Why::Related, score: score.min(1.0) }
    }

    pub fn apart(forward: f64, backward: f64, why: Why) -> Self {
        Overlap { forward, backward, kind: Kind::None, why, score: 0.0 }
    }

    /// What is said of articles of which one or both have nothing to compare: two of them are alike, but never meet.
    pub(crate) fn without(left: bool, right: bool) -> Option<Self> {
        match (left, right) {
            (false, false) => None,
            (true, true) => Some(Overlap::related(1.0, 1.0, Kind::Near, 1.0)),
            _ => Some(Overlap::apart(0.0, 0.0, Why::Apart)),
        }
    }

    pub fn share(&self) -> f64 {
        self.forward.max(self.backward)
    }

    /// Are they two reports from one template, with other facts?
    pub fn is_template(&self) -> bool {
        self.kind == Kind::None && matches!(self.why, Why::Template | Why::Figures)
    }

    pub fn flipped(&self) -> Self {
        Overlap { forward: self.backward, backward: self.forward, kind: self.kind.flipped(), ..*self }
    }
}

/// An article as a detector takes it.
#[derive(Clone, Copy, Debug)]
pub struct Article<'a> {
    /// Its packed tokens.
    pub words: &'a [u32],
    /// Its tokens with their places, its text and the code of its language: for detectors that want the text.
    pub tokens: &'a [Token],
    pub text: &'a str,
    /// Its headline; empty where it has none.
    pub title: &'a str,
    pub language: &'a str,
    /// When it was published, in microseconds; NO_TIME where nobody knows.
    pub published: i64,
}

impl Article<'_> {
    pub fn is_turkish(&self) -> bool {
        is_turkish_case(self.language)
    }
}

/// How much of an article a detector looks at; what it does not want is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// The packed tokens alone.
    Words,
    /// The text too, the places of the tokens, and the language.
    Text,
}

/// A sample of a collection: the articles with the smallest id hashes.
#[derive(Clone)]
pub struct Sample<'a> {
    pub signatures: Vec<&'a [u32]>,
    /// The source of every article, 0 if unknown; or nothing.
    pub sources: Vec<u64>,
    /// Number of articles of the collection.
    pub total: usize,
    /// Texts are compared as they are, without repairs.
    pub as_is: bool,
    /// A limit of days between compared articles, beside that of the detector.
    pub days: Option<u32>,
}

impl<'a> Sample<'a> {
    pub const MAX_ARTICLES: usize = 20_000;

    /// Draws a sample from (id hash, signature, source) of all articles.
    pub fn draw(articles: impl Iterator<Item = (u64, &'a [u32], u64)>, as_is: bool) -> Self {
        let mut articles: Vec<(u64, &[u32], u64)> = articles.collect();
        let total = articles.len();
        if total > Self::MAX_ARTICLES {
            articles.select_nth_unstable(Self::MAX_ARTICLES);
            articles.truncate(Self::MAX_ARTICLES);
        }
        articles.sort_unstable();
        let (signatures, sources) = articles.into_iter().map(|(_, signature, source)| (signature, source)).unzip();
        Sample { signatures, sources, total, as_is, days: None }
    }
}

pub trait Detector: Send + Sync {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    /// Has it taken this very article before? What counts words must not count an article that comes twice.
    fn knows(&self, _id: &str, _text: &str) -> bool {
        false
    }

    /// Appends the signature of an article; none where it has nothing that the detector looks at.
    fn sign(&self, article: &Article, signature: &mut Vec<u32>);

    /// Appends the keys under which a signature is filed; none for an article without words.
    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>);

    /// How many keys two articles must share to be compared, the one with fewer keys having so many.
    fn quorum(&self, fewer: usize) -> usize {
        fewer.min(1)
    }

    /// Are two articles that share so many keys worth comparing, the one with fewer keys having `fewer`? The quorum is
    /// reached.
    fn admits(&self, _left: &[u32], _right: &[u32], _shared: usize, _fewer: usize) -> bool {
        true
    }

    /// How many of its own keys, of which there are so many, an article shares with every article it is related to,
    /// whatever keys that one has. Where it is more than one, the longest lists need not be looked at.
    fn demand(&self, _keys: usize) -> usize {
        1
    }

    /// Is an article bound to share much with what holds it, and does the detector know how much?
    fn seeks(&self) -> bool {
        false
    }

    /// Says so of a signature.
    fn demands(&self, _signature: &[u32], _demand: &mut Demand) {}

    /// Appends the numbers under which a stream files a signature: fewer than its keys, where so many of them shared say
    /// the same.
    fn filings(&self, signature: &[u32], filings: &mut Vec<u64>) {
        self.keys(signature, filings);
    }

    /// How many of those two articles must share to be compared, the one with fewer having so many.
    fn filed_quorum(&self, fewer: usize) -> usize {
        self.quorum(fewer)
    }

    /// The most days that may lie between two articles that are compared, where it asks for any.
    fn days(&self) -> Option<u32> {
        None
    }

    /// Whether signatures contain the day of publication, so that articles with equal signatures have the same day.
    fn signs_days(&self) -> bool {
        false
    }

    /// Does `at_days` weigh anything? Then two copies of one text may stand in other relations to others.
    fn weighs_days(&self) -> bool {
        false
    }

    /// What a relation found by text alone is worth between articles that lie so many days (UTC) apart.
    fn at_days(&self, overlap: Overlap, _days: u32) -> Overlap {
        overlap
    }

    /// Has it hints, which tell cheaply what it admits?
    fn hints(&self) -> bool {
        false
    }

    /// A few bits about a signature, kept at hand: signatures lie far apart.
    fn hint(&self, _signature: &[u32]) -> u64 {
        0
    }

    /// Are two articles with these hints that share so many keys worth comparing? Says no more than `admits` does.
    fn meets(&self, _left: u64, _right: u64, _shared: usize) -> bool {
        true
    }

    /// The most articles a key may have and still make candidates (0: no limit).
    fn ceiling(&self) -> usize {
        0
    }

    /// Whether its decisions depend on the collection.
    fn calibrates(&self) -> bool {
        false
    }

    /// This detector, calibrated on a sample of a collection; None if it does not calibrate.
    fn calibrate(&self, _sample: &Sample) -> Option<Arc<dyn Detector>> {
        None
    }

    /// Whether it is calibrated.
    fn is_calibrated(&self) -> bool {
        false
    }

    /// Its calibration as bytes, for `Parameters::calibration`.
    fn calibration(&self) -> Vec<u8> {
        vec![]
    }

    /// Whether the comparisons of a calibrated detector leave parts of this article out.
    fn ignores_parts(&self, _signature: &[u32]) -> bool {
        false
    }

    /// Writes the fields of a signature that depend on the calibration; `sign` does so if it is calibrated by then.
    fn apply_calibration(&self, _signature: &mut [u32]) {}

    /// Compares one left article with many right ones.
    fn comparer(&self) -> Box<dyn Comparer + '_>;
}

pub trait Comparer: Send {
    fn load(&mut self, left: &[u32]);
    fn compare(&mut self, right: &[u32]) -> Overlap;
}

/// How many values two sorted sets share.
pub(crate) fn common<T: Copy + Ord>(left: &[T], right: &[T]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0usize);
    while i < left.len() && j < right.len() {
        let (x, y) = (left[i], right[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}
