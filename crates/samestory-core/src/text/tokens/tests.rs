use super::*;

fn words(text: &str) -> Vec<&str> {
    let mut out = vec![];
    tokenise(text, false, |t| out.push(&text[t.start..t.end]));
    out
}

fn hashes(text: &str, turkish: bool) -> Vec<u64> {
    let mut out = vec![];
    tokenise(text, turkish, |t| out.push(t.hash));
    out
}

#[test]
fn the_worked_example_of_the_rule() {
    assert_eq!(
        words("NASDAQ starts day with an increase. Shares gain 2%."),
        ["NASDAQ", "starts", "day", "with", "an", "increase", "Shares", "gain", "2%"]
    );
}

#[test]
fn figures_and_compounds_stay_whole() {
    assert_eq!(
        words("42,9 ve 22.50; 2008-2009 e-posta %5 12:30 3/4 7.'si 1.000.000'u COVID-19'a _x x_1 2nd 5%6."),
        [
            "42,9", "ve", "22.50", "2008-2009", "e-posta", "%5", "12:30", "3/4", "7", "si", "1.000.000'u",
            "COVID-19'a", "x", "x_1", "2", "nd", "5%", "6"
        ]
    );
}

#[test]
fn the_form_of_the_apostrophe_and_of_the_letters_does_not_matter() {
    assert_eq!(hashes("Ankara'da Zoë café ΟΔΟΣ", false), hashes("ANKARA’DA Zoe\u{308} cafe\u{301} οδος", false));
}

#[test]
fn typography_does_not_distinguish_words() {
    let plain = hashes("Ankara'da e-mail 2008-2009 official flow 12.5% ABC42 2009'da cooperation", false);
    for form in [
        "Ankara’da e‐mail 2008–2009 oﬃcial ﬂow 12．5％ ＡＢＣ４２ 2009’da co\u{ad}operation",
        "Ankara‘da e‑mail 2008‑2009 oﬃcial flow １２.５% ａｂｃ42 ２００９´da co\u{200b}opera\u{feff}tion",
        "Ankara`da e–mail 2008−2009 official ﬂow １２．５％ abc42 2009`da coopera\u{2060}tion",
        "Ankaraʼda e－mail ２００８－２００９ official flow 12.5％ ABC42 2009＇da cooperation",
        "Ankara′da e-mail 2008‒2009 official flow 12.5% ABC42 2009‛da \u{feff}cooperation",
    ] {
        assert_eq!(hashes(form, false), plain, "{form}");
    }
    assert_eq!(words("word—word ’tis ʼtis 5′ x´"), ["word", "word", "tis", "tis", "5", "x"]);
}

#[test]
fn a_blank_before_an_apostrophe_does_not_part_a_suffix_from_its_word() {
    let joined = "Facebook'un 2012'den Türkiye'de BBC'ye ANKARA'DA";
    for form in [
        "Facebook 'un 2012 'den Türkiye 'de BBC 'ye ANKARA 'DA",
        "Facebook ’un 2012 `den Türkiye ´de BBC ’ye ANKARA\n'DA",
    ] {
        for shift in 0..130 {
            let shifted = format!("{}{form}", " ".repeat(shift));
            assert_eq!(hashes(&shifted, true), hashes(joined, true), "{shifted}");
        }
    }
    assert_eq!(hashes("The firm 's boss said he 'll go", false), hashes("The firm's boss said he'll go", false));
}

#[test]
fn a_suffix_that_has_lost_its_apostrophe_belongs_to_its_name() {
    for form in ["Efes\u{a0}teki Ata nın", "Efes\nteki Ata n\u{131}n", "Efes teki Ata nın"] {
        assert_eq!(hashes(form, true), hashes("Efes'teki Ata'nın", true), "{form}");
    }
    assert_eq!(hashes("Göl lük", true), hashes("Göl lu\u{308}k", true));
    assert_eq!(
        hashes("Efes te 2012 nin İzmir deki ABD nin", true),
        hashes("Efes'te 2012'nin İzmir'deki ABD'nin", true)
    );
    for words in [
        "Efes de geldi",
        "Ali ne yaptı",
        "ev nin",
        "Efes Te",
        "Efes. te",
        "Efes  te",
        "Efes'in nin",
        "Bir tır devrildi",
    ] {
        let mut out = vec![];
        tokenise(words, true, |token| out.push(token.end - token.start));
        assert_eq!(out.len(), words.split_whitespace().count(), "{words}");
    }
    assert_ne!(hashes("Efes te", false), hashes("Efes'te", false));
}

#[test]
fn an_opening_quote_is_no_apostrophe() {
    let parts = |text: &str, turkish: bool| {
        let mut out = vec![];
        tokenise(text, turkish, |t| out.push(text[t.start..t.end].to_owned()));
        out
    };
    for (text, turkish, count) in [
        ("he said 'yes' to it", false, 5),
        ("he said 's' to it", false, 5),
        ("Erdoğan 'ne oldu' diye sordu", true, 5),
        ("Ankara 'da Vinci şifresi' filmi", true, 5),
        ("sordu 'ne oldu", true, 3),
        ("Bakan 'beton ustası", true, 3),
    ] {
        assert_eq!(parts(text, turkish).len(), count, "{text}: {:?}", parts(text, turkish));
    }
    assert_eq!(parts("Mars 'tan gelen 'yeni' taş", true), ["Mars 'tan", "gelen", "yeni", "taş"]);
}

#[test]
fn turkish_case_is_for_turkish_only() {
    assert_eq!(hashes("IĞDIR İSTANBUL IRMAK", true), hashes("ığdır istanbul ırmak", true));
    assert_eq!(hashes("IRAN ISSUE", false), hashes("iran issue", false));
    assert_ne!(hashes("IRAN", true), hashes("IRAN", false));
}

#[test]
fn every_script_has_tokens() {
    assert_eq!(words("Αθήνα, Μόσχα Москва́ مدينة القاهرة"), ["Αθήνα", "Μόσχα", "Москва́", "مدينة", "القاهرة"]);
    assert_eq!(words("हिन्दी समाचार"), ["हिन्दी", "समाचार"]);
    assert_eq!(words("東京で25人"), ["東", "京", "で", "25", "人"]);
    assert_eq!(words("ข่าววันนี้"), ["ข่", "า", "ว", "วั", "น", "นี้"]);
}

#[test]
fn block_boundaries_do_not_matter() {
    let base = "Wire copy of 12,5 per cent’s “quoted” words, e-mail and Ankara'da — naïve façade (end) %7 ";
    let text = base.repeat(5);
    let once = words(&text);
    for shift in 1..130 {
        let shifted = format!("{}{}", " ".repeat(shift), text);
        let moved: Vec<String> = words(&shifted).into_iter().map(String::from).collect();
        assert_eq!(moved, once, "shift {shift}");
        assert_eq!(hashes(&shifted, false), hashes(&text, false));
    }
}
