//! A detector with a hard limit of days between related articles. Articles without a date have no limit.

use std::sync::Arc;

use super::api::{Article, BatchDetector, Comparer, DayRule, Detector, Overlap, Part, Sample, Wants, Why};
use super::plan::CandidatePlan;
use super::plan_parts::PairSource;

pub struct Within {
    pub inner: Arc<dyn Detector>,
    /// The most calendar days (UTC) between two related articles.
    pub days: u32,
}

impl Detector for Within {
    fn wants(&self) -> Wants {
        self.inner.wants()
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        self.inner.sign(article, signature);
    }

    fn parts(&self, article: &Article) -> Vec<Part> {
        self.inner.parts(article)
    }

    fn batch(&self) -> Option<&dyn BatchDetector> {
        self.inner.batch()
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        self.inner.is_well_formed(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.inner.keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let plan = self.inner.candidate_plan();
        CandidatePlan {
            max_days: Some(plan.max_days.map_or(self.days, |days| days.min(self.days))),
            pair_source: plan.pair_source.map(|inner| Arc::new(AllPairs(inner)) as Arc<dyn PairSource>),
            ..plan
        }
    }

    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        Some(Arc::new(MaxDays { days: self.days, inner: self.inner.day_rule() }))
    }

    fn calibrates(&self) -> bool {
        self.inner.calibrates()
    }

    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        let days = Some(sample.days.map_or(self.days, |days| days.min(self.days)));
        let sample = Sample { days, ..sample.clone() };
        Some(Arc::new(Within { inner: self.inner.calibrate(&sample)?, days: self.days }))
    }

    fn is_calibrated(&self) -> bool {
        self.inner.is_calibrated()
    }

    fn calibration(&self) -> Vec<u8> {
        self.inner.calibration()
    }

    fn ignores_parts(&self, signature: &[u32]) -> bool {
        self.inner.ignores_parts(signature)
    }

    fn apply_calibration(&self, signature: &mut [u32]) {
        self.inner.apply_calibration(signature);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        self.inner.comparer()
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
