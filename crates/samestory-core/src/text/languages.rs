//! Which language a text is in, and what follows from it for case and for sentences.

use memchr::memchr2_iter;
use whatlang::Lang;

/// How much of a text is looked at to tell its language; more does not make the answer better.
const SAMPLE: usize = 800;

/// The ISO 639-1 code of the language of a text, or "und" where there is too little to tell.
pub fn detect(text: &str) -> &'static str {
    match whatlang::detect(sample(text)) {
        Some(found) => code(found.lang()),
        None => "und",
    }
}

/// Does the Turkish rule of case (I/ı, İ/i) hold for this article? The given language decides; without one, only a text
/// that holds a letter of the Turkish alphabet is looked at more closely, so that other languages cost nothing.
pub fn is_turkish(given: Option<&str>, text: &str) -> bool {
    if let Some(given) = given.filter(|g| !g.is_empty() && *g != "und") {
        let primary = given.split(['-', '_']).next().unwrap_or("").to_ascii_lowercase();
        return matches!(primary.as_str(), "tr" | "tur" | "az" | "aze");
    }
    has_turkish_letter(text.as_bytes()) && matches!(whatlang::detect_lang(sample(text)), Some(Lang::Tur | Lang::Aze))
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

fn sample(text: &str) -> &str {
    if text.len() <= SAMPLE {
        return text;
    }
    let mut end = SAMPLE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn code(lang: Lang) -> &'static str {
    match lang {
        Lang::Tur => "tr",
        Lang::Eng => "en",
        Lang::Rus => "ru",
        Lang::Aze => "az",
        Lang::Deu => "de",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Ita => "it",
        Lang::Por => "pt",
        Lang::Nld => "nl",
        Lang::Pol => "pl",
        Lang::Ukr => "uk",
        Lang::Ara => "ar",
        Lang::Ell => "el",
        Lang::Hin => "hi",
        Lang::Cmn => "zh",
        Lang::Jpn => "ja",
        Lang::Tha => "th",
        Lang::Kor => "ko",
        Lang::Fin => "fi",
        Lang::Swe => "sv",
        Lang::Bul => "bg",
        Lang::Srp => "sr",
        Lang::Heb => "he",
        Lang::Pes => "fa",
        Lang::Ces => "cs",
        Lang::Ron => "ro",
        Lang::Hun => "hu",
        Lang::Dan => "da",
        Lang::Nob => "nb",
        other => other.code(),
    }
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
    fn the_given_language_decides_about_turkish_case() {
        assert!(is_turkish(Some("tr-TR"), "plain"));
        assert!(!is_turkish(Some("en"), "İstanbul'da yağış bekleniyor"));
        assert!(is_turkish(None, "İstanbul'da bugün şiddetli yağış bekleniyor, vatandaşlar uyarıldı."));
        assert!(!is_turkish(None, "The prime minister met Recep Tayyip Erdoğan in Ankara on Monday to discuss trade."));
    }
}
