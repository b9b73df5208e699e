//! Classes of characters, and the folded form of words.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The dashes, quotes, bullets and dots of printed news: not words, and recognised without a search in Unicode tables.
pub(super) fn is_printed_mark(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2027}')
}

/// The apostrophes of typewriters, printers and keyboards, and characters used as one.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '′' | '`' | '´' | '＇') || is_letter_apostrophe(c)
}

/// Apostrophes that Unicode counts among the letters.
pub(super) fn is_letter_apostrophe(c: char) -> bool {
    matches!(c, 'ʹ' | 'ʻ' | 'ʼ')
}

/// Hyphens, the minus sign and the dashes that join two words; not those that separate them.
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

/// The form of a word under which it is compared: lower case by the rule of its language, composed, without invisible
/// characters, one sigma, one hyphen, letters for ligatures and full-width forms.
pub fn fold(word: &str, turkish: bool, out: &mut String) {
    out.clear();
    if word.is_ascii() && !(turkish && word.contains('I')) {
        out.push_str(word);
        out.make_ascii_lowercase();
    } else if word.chars().all(is_common) {
        word.chars().for_each(|c| push_folded(c, turkish, out));
    } else {
        word.nfc().for_each(|c| push_folded(c, turkish, out));
    }
}

fn push_folded(c: char, turkish: bool, out: &mut String) {
    match c {
        'I' if turkish => out.push('ı'),
        'İ' if turkish => out.push('i'),
        c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
        'ς' | 'Σ' => out.push('σ'),
        c if is_invisible(c) => {}
        c if is_hyphen(c) => out.push('-'),
        'ﬀ' => out.push_str("ff"),
        'ﬁ' => out.push_str("fi"),
        'ﬂ' => out.push_str("fl"),
        'ﬃ' => out.push_str("ffi"),
        'ﬄ' => out.push_str("ffl"),
        'ﬅ' | 'ﬆ' => out.push_str("st"),
        // the full-width forms are in the order of ASCII
        '！'..='～' => push_folded((c as u8).wrapping_add(0x20).into(), turkish, out),
        c => out.extend(c.to_lowercase()),
    }
}

/// Hyphens that are visible only at a line end, and invisible joiners: part of a word, but not of its meaning.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric() && c.general_category() == GeneralCategory::DecimalNumber)
}

/// The letters of the large alphabets and the punctuation of printed news: without marks and with nothing to compose,
/// so that no Unicode tables are needed.
pub(super) fn is_common(c: char) -> bool {
    matches!(c,
        '\0'..='\u{2ff}'             // Latin
        | '\u{370}'..='\u{481}'      // Greek, Cyrillic
        | '\u{48a}'..='\u{52f}'
        | '\u{5d0}'..='\u{5ea}'      // Hebrew
        | '\u{620}'..='\u{64a}'      // Arabic
        | '\u{1e00}'..='\u{1eff}'    // Latin with accents
        | '\u{2010}'..='\u{2069}'    // dashes and quotes
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}')
}

pub(super) fn is_mark(c: char) -> bool {
    !is_common(c)
        && matches!(
            c.general_category(),
            GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark | GeneralCategory::EnclosingMark
        )
}

pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() || is_mark(c) || is_invisible(c)
}

/// Scripts that put no space between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}'      // Thai, Lao
        | '\u{1000}'..='\u{109f}'    // Burmese
        | '\u{1780}'..='\u{17ff}'    // Khmer
        | '\u{3005}'..='\u{3007}'    // marks of Han writing
        | '\u{3040}'..='\u{30ff}'    // Hiragana, Katakana
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'    // Han
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'    // half-width Katakana
        | '\u{20000}'..='\u{3ffff}')
        && !is_digit(c)
        && (c.is_alphanumeric() || is_mark(c))
}
