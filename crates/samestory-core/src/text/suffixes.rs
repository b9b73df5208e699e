//! Suffixes after an apostrophe, for texts in which the apostrophe follows a blank or is lost.

/// Maximum bytes of a known suffix.
pub const MAX_SUFFIX_BYTES: usize = 9;

/// Suffixes of English words.
const ENGLISH: &[&str] = &["s", "t", "d", "m", "ll", "re", "ve"];

/// Suffixes of Turkish names and figures: case, possession, plural, place, copula and order, by the vowels. Sorted.
#[rustfmt::skip]
const TURKISH: &[&str] = &[
    "a", "ca", "ce", "da", "daki", "dakilar", "dan", "de", "deki", "dekiler", "den", "dir", "dur", "dür", "dır", "e",
    "i", "in", "inci", "la", "lar", "lara", "larda", "lardan", "larla", "ları", "ların", "larının", "le", "ler",
    "lerde", "lerden", "lere", "leri", "lerin", "lerinin", "lerle", "li", "lik", "liler", "lilerin", "lu", "luk",
    "lular", "luların", "lü", "lük", "lüler", "lülerin", "lı", "lık", "lılar", "lıların", "na", "nca", "nce", "nci",
    "ncu", "ncü", "ncı", "nda", "ndaki", "ndan", "nde", "ndeki", "nden", "ne", "ni", "nin", "nu", "nun", "nü", "nün",
    "nı", "nın", "si", "sin", "sinde", "sinden", "sine", "sini", "sinin", "su", "sun", "suna", "sunda", "sundan",
    "sunu", "sunun", "sü", "sün", "sünde", "sünden", "süne", "sünü", "sünün", "sı", "sın", "sına", "sında", "sından",
    "sını", "sının", "ta", "taki", "tan", "te", "teki", "ten", "tir", "tur", "tür", "tır", "u", "un", "uncu", "ya",
    "ydi", "ydu", "ydü", "ydı", "ye", "yi", "yken", "yla", "yle", "ymiş", "ymuş", "ymüş", "ymış", "yu", "yü", "yı",
    "ça", "çe", "ü", "ün", "üncü", "ı", "ın", "ıncı",
];

/// Those of them that are also words: "Efes de geldi" (Efes came too) is no "Efes'de". A single letter may be a name as
/// well.
const WORDS: &[&str] = &[
    "da", "de", "ne", "ya", "ye", "su", "ta", "tan", "ten", "la", "le", "un", "sun", "sin", "tur", "tür", "dur", "tır",
    "ün", "inci", "sine", "sini", "sunu",
];

pub fn is_english(folded: &str) -> bool {
    ENGLISH.contains(&folded)
}

pub fn is_turkish(folded: &str) -> bool {
    TURKISH.binary_search(&folded).is_ok()
}

/// Is it a suffix and not also a word, so that it is one without an apostrophe?
pub fn is_turkish_alone(folded: &str) -> bool {
    folded.chars().nth(1).is_some() && is_turkish(folded) && !WORDS.contains(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_sorted_and_short_and_words_are_among_them() {
        assert!(TURKISH.windows(2).all(|two| two[0] < two[1]));
        assert!(TURKISH.iter().all(|suffix| suffix.len() <= MAX_SUFFIX_BYTES && is_turkish(suffix)));
        assert!(WORDS.iter().all(|word| is_turkish(word) && !is_turkish_alone(word)));
    }
}
