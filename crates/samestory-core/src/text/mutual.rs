//! Words for mutual acts, where subject and object may be swapped. "Denmark meets Croatia" and "Croatia meets Denmark"
//! mean the same, "Denmark beat Croatia" and "Croatia beat Denmark" do not.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::background::STEM;
use crate::base::hash;

const WORDS: &str = "meet met talk discuss sign agree deal pact draw drew tied play face clash marry married wed \
    divorc merge merger swap exchange versus share border \
    görüş buluş anlaş imza berabere karşılaş oynadı oynuyor evlen boşan birleş takas tokalaş rakip paylaş \
    встре обсуд подпи догов сыгра бесед ничь пожен обмен объед созвон сотруд развел";

static STEMS: LazyLock<HashSet<u32>> = LazyLock::new(|| WORDS.split_whitespace().map(stem).collect());

fn stem(word: &str) -> u32 {
    let end = word.char_indices().nth(STEM).map_or(word.len(), |(end, _)| end);
    (hash::token(&word.as_bytes()[..end]) >> 32) as u32
}

/// Is this the stem of a mutual act, as items of news store it?
pub fn is_mutual(stem: u32) -> bool {
    STEMS.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_is_met_and_who_beats_is_not_beaten() {
        assert!(["meets", "görüştü", "встретился"].iter().all(|word| is_mutual(stem(word))));
        assert!(["beats", "yendi", "обыграл"].iter().all(|word| !is_mutual(stem(word))));
    }
}
