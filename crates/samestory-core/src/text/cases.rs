//! The case of a name, by its ending: its role in a sentence as subject, object or owner.
//!
//! Turkish puts case endings behind an apostrophe, English "'s"; in Russian the ending itself is a guess. A case number
//! means little alone: what counts is whether a name has another case elsewhere, and whether two names have the same.

/// Bits of a case.
pub const BITS: u32 = 2;

/// The bare name; in Russian any name without a known ending.
pub const BARE: u32 = 0;
/// The object of the act; in English, the owner.
pub const OBJECT: u32 = 1;
const OWNER: u32 = 2;
const OTHER: u32 = 3;
/// Separators of the names of a list in Turkish; not the comma, which may also follow the subject.
const LIST: [&str; 3] = ["ve", "ile", "-"];

const TURKISH_OWNER: [&str; 4] = ["ın", "in", "un", "ün"];
const TURKISH_OBJECT: [&str; 6] = ["ı", "i", "u", "ü", "a", "e"];
const RUSSIAN_OBJECT: [&str; 17] =
    ["у", "ю", "ом", "ем", "ём", "ой", "ей", "ого", "его", "ому", "ему", "ым", "им", "ах", "ях", "ами", "ями"];

/// The case of a folded name in a language; `suffix` is the text after its apostrophe.
pub fn of(language: &str, word: &str, suffix: &str) -> u32 {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match language {
        "tr" if suffix.is_empty() => BARE,
        "tr" => {
            let ending = suffix.trim_start_matches(['y', 'n']);
            let is = |endings: &[&str]| endings.contains(&ending);
            match () {
                () if is(&TURKISH_OWNER) => OWNER,
                () if is(&TURKISH_OBJECT) => OBJECT,
                () => OTHER,
            }
        }
        "ru" if ends(&RUSSIAN_OBJECT) => OBJECT,
        "ru" if ends(&["а", "я"]) => OWNER,
        "ru" if ends(&["и", "ы", "е"]) => OTHER,
        "ru" => BARE,
        _ => u32::from(!suffix.is_empty()),
    }
}

const RUSSIAN_WHERE: [&str; 12] = ["в", "во", "на", "из", "от", "к", "с", "о", "об", "для", "у", "по"];

/// The case of a name of capitals only, after another word: its last letter is no ending in Russian ("США", "ЦСКА"),
/// but a preposition before it shows that it is not the subject.
pub fn of_letters(language: &str, before: &str, suffix: &str) -> u32 {
    match language {
        "ru" if RUSSIAN_WHERE.contains(&before.to_lowercase().as_str()) => OTHER,
        "ru" => BARE,
        _ => of(language, "", suffix),
    }
}

/// The case of a bare name, given the text between it and its neighbours: in a list it is OTHER.
pub fn in_list(language: &str, case: u32, between: [&str; 2]) -> u32 {
    let listed = |text: &str| LIST.iter().any(|mark| text.trim().eq_ignore_ascii_case(mark));
    if language == "tr" && case == BARE && between.into_iter().any(listed) {
        OTHER
    } else {
        case
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_told_by_its_ending() {
        let of = |language, word| {
            let (base, suffix) = str::split_once(word, '\'').unwrap_or((word, ""));
            of(language, base, suffix)
        };
        assert_eq!(of("tr", "iran"), BARE);
        assert!(["iran'ı", "ankara'yı", "iran'a", "ankara'ya"].iter().all(|word| of("tr", word) == OBJECT));
        assert!(["iran'ın", "ankara'nın"].iter().all(|word| of("tr", word) == OWNER));
        assert!(["iran'da", "iran'dan", "iran'la"].iter().all(|word| of("tr", word) == OTHER));
        assert_eq!(of("ru", "зенит"), BARE);
        assert!(["зенитом", "вестлию", "ирану"].iter().all(|word| of("ru", word) == OBJECT));
        assert_ne!(of("ru", "нордия"), of("ru", "нордии"));
        assert_ne!(of("en", "iran"), of("en", "iran's"));
        assert_eq!(of_letters("ru", "обвинил", ""), BARE);
        assert_eq!(of_letters("ru", "В", ""), OTHER);
        assert_eq!(of_letters("tr", "", "yi"), OBJECT);
    }

    #[test]
    fn names_in_a_list_have_a_case_of_their_own() {
        assert_eq!(in_list("tr", BARE, [", ", " "]), BARE);
        assert_eq!(in_list("tr", BARE, [" ve ", " "]), OTHER);
        assert_eq!(in_list("tr", OBJECT, [" ve ", " "]), OBJECT);
    }
}
