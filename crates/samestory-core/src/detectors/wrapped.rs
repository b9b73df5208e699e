//! A detector with one change: it compares all pairs, or only articles within some days.

use std::sync::Arc;

use super::api::{Article, BatchDetector, CalibratedDetector, Comparer, DayRule, Detector, Overlap, Part, Wants, Why};
use super::plan::CandidatePlan;
use super::plan_parts::PairSource;
use super::sample::Sample;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectorChange {
    /// Compares all pairs: the relations that the detector would report if its keys missed none. Quadratic; for measuring.
    AllPairs,
    /// The most calendar days (UTC) between two related articles. Articles without a date have no limit.
    MaxDays(u32),
}

/// Changes a detector; everything else is that of `inner`. The lint fails where a method of the traits is missing here.
pub struct Wrapped {
    pub inner: Arc<dyn Detector>,
    pub change: DetectorChange,
}

#[deny(clippy::missing_trait_methods)]
impl Detector for Wrapped {
    fn wants(&self) -> Wants {
        self.inner.wants()
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        self.inner.sign(article, signature);
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        match self.change {
            // an article without a signature has no candidates here either
            DetectorChange::AllPairs => keys.extend((!signature.is_empty()).then_some(1)),
            DetectorChange::MaxDays(_) => self.inner.keys(signature, keys),
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        self.inner.comparer()
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let DetectorChange::MaxDays(max) = self.change else { return CandidatePlan::default() };
        let plan = self.inner.candidate_plan();
        CandidatePlan {
            max_days: Some(plan.max_days.map_or(max, |days| days.min(max))),
            pair_source: plan.pair_source.map(|inner| Arc::new(AllPairs(inner)) as Arc<dyn PairSource>),
            ..plan
        }
    }

    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        let inner = self.inner.day_rule();
        match self.change {
            DetectorChange::AllPairs => inner,
            DetectorChange::MaxDays(days) => Some(Arc::new(MaxDays { days, inner })),
        }
    }

    fn calibration(&self) -> Option<&dyn CalibratedDetector> {
        self.inner.calibration().map(|_| self as &dyn CalibratedDetector)
    }

    fn batch(&self) -> Option<&dyn BatchDetector> {
        self.inner.batch()
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        self.inner.is_well_formed(signature)
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.inner.parts(article)
    }
}

/// The calibration of `inner`, of a detector that has one; the calibrated detector has the same change.
#[deny(clippy::missing_trait_methods)]
impl CalibratedDetector for Wrapped {
    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        let days = match self.change {
            DetectorChange::AllPairs => sample.days,
            DetectorChange::MaxDays(max) => Some(sample.days.map_or(max, |days| days.min(max))),
        };
        let inner = self.inner.calibration()?.calibrate(&Sample { days, ..sample.clone() })?;
        Some(Arc::new(Wrapped { inner, change: self.change }))
    }

    fn is_calibrated(&self) -> bool {
        self.inner.calibration().is_some_and(|inner| inner.is_calibrated())
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.inner.calibration().map_or(vec![], |inner| inner.to_bytes())
    }

    fn apply(&self, signature: &mut [u32]) {
        if let Some(inner) = self.inner.calibration() {
            inner.apply(signature);
        }
    }

    fn ignores_parts(&self, signature: &[u32]) -> bool {
        self.inner.calibration().is_some_and(|inner| inner.ignores_parts(signature))
    }
}

/// The rule of another detector, for articles at most so many days apart; others are not related.
struct MaxDays {
    days: u32,
    inner: Option<Arc<dyn DayRule>>,
}

impl DayRule for MaxDays {
    fn adjust(&self, overlap: Overlap, days: u32) -> Overlap {
        if days <= self.days {
            return self.inner.as_ref().map_or(overlap, |inner| inner.adjust(overlap, days));
        }
        let why = match overlap.why {
            Why::Related => Why::Days,
            Why::Figures => Why::Template, // no update either, although midnight may be between the two
            why => why,
        };
        Overlap::apart(overlap.forward, overlap.backward, why)
    }
}

/// All pairs of another source: a spanning forest could connect two articles by a pair with too many days between them.
struct AllPairs(Arc<dyn PairSource>);

impl PairSource for AllPairs {
    fn candidate_pairs(&self, signatures: &[&[u32]], _for_components: bool) -> Vec<(u32, u32)> {
        self.0.candidate_pairs(signatures, false)
    }
}
