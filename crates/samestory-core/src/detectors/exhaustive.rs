//! Compares all pairs: the relations that a detector would report if its keys missed none. Quadratic; for measuring.

use std::sync::Arc;

use super::api::{Article, BatchDetector, Comparer, DayRule, Detector, Part, Sample, Wants};

pub struct Exhaustive {
    pub inner: Arc<dyn Detector>,
}

impl Detector for Exhaustive {
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
        // an article without a signature has no candidates here either
        if !signature.is_empty() {
            keys.push(1);
        }
    }

    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        self.inner.day_rule()
    }

    fn calibrates(&self) -> bool {
        self.inner.calibrates()
    }

    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        Some(Arc::new(Exhaustive { inner: self.inner.calibrate(sample)? }))
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
