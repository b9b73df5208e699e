//! Which language a text is in, and what follows from it for case and for sentences.

use std::borrow::Cow;

use memchr::memchr2_iter;
use whatlang::Lang;

use super::stop_words;
use super::tokens::tokenise;

/// Bytes of a text used to detect its language; more do not improve the result.
const SAMPLE_BYTES: usize = 800;
/// Bytes used to detect it by stop words.
const QUICK_SAMPLE_BYTES: usize = 400;

/// The ISO 639-1 code of the language of a text, or "und" if the text is too short to decide.
pub fn detect(text: &str) -> &'static str {
    match by_stop_words(sample(text, QUICK_SAMPLE_BYTES)) {
        Some(code) => code,
        None => whatlang::detect(sample(text, SAMPLE_BYTES)).map_or("und", |found| code(found.lang())),
    }
}

/// The language whose share of stop words is high enough, or None, which leaves it to trigrams. A hundred times as fast
/// as trigrams, and right about nearly all news of the languages that have a list.
fn by_stop_words(sample: &str) -> Option<&'static str> {
    const MIN_WORDS: usize = 20;
    let (mut words, mut hits) = (0, [0usize; stop_words::LANGUAGES.len()]);
    tokenise(sample, false, |token| {
        words += 1;
        let languages = stop_words::languages_of(token.hash);
        for (bit, hits) in hits.iter_mut().enumerate() {
            *hits += usize::from(languages >> bit & 1);
        }
    });
    let reaches = |hits: usize, percent: usize| words >= MIN_WORDS && 100 * hits >= percent * words;
    let [turkish, english, russian] = hits;
    if reaches(english, 20) && english > 4 * turkish {
        return Some("en");
    }
    // neighbours share words, but not letters: Azerbaijani has ə; Ukrainian, Belarusian and Bulgarian lack ы or have і
    if reaches(turkish, 6)
        && turkish > 4 * english
        && has_turkish_letter(sample.as_bytes())
        && !sample.contains(['ə', 'Ə'])
    {
        return Some("tr");
    }
    if reaches(russian, 12) && sample.contains('ы') && !sample.contains(['і', 'ї', 'є', 'ў', 'ј']) {
        return Some("ru");
    }
    None
}

/// The codes of ISO 639-1, and those of ISO 639-2 and 639-3 for the same languages and some more that news uses.
const TWO: &[&str] = &[
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bi", "bm", "bn", "bo",
    "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz", "ee", "el", "en", "eo",
    "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu", "gv", "ha", "he", "hi",
    "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii", "ik", "in", "io", "is", "it", "iu", "iw", "ja",
    "ji", "jv", "ka", "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw", "ky", "la", "lb",
    "lg", "li", "ln", "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nb",
    "nd", "ne", "ng", "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os", "pa", "pi", "pl", "ps", "pt",
    "qu", "rm", "rn", "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg", "sh", "si", "sk", "sl", "sm", "sn", "so", "sq",
    "sr", "ss", "st", "su", "sv", "sw", "ta", "te", "tg", "th", "ti", "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw",
    "ty", "ug", "uk", "ur", "uz", "ve", "vi", "vo", "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];
const THREE: &[&str] = &[
    "aar", "abk", "afr", "aka", "alb", "amh", "ara", "arg", "arm", "asm", "ava", "ave", "aym", "azb", "aze", "azj",
    "bak", "bam", "baq", "bel", "ben", "bis", "bod", "bos", "bre", "bul", "bur", "cat", "ces", "cha", "che", "chi",
    "chu", "chv", "ckb", "cmn", "cor", "cos", "cre", "cym", "cze", "dan", "deu", "div", "dut", "dzo", "ell", "eng",
    "epo", "est", "eus", "ewe", "fao", "fas", "fij", "fil", "fin", "fra", "fre", "fry", "ful", "geo", "ger", "gla",
    "gle", "glg", "glv", "gre", "grn", "guj", "hat", "hau", "heb", "her", "hin", "hmo", "hrv", "hun", "hye", "ibo",
    "ice", "ido", "iii", "iku", "ile", "ina", "ind", "ipk", "isl", "ita", "jav", "jpn", "kal", "kan", "kas", "kat",
    "kau", "kaz", "khm", "kik", "kin", "kir", "kmr", "kom", "kon", "kor", "kua", "kur", "lao", "lat", "lav", "lim",
    "lin", "lit", "ltz", "lub", "lug", "mac", "mah", "mal", "mao", "mar", "may", "mkd", "mlg", "mlt", "mon", "mri",
    "msa", "mya", "nau", "nav", "nbl", "nde", "ndo", "nep", "nld", "nno", "nob", "nor", "nya", "oci", "oji", "ori",
    "orm", "oss", "pan", "per", "pes", "pli", "pol", "por", "prs", "pus", "que", "roh", "ron", "rum", "run", "rus",
    "sag", "san", "sin", "slk", "slo", "slv", "sme", "smo", "sna", "snd", "som", "sot", "spa", "sqi", "srd", "srp",
    "ssw", "sun", "swa", "swe", "tah", "tam", "tat", "tel", "tgk", "tgl", "tha", "tib", "tir", "ton", "tsn", "tso",
    "tuk", "tur", "twi", "uig", "ukr", "urd", "uzb", "ven", "vie", "vol", "wel", "wln", "wol", "wuu", "xho", "yid",
    "yor", "yue", "zha", "zho", "zsm", "zul",
];

/// The language that a field names: its code (`tr`, `TUR`, `tr-TR`, `tr_TR`), or Turkish and Azerbaijani by their
/// names. None if the field has another value, so that the language must be detected.
pub fn named(field: &str) -> Option<String> {
    let field = field.trim().to_lowercase();
    let primary = field.split(['-', '_']).next().unwrap_or("");
    let code = match primary {
        "turkish" | "türkçe" | "turkce" | "türkisch" => "tr",
        "azj" | "azb" | "azerbaijani" | "azeri" | "azərbaycanca" | "azerice" => "az",
        code if TWO.binary_search(&code).is_ok() || THREE.binary_search(&code).is_ok() => two_letters(code),
        _ => return None,
    };
    Some(code.to_owned())
}

/// The code of the language of an article: the one that its field names, else the one detected. Turkish is detected
/// only in texts with a letter of its alphabet, so that the code decides about case, and bulk reading, which checks
/// only `is_turkish`, produces the same tokens.
pub fn language(given: Option<&str>, text: &str) -> Cow<'static, str> {
    if let Some(code) = given.and_then(named) {
        return Cow::Owned(code);
    }
    match detect(text) {
        code if is_turkish_case(code) && !has_turkish_letter(text.as_bytes()) => Cow::Borrowed("und"),
        code => Cow::Borrowed(code),
    }
}

/// Does the Turkish rule of case apply in a language?
pub fn is_turkish_case(code: &str) -> bool {
    matches!(code, "tr" | "az")
}

/// Does the Turkish rule of case (I/ı, İ/i) apply to this article? The language that its field names decides; without
/// one, the language is detected only for texts with a letter of the Turkish alphabet, so that other languages cost
/// nothing.
pub fn is_turkish(given: Option<&str>, text: &str) -> bool {
    match given {
        Some("tr") => return true,
        Some("en") => return false, // the value of nearly every language field
        Some(field) => {
            if let Some(code) = named(field) {
                return is_turkish_case(&code);
            }
        }
        None => {}
    }
    has_turkish_letter(text.as_bytes()) && is_turkish_case(detect(text))
}

/// Any of ğ Ğ ş Ş ı İ, as UTF-8.
fn has_turkish_letter(bytes: &[u8]) -> bool {
    memchr2_iter(0xc4, 0xc5, bytes).any(|at| {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        match bytes[at] {
            0xc4 => matches!(next, 0x9e | 0x9f | 0xb0 | 0xb1),
            _ => matches!(next, 0x9e | 0x9f),
        }
    })
}

fn sample(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let mut end = max_bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Codes of ISO 639-2 and 639-3, and those of ISO 639-1 for the same languages.
const TWO_LETTERS: [(&str, &str); 94] = [
    ("afr", "af"),
    ("aka", "ak"),
    ("amh", "am"),
    ("ara", "ar"),
    ("arm", "hy"),
    ("aze", "az"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("chi", "zh"),
    ("cmn", "zh"),
    ("cym", "cy"),
    ("cze", "cs"),
    ("dan", "da"),
    ("deu", "de"),
    ("dut", "nl"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("eus", "eu"),
    ("fas", "fa"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("geo", "ka"),
    ("ger", "de"),
    ("gre", "el"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ice", "is"),
    ("ind", "id"),
    ("isl", "is"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lao", "lo"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mac", "mk"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("may", "ms"),
    ("mkd", "mk"),
    ("msa", "ms"),
    ("mya", "my"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nob", "nb"),
    ("nor", "no"),
    ("ori", "or"),
    ("pan", "pa"),
    ("per", "fa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("rus", "ru"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
    ("zho", "zh"),
    ("zsm", "ms"),
    ("zul", "zu"),
];

/// The code of ISO 639-1 of a language, if it has one; else the given code.
fn two_letters(code: &str) -> &str {
    TWO_LETTERS.binary_search_by_key(&code, |&(three, _)| three).map_or(code, |at| TWO_LETTERS[at].1)
}

fn code(lang: Lang) -> &'static str {
    two_letters(lang.code())
}

/// Words that end in a full stop without ending a sentence, in lower case and without that stop.
pub fn abbreviations(language: &str) -> &'static [&'static str] {
    match language {
        "tr" | "az" => &[
            "dr", "prof", "doç", "yrd", "av", "sn", "hz", "vb", "vs", "bkz", "örn", "no", "cad", "sok", "mah", "apt",
            "alb", "gen", "müh", "mim", "op", "uzm", "öğr", "gör", "arş", "org", "kor", "yzb", "bnb", "yb", "sf", "c",
            "tel", "m.ö", "m.s", "a.ş", "ltd", "şti", "st", "jr",
        ],
        "ru" | "uk" | "bg" => &[
            "г", "гг", "в", "вв", "т", "е", "д", "п", "др", "пр", "ул", "им", "стр", "рис", "см", "ср", "руб", "коп",
            "тыс", "млн", "млрд", "проф", "акад", "св", "гл", "ст", "обл", "р-н", "пос", "корп", "кв", "тел", "англ",
            "нем", "лат", "рр",
        ],
        _ => &[
            "mr", "mrs", "ms", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "st", "jr", "sr",
            "co", "corp", "inc", "ltd", "llc", "plc", "vs", "etc", "no", "vol", "fig", "dept", "est", "approx", "jan",
            "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "u.s", "u.k", "u.n", "e.u",
            "e.g", "i.e", "a.m", "p.m", "d.c", "ph.d", "hr", "bzw", "nr", "usw", "ca", "z.b", "mme", "mlle", "sra",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        assert_eq!(
            detect("Bakanlar Kurulu toplantısının ardından yapılan açıklamada yeni önlemler alınacağı bildirildi."),
            "tr"
        );
        assert_eq!(
            detect("The central bank raised its key rate on Thursday as inflation remained above target."),
            "en"
        );
        assert_eq!(detect("Центральный банк повысил ключевую ставку в четверг на фоне высокой инфляции."), "ru");
        assert_eq!(detect(""), "und");
    }

    #[test]
    fn codes_have_two_letters_where_there_are_such() {
        assert!(TWO_LETTERS.windows(2).all(|two| two[0].0 < two[1].0));
        assert!(TWO_LETTERS.iter().all(|(_, two)| TWO.binary_search(two).is_ok()));
        assert!(Lang::all().iter().all(|lang| code(*lang).len() == 2));
        assert_eq!(detect("Nhiều khu dân cư tại thành phố bị ngập nặng sau trận mưa lớn sáng nay."), "vi");
        let names = ["VIE", "ger", "deu-AT", "fil", "tur", "aze", "in"].map(|field| named(field).unwrap());
        assert_eq!(names, ["vi", "de", "de", "fil", "tr", "az", "in"]);
    }

    #[test]
    fn the_given_language_decides_about_turkish_case() {
        for turkish in
            ["tr", "TR", "tr-TR", "tr_TR", "tr-Latn-TR", "TUR", "Turkish", "türkçe", "TÜRKÇE", " Turkce ", "az"]
        {
            assert!(is_turkish(Some(turkish), "plain"), "{turkish}");
        }
        assert!(!is_turkish(Some("en"), "İstanbul'da yağış bekleniyor"));
        assert!(is_turkish(None, "İstanbul'da bugün şiddetli yağış bekleniyor, vatandaşlar uyarıldı."));
        assert!(!is_turkish(None, "The prime minister met Recep Tayyip Erdoğan in Ankara on Monday to discuss trade."));
    }

    #[test]
    fn a_field_that_names_no_language_leaves_it_to_the_text() {
        assert!(TWO.is_sorted() && THREE.is_sorted());
        for field in ["", "und", "unknown", "n/a", "xx", "mul", "haber", "?", "1"] {
            assert!(is_turkish(Some(field), "İstanbul'da bugün şiddetli yağış bekleniyor, vatandaşlar uyarıldı."));
            assert!(!is_turkish(Some(field), "The prime minister met Recep Tayyip Erdoğan in Ankara on Monday."));
        }
    }
}
