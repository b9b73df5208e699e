//! A detector with a hard limit of days between related articles. Articles without a date have no limit.

use std::sync::Arc;

use super::api::{Article, ArticleText, Comparer, Detector, Overlap, Part, RequiredOverlap, Sample, Wants, Why};
use super::plan::CandidatePlan;

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

    fn works_in_batches(&self) -> bool {
        self.inner.works_in_batches()
    }

    fn sign_all(&self, articles: &[ArticleText]) -> Vec<Vec<u32>> {
        self.inner.sign_all(articles)
    }

    fn compare_pairs(&self, signatures: &[&[u32]], pairs: &[(u32, u32)]) -> Vec<Overlap> {
        self.inner.compare_pairs(signatures, pairs)
    }

    fn candidate_pairs(&self, signatures: &[&[u32]], _for_components: bool) -> Option<Vec<(u32, u32)>> {
        // all pairs: a spanning forest could connect two articles by a pair with too many days between them
        self.inner.candidate_pairs(signatures, false)
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        self.inner.is_well_formed(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.inner.keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let plan = self.inner.candidate_plan();
        CandidatePlan { max_days: Some(plan.max_days.map_or(self.days, |days| days.min(self.days))), ..plan }
    }

    fn live_keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.inner.live_keys(signature, keys);
    }

    fn required_overlap(&self, signature: &[u32], overlap: &mut RequiredOverlap) {
        self.inner.required_overlap(signature, overlap);
    }

    fn summary(&self, signature: &[u32]) -> u64 {
        self.inner.summary(signature)
    }

    fn may_match(&self, left: u64, right: u64, shared: usize) -> bool {
        self.inner.may_match(left, right, shared)
    }

    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        self.inner.admits(left, right, shared, fewer)
    }

    fn admits_all(&self, left: &[u32], rights: &[&[u32]], counts: &[(usize, usize)]) -> Vec<bool> {
        self.inner.admits_all(left, rights, counts)
    }

    fn depends_on_days(&self) -> bool {
        true
    }

    fn adjust_for_days(&self, overlap: Overlap, days: u32) -> Overlap {
        if days <= self.days {
            return self.inner.adjust_for_days(overlap, days);
        }
        let why = match overlap.why {
            Why::Related => Why::Days,
            Why::Figures => Why::Template, // no update either, although midnight may be between the two
            why => why,
        };
        Overlap::apart(overlap.forward, overlap.backward, why)
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
