//! The encoding that a page declares, found as in browsers: in the first 1024 bytes, before anything is decoded.
//! [HTML Standard, 13.2.3.2: prescan a byte stream to determine its encoding]

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, UTF_8, WINDOWS_1252, X_USER_DEFINED};

/// The number of bytes that browsers scan.
pub const LOOKED_AT: usize = 1024;

/// An encoding by its name; none for encodings that browsers refuse to use.
pub fn by_name(name: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(name)?;
    Some(if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding })
}

/// The encoding declared in the page. A declaration of UTF-16 that is readable as ASCII is wrong and means UTF-8.
pub fn declared(raw: &[u8]) -> Option<&'static Encoding> {
    let head = &raw[..raw.len().min(LOOKED_AT)];
    let found = in_meta(head).or_else(|| in_xml(head))?;
    Some(if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found })
}

fn in_meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { head, at: 0 };
    while let Some(found) = memchr::memchr(b'<', &head[scan.at..]) {
        scan.at += found;
        let rest = &head[scan.at..];
        if rest.starts_with(b"<!--") {
            // the opening dashes may also be the closing ones: <!-->
            scan.at = memchr::memmem::find(&rest[2..], b"-->").map_or(head.len(), |end| scan.at + 2 + end + 3);
        } else if is_meta(rest) {
            scan.at += b"<meta".len();
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            while scan.peek().is_some_and(|byte| !is_space(byte) && byte != b'>') {
                scan.at += 1;
            }
            while scan.attribute().is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            scan.at = memchr::memchr(b'>', rest).map_or(head.len(), |end| scan.at + end + 1);
        } else {
            scan.at += 1;
        }
    }
    None
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let after = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(after).is_some_and(u8::is_ascii_alphabetic)
}

struct Scan<'a> {
    head: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.head.get(self.at).copied()
    }

    fn skip(&mut self, unwanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&unwanted) {
            self.at += 1;
        }
    }

    /// The attributes of a meta element: charset="…", or http-equiv="Content-Type" with content="…; charset=…".
    fn meta(&mut self) -> Option<&'static Encoding> {
        let (mut names, mut pragma) = (vec![], false);
        let mut charset: Option<(bool, Option<&'static Encoding>)> = None;
        while let Some((name, value)) = self.attribute() {
            if names.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => pragma |= value.eq_ignore_ascii_case(b"content-type"),
                b"charset" => charset = Some((false, by_name(&value))),
                // a charset in the content has lower priority than the attribute, and is ignored without the pragma
                b"content" if charset.is_none() => {
                    charset = in_content(&value).map(|name| (true, by_name(name)));
                }
                _ => {}
            }
            names.push(name);
        }
        let (wants_pragma, encoding) = charset?;
        encoding.filter(|_| pragma || !wants_pragma)
    }

    /// The next attribute, name and value in lower case; none at the end of the tag.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip(|byte| is_space(byte) || byte == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let from = self.at;
        // a leading equals sign belongs to the name
        self.at += 1;
        self.skip(|byte| !matches!(byte, b'=' | b'/' | b'>') && !is_space(byte));
        let name = self.head[from..self.at].to_ascii_lowercase();
        self.skip(is_space);
        if self.peek() != Some(b'=') {
            return Some((name, vec![]));
        }
        self.at += 1;
        self.skip(is_space);
        let value = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                let from = self.at + 1;
                // an unclosed value extends beyond the scanned bytes, and so does the tag
                let end = memchr::memchr(quote, &self.head[from..])?;
                self.at = from + end + 1;
                &self.head[from..from + end]
            }
            _ => {
                let from = self.at;
                self.skip(|byte| !is_space(byte) && byte != b'>');
                &self.head[from..self.at]
            }
        };
        Some((name, value.to_ascii_lowercase()))
    }
}

/// The name after "charset =" in the content of a meta element.
fn in_content(content: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    loop {
        at += memchr::memmem::find(&content[at..], b"charset")? + b"charset".len();
        let rest = content[at..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => memchr::memchr(*quote, &value[1..]).map(|end| &value[1..1 + end]),
            _ => value.split(|&byte| is_space(byte) || byte == b';').next(),
        };
    }
}

/// The encoding in `<?xml version="1.0" encoding="…"?>`, with which XHTML pages begin.
fn in_xml(head: &[u8]) -> Option<&'static Encoding> {
    let line = head.strip_prefix(b"<?xml")?;
    let line = &line[..memchr::memchr(b'>', line)?];
    let after = memchr::memmem::find(line, b"encoding")? + b"encoding".len();
    let value = line[after..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|quote| matches!(quote, b'"' | b'\''))?;
    by_name(&value[1..1 + memchr::memchr(quote, &value[1..])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(page: &str) -> Option<&'static str> {
        declared(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn both_forms_of_meta_are_read() {
        assert_eq!(name("<meta charset=windows-1254>"), Some("windows-1254"));
        assert_eq!(name("<META\nCHARSET = 'ISO-8859-9' />"), Some("windows-1254"));
        assert_eq!(
            name(r#"<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">"#),
            Some("windows-1251")
        );
        assert_eq!(name(r#"<meta content="text/html;charset='koi8-r'" http-equiv=content-type>"#), Some("KOI8-R"));
    }

    #[test]
    fn what_is_no_declaration_is_none() {
        assert_eq!(name(r#"<meta content="text/html; charset=koi8-r">"#), None, "ignored without the pragma");
        assert_eq!(name("<!-- <meta charset=koi8-r> --><p>"), None);
        assert_eq!(name("<p title='<meta charset=koi8-r>'>"), None);
        assert_eq!(name("<metacharset=koi8-r>"), None);
        assert_eq!(name("<meta charset=wonderful>"), None);
        assert_eq!(name(&format!("{}<meta charset=koi8-r>", " ".repeat(LOOKED_AT))), None);
        assert_eq!(name("<meta charset='koi8-r"), None);
        assert_eq!(name(""), None);
    }

    #[test]
    fn a_wrong_name_leaves_the_word_to_the_next_meta() {
        assert_eq!(name("<!--><meta charset=wonderful><meta charset=koi8-r>"), Some("KOI8-R"));
        assert_eq!(name("<!-- > --><title a=b>x</title><meta charset=koi8-r charset=utf-8>"), Some("KOI8-R"));
    }

    #[test]
    fn names_with_another_meaning_in_pages() {
        assert_eq!(name("<meta charset=utf-16>"), Some("UTF-8"));
        assert_eq!(name("<meta charset=utf-16be>"), Some("UTF-8"));
        assert_eq!(name("<meta charset=x-user-defined>"), Some("windows-1252"));
        assert_eq!(name("<meta charset=iso-2022-kr>"), None, "browsers refuse it");
    }

    #[test]
    fn xml_declarations_come_last() {
        let xml = "<?xml version='1.0' encoding='windows-1251'?>";
        assert_eq!(name(xml), Some("windows-1251"));
        assert_eq!(name(&format!("{xml}<meta charset=utf-8>")), Some("UTF-8"));
    }
}
