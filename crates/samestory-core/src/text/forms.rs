//! What the form of a word, or the word beside it, shows about an act: is it planned, is it done, and by whom? "To
//! sign" and "signed" are two events, and "beaten by Denmark" gives Denmark the same role as "Denmark beat".
//!
//! English marks this by the word before ("will", "to", "by"), Turkish and Russian by endings; Turkish puts
//! "tarafından" after the agent. Endings are guesses: many nouns have the same ones, so they count only against another
//! form of the same word.

/// The act is in the future.
pub const AHEAD: u32 = 1;
/// The act is done.
pub const DONE: u32 = 2;
/// The agent of a passive sentence.
pub const DOER: u32 = 4;

const ENGLISH_AHEAD: [&str; 3] = ["will", "to", "shall"];
/// Headlines use the present tense for completed acts.
const ENGLISH_DONE: [&str; 2] = ["ed", "s"];
const TURKISH_AHEAD: [&str; 4] = ["acak", "ecek", "acağ", "eceğ"];
const TURKISH_DONE: [&str; 16] = [
    "dı", "di", "du", "dü", "tı", "ti", "tu", "tü", "dılar", "diler", "dular", "düler", "tılar", "tiler", "tular",
    "tüler",
];
const RUSSIAN_DONE: [&str; 8] = ["л", "ла", "ло", "ли", "лся", "лась", "лось", "лись"];
const RUSSIAN_AHEAD: [&str; 12] = ["ет", "ит", "ут", "ют", "ат", "ят", "ется", "ится", "утся", "ются", "атся", "ятся"];
/// Present or repeated acts.
const RUSSIAN_NOW: [&str; 10] = ["ает", "яет", "ают", "яют", "ует", "уют", "ается", "яется", "аются", "яются"];
/// Shorter words have no usable ending.
const MIN_LETTERS: usize = 5;

/// The form of a folded word of a language; `before` and `after` are the unfolded words beside it, or empty.
pub fn of(language: &str, before: &str, word: &str, after: &str) -> u32 {
    let behind = |words: &[&str]| words.iter().any(|known| before.eq_ignore_ascii_case(known));
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let long = word.chars().nth(MIN_LETTERS - 1).is_some();
    match language {
        "en" if behind(&["by"]) => DOER,
        "en" if ends(&ENGLISH_DONE) => DONE,
        "en" if behind(&ENGLISH_AHEAD) => AHEAD,
        "tr" if after == "tarafından" => DOER,
        "tr" if long && TURKISH_AHEAD.iter().any(|ending| word.contains(ending)) => AHEAD,
        "tr" if long && ends(&TURKISH_DONE) => DONE,
        "ru" if long && ends(&RUSSIAN_DONE) => DONE,
        "ru" if long && ends(&RUSSIAN_AHEAD) && !ends(&RUSSIAN_NOW) => AHEAD,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_to_come_are_told_from_those_done() {
        assert_eq!(of("en", "will", "sign", ""), AHEAD);
        assert_eq!(of("en", "president", "signs", ""), DONE);
        assert_eq!(of("tr", "", "imzalayacak", ""), AHEAD);
        assert_eq!(of("tr", "", "imzalayacağını", ""), AHEAD);
        assert_eq!(of("tr", "", "imzaladı", ""), DONE);
        assert_eq!(of("ru", "", "подпишет", ""), AHEAD);
        assert_eq!(of("ru", "", "подписал", ""), DONE);
        assert_eq!(of("ru", "", "высылает", ""), 0);
        assert_eq!(of("de", "", "unterzeichnet", ""), 0);
    }

    #[test]
    fn the_doer_is_told_where_something_is_done_to_another() {
        assert_eq!(of("en", "By", "denmark", ""), DOER);
        assert_eq!(of("tr", "", "kosova", "tarafından"), DOER);
    }
}
