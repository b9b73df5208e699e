//! Bytes to text as in browsers: by the byte order mark, the HTTP header, the declaration in the page, or a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, UTF_8};

use super::charset::{by_name, declared};

pub struct Decoded {
    pub text: String,
    pub encoding: &'static Encoding,
    /// The encoding is missing or wrong in header and page; false for plain ASCII, where nothing is guessed.
    pub guessed: bool,
    /// Some bytes are invalid in this encoding; they are replaced by U+FFFD.
    pub malformed: bool,
}

pub fn decode(raw: &[u8], charset: Option<&str>, tld: Option<&str>) -> Decoded {
    if let Some((encoding, mark)) = Encoding::for_bom(raw) {
        return decoded(&raw[mark..], encoding, false);
    }
    let named = charset.and_then(|name| by_name(name.as_bytes())).or_else(|| declared(raw));
    match named {
        Some(encoding) if encoding != UTF_8 || is_mostly_utf_8(raw) => decoded(raw, encoding, false),
        _ => decoded(raw, guess(raw, tld), !raw.is_ascii()),
    }
}

fn decoded(raw: &[u8], encoding: &'static Encoding, guessed: bool) -> Decoded {
    let (text, malformed) = encoding.decode_without_bom_handling(raw);
    Decoded { text: text.into_owned(), encoding, guessed, malformed }
}

/// Whether a declaration of UTF-8 is plausible: most bytes beyond ASCII belong to complete characters.
fn is_mostly_utf_8(raw: &[u8]) -> bool {
    if simdutf8::basic::from_utf8(raw).is_ok() {
        return true;
    }
    let (mut whole, mut broken) = (0usize, 0usize);
    for chunk in raw.utf8_chunks() {
        whole += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
        broken += chunk.invalid().len();
    }
    whole > broken || is_cut_off(raw)
}

/// Whether the only error is an incomplete last character.
fn is_cut_off(raw: &[u8]) -> bool {
    std::str::from_utf8(raw).is_err_and(|error| error.error_len().is_none())
}

/// Bytes used for a guess, from the first byte that is not ASCII: far more than a guess needs.
const MAX_GUESS_BYTES: usize = 1 << 20;
/// ASCII bytes before it that are used too: the letters of the same word.
const CONTEXT_BYTES: usize = 64;

fn guess(raw: &[u8], tld: Option<&str>) -> &'static Encoding {
    if let Some(wide) = utf_16(raw) {
        return wide;
    }
    // ISO-2022-JP, Japanese as in old mail, is ASCII with escapes
    let escaped = memchr::memchr(0x1b, raw);
    if escaped.is_none() && (simdutf8::basic::from_utf8(raw).is_ok() || is_cut_off(raw)) {
        return UTF_8;
    }
    let first = raw.iter().position(|byte| !byte.is_ascii()).or(escaped).unwrap_or(0);
    let from = first.saturating_sub(CONTEXT_BYTES).min(escaped.unwrap_or(usize::MAX));
    let sample = &raw[from..raw.len().min(from.saturating_add(MAX_GUESS_BYTES))];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, true);
    let tld = tld.filter(|tld| tld.is_ascii() && !tld.bytes().any(|byte| matches!(byte, b'.' | b'A'..=b'Z')));
    let utf_8 = if simdutf8::basic::from_utf8(raw).is_ok() { Utf8Detection::Allow } else { Utf8Detection::Deny };
    detector.guess(tld.map(str::as_bytes), utf_8)
}

/// UTF-16 without a byte order mark: every ASCII letter of the markup has a NUL byte next to it.
fn utf_16(raw: &[u8]) -> Option<&'static Encoding> {
    let head = &raw[..raw.len().min(super::charset::LOOKED_AT) & !1];
    let nuls = |side: usize| head.iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    let pairs = head.len() / 2;
    if even + odd < pairs / 2 || pairs < 2 {
        return None;
    }
    match (even, odd) {
        (0, _) => Some(UTF_16LE),
        (_, 0) => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &[u8], charset: Option<&str>) -> (String, &'static str, bool) {
        let decoded = decode(raw, charset, None);
        (decoded.text, decoded.encoding.name(), decoded.guessed)
    }

    #[test]
    fn the_mark_stands_above_all() {
        assert_eq!(read(b"\xef\xbb\xbfa\xc3\xa9", Some("koi8-r")), ("aé".into(), "UTF-8", false));
        assert_eq!(read(b"\xff\xfea\0", Some("utf-8")), ("a".into(), "UTF-16LE", false));
        assert_eq!(read(b"\xfe\xff\0a", None), ("a".into(), "UTF-16BE", false));
    }

    #[test]
    fn the_server_precedes_the_page_and_a_wrong_name_above_neither() {
        let page = b"<meta charset=windows-1251>\xe0";
        assert_eq!(read(page, Some("windows-1254")).1, "windows-1254");
        assert_eq!(read(page, Some("klingon")).1, "windows-1251");
        assert_eq!(read(page, None).0, "<meta charset=windows-1251>а");
        assert_eq!(read(b"\xe0 la carte", Some("x-user-defined")), ("à la carte".into(), "windows-1252", false));
    }

    #[test]
    fn utf_8_that_is_none_is_guessed_and_one_broken_byte_is_no_reason() {
        let text = "<meta charset=utf-8><p>Где же кружка? Сердцу будет веселей.";
        let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(text);
        assert_eq!(read(&bytes, Some("utf-8")), (text.into(), "windows-1251", true));
        let mut broken = text.as_bytes().to_vec();
        broken[30] = 0xff;
        let result = decode(&broken, None, None);
        assert_eq!((result.encoding.name(), result.guessed, result.malformed), ("UTF-8", false, true));
    }

    #[test]
    fn a_page_that_breaks_off_within_a_character_is_still_utf_8() {
        assert_eq!(
            read(b"<meta charset=utf-8><p>caf\xc3", None),
            ("<meta charset=utf-8><p>caf\u{fffd}".into(), "UTF-8", false)
        );
        assert_eq!(read(b"<p>caf\xc3", None).1, "UTF-8");
    }

    #[test]
    fn wide_characters_without_a_mark_are_seen() {
        let wide: Vec<u8> = "<p>Günaydın".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide, None), ("<p>Günaydın".into(), "UTF-16LE", true));
        let wide: Vec<u8> = "<p>Günaydın".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&wide, None).1, "UTF-16BE");
    }

    #[test]
    fn japanese_of_the_old_mail_is_seen() {
        let (bytes, ..) = encoding_rs::ISO_2022_JP.encode("<p>東京で地震がありました。");
        assert_eq!(read(&bytes, None), ("<p>東京で地震がありました。".into(), "ISO-2022-JP", false));
    }
}
