//! Detectors by name.

use std::sync::Arc;

use super::api::Detector;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetDetector;
use super::sets::Rule::{Contains, Resembles};
use super::{
    cedar, codet, cooper, cops, cosine, ddd, dsc, dsc_ss, dsc_varol, event, exact, exact_hash, henzinger, imatch,
    koala, mega, minhash, park, reuse, sanderson, scam, sif, simhash, spotsigs, tweezer, tweezer_set, winnow,
    word_runs,
};

/// The detector of this name, if there is one.
pub fn build(name: &str, parameters: &Parameters) -> Result<Option<Arc<dyn Detector>>, Missing> {
    Ok(Some(match name {
        "cedar" => Arc::new(SetDetector::of(Resembles, cedar::Cedar::of(parameters)?, parameters)?),
        "codet" => Arc::new(codet::CoDet::of(parameters)?),
        "cooper" => Arc::new(cooper::Cooper::of(parameters)?),
        "cops" => Arc::new(cops::Cops::of(parameters)?),
        "cosine" => Arc::new(cosine::Cosine::of(parameters)?),
        "ddd" => Arc::new(ddd::Ddd::of(parameters)?),
        "dsc" => Arc::new(dsc::Dsc::of(parameters)?),
        "dsc-ss" => Arc::new(dsc_ss::DscSs::of(parameters)?),
        "dsc-varol" => Arc::new(SetDetector::of(Contains, dsc_varol::DscVarol::of(parameters)?, parameters)?),
        "event" => Arc::new(event::Event::of(parameters)?),
        "exact" => Arc::new(exact::Exact),
        "ffp" => Arc::new(SetDetector::of(Contains, word_runs::WordRuns::of(parameters)?, parameters)?),
        "henzinger" => Arc::new(henzinger::Henzinger::of(parameters)?),
        "imatch-idf" => Arc::new(imatch::IMatch::band(parameters)?),
        "imatch-rand" => Arc::new(imatch::IMatch::random(parameters)?),
        "imatch-top10" => Arc::new(imatch::IMatch::top(parameters)?),
        "koala" => Arc::new(koala::Koala::of(parameters)?),
        "md5-exact" => Arc::new(exact_hash::ExactHash::Md5),
        "mega" => Arc::new(mega::Mega::of(parameters)?),
        "minhash" => Arc::new(minhash::MinHash::of(parameters)?),
        "park" => Arc::new(park::Park::of(parameters)?),
        "resemblance" => Arc::new(SetDetector::of(Resembles, word_runs::WordRuns::of(parameters)?, parameters)?),
        "reuse" => Arc::new(reuse::Reuse::of(parameters)?),
        "sanderson" => Arc::new(sanderson::Sanderson::of(parameters)?),
        "scam" => Arc::new(scam::Scam::of(parameters)?),
        "sha1-exact" => Arc::new(exact_hash::ExactHash::Sha1),
        "sif" => Arc::new(SetDetector::of(Contains, sif::Sif::of(parameters)?, parameters)?),
        "simhash" => Arc::new(simhash::SimHash::of(parameters)?),
        "spotsigs" => Arc::new(SetDetector::of(Resembles, spotsigs::SpotSigs::of(parameters)?, parameters)?),
        "tweezer" => Arc::new(tweezer::Tweezer::of(parameters)?),
        "tweezer-set" => Arc::new(SetDetector::of(Contains, tweezer_set::TweezerSet::of(parameters)?, parameters)?),
        "winnow" => Arc::new(SetDetector::of(Contains, winnow::Winnow::of(parameters)?, parameters)?),
        _ => return Ok(None),
    }))
}
