//! Suffixes that hang on a word behind an apostrophe, for texts in which the apostrophe stands behind a blank or is lost.

/// The most bytes of a suffix that is known.
pub const LONGEST: usize = 9;

/// What hangs on a word of English.
const ENGLISH: &[&str] = &["s", "t", "d", "m", "ll", "re", "ve"];

/// What hangs on names and figures in Turkish: case, possession, plural, place, copula and order, by the vowels.
#[rustfmt::skip]
const TURKISH: &[&str] = &[
    "a", "e", "i", "u", "ü", "ı", "ca", "ce", "da", "de", "in", "la", "le", "li", "lu", "lü", "lı", "na", "ne", "ni",
    "nu", "nü", "nı", "si", "su", "sü", "sı", "ta", "te", "un", "ya", "ye", "yi", "yu", "yü", "yı", "ça", "çe", "ün",
    "ın", "dan", "den", "dir", "dur", "dür", "dır", "lar", "ler", "lik", "luk", "lük", "lık", "nca", "nce", "nci",
    "ncu", "ncü", "ncı", "nda", "nde", "nin", "nun", "nün", "nın", "sin", "sun", "sün", "sın", "tan", "ten", "tir",
    "tur", "tür", "tır", "ydi", "ydu", "ydü", "ydı", "yla", "yle", "daki", "deki", "inci", "lara", "ları", "lere",
    "leri", "ndan", "nden", "sine", "sini", "suna", "sunu", "süne", "sünü", "sına", "sını", "taki", "teki", "uncu",
    "yken", "ymiş", "ymuş", "ymüş", "ymış", "üncü", "ıncı", "larda", "larla", "ların", "lerde", "lerin", "lerle",
    "liler", "lular", "lüler", "lılar", "ndaki", "ndeki", "sinde", "sinin", "sunda", "sunun", "sünde", "sünün",
    "sında", "sının", "lardan", "lerden", "sinden", "sundan", "sünden", "sından", "dakilar", "dekiler", "larının",
    "lerinin", "lilerin", "luların", "lülerin", "lıların",
];

/// Those of them that are words of their own: "Efes de geldi" (Efes came too) is no "Efes'de". A single letter may be a
/// name as well.
const WORDS: &[&str] = &[
    "da", "de", "ne", "ya", "ye", "su", "ta", "tan", "ten", "la", "le", "un", "sun", "sin", "tur", "tür", "dur", "tır",
    "ün", "inci", "sine", "sini", "sunu",
];

pub fn is_english(folded: &str) -> bool {
    ENGLISH.contains(&folded)
}

pub fn is_turkish(folded: &str) -> bool {
    TURKISH.contains(&folded)
}

/// Is it a suffix, and nothing else, where no apostrophe says so?
pub fn is_turkish_alone(folded: &str) -> bool {
    folded.chars().nth(1).is_some() && is_turkish(folded) && !WORDS.contains(&folded)
}
