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
        "cedar" => {
            Arc::new(SetDetector::from_parameters(Resembles, cedar::Cedar::from_parameters(parameters)?, parameters)?)
        }
        "codet" => Arc::new(codet::CoDet::from_parameters(parameters)?),
        "cooper" => Arc::new(cooper::Cooper::from_parameters(parameters)?),
        "cops" => Arc::new(cops::Cops::from_parameters(parameters)?),
        "cosine" => Arc::new(cosine::Cosine::from_parameters(parameters)?),
        "ddd" => Arc::new(ddd::Ddd::from_parameters(parameters)?),
        "dsc" => Arc::new(dsc::Dsc::from_parameters(parameters)?),
        "dsc-ss" => Arc::new(dsc_ss::DscSs::from_parameters(parameters)?),
        "dsc-varol" => Arc::new(SetDetector::from_parameters(
            Contains,
            dsc_varol::DscVarol::from_parameters(parameters)?,
            parameters,
        )?),
        "event" => Arc::new(event::Event::from_parameters(parameters)?),
        "exact" => Arc::new(exact::Exact),
        "ffp" => Arc::new(SetDetector::from_parameters(
            Contains,
            word_runs::WordRuns::from_parameters(parameters)?,
            parameters,
        )?),
        "henzinger" => Arc::new(henzinger::Henzinger::from_parameters(parameters)?),
        "imatch-idf" => Arc::new(imatch::IMatch::band(parameters)?),
        "imatch-rand" => Arc::new(imatch::IMatch::random(parameters)?),
        "imatch-top10" => Arc::new(imatch::IMatch::top(parameters)?),
        "koala" => Arc::new(koala::Koala::from_parameters(parameters)?),
        "md5-exact" => Arc::new(exact_hash::ExactHash::Md5),
        "mega" => Arc::new(mega::Mega::from_parameters(parameters)?),
        "minhash" => Arc::new(minhash::MinHash::from_parameters(parameters)?),
        "park" => Arc::new(park::Park::from_parameters(parameters)?),
        "resemblance" => Arc::new(SetDetector::from_parameters(
            Resembles,
            word_runs::WordRuns::from_parameters(parameters)?,
            parameters,
        )?),
        "reuse" => Arc::new(reuse::Reuse::from_parameters(parameters)?),
        "sanderson" => Arc::new(sanderson::Sanderson::from_parameters(parameters)?),
        "scam" => Arc::new(scam::Scam::from_parameters(parameters)?),
        "sha1-exact" => Arc::new(exact_hash::ExactHash::Sha1),
        "sif" => Arc::new(SetDetector::from_parameters(Contains, sif::Sif::from_parameters(parameters)?, parameters)?),
        "simhash" => Arc::new(simhash::SimHash::from_parameters(parameters)?),
        "spotsigs" => Arc::new(SetDetector::from_parameters(
            Resembles,
            spotsigs::SpotSigs::from_parameters(parameters)?,
            parameters,
        )?),
        "tweezer" => Arc::new(tweezer::Tweezer::from_parameters(parameters)?),
        "tweezer-set" => Arc::new(SetDetector::from_parameters(
            Contains,
            tweezer_set::TweezerSet::from_parameters(parameters)?,
            parameters,
        )?),
        "winnow" => {
            Arc::new(SetDetector::from_parameters(Contains, winnow::Winnow::from_parameters(parameters)?, parameters)?)
        }
        _ => return Ok(None),
    }))
}
