//! Rejects input that is not a page: pictures, archives, programs.

use std::fmt;

/// The reason why an input is not a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPage(pub String);

impl fmt::Display for NotAPage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The largest page that is read, in bytes: three times the size of a whole book, and its tree still fits into memory.
pub const LARGEST: usize = 64 << 20;

/// Magic numbers of file types that are served in place of pages.
const MAGIC: [(&[u8], &str); 17] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"%PDF-", "a PDF file"),
    (b"\x1f\x8b", "packed with gzip"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"BZh9", "packed with bzip2"),
    (b"\xfd7zXZ\0", "packed with xz"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"PK\x03\x04", "a ZIP archive (office files are too)"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office file"),
    (b"OggS", "a sound or film (Ogg)"),
    (b"ID3", "a sound (MP3)"),
    (b"\x7fELF", "a program"),
    (b"wOF", "a font"),
];

pub(super) fn by_bytes(raw: &[u8]) -> Result<(), NotAPage> {
    if raw.len() > LARGEST {
        return Err(NotAPage(format!("{} bytes; a page has at most {LARGEST}", raw.len())));
    }
    let begin = raw.trim_ascii_start();
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Err(NotAPage((*what).into()));
    }
    // the size of the file or of its first part comes before (MP4) or after (RIFF) the type
    match (begin.get(..4), begin.get(4..8), begin.get(8..12)) {
        (_, Some(b"ftyp"), _) => Err(NotAPage("a film (MP4)".into())),
        (Some(b"RIFF"), _, Some(b"WEBP" | b"WAVE" | b"AVI ")) => {
            Err(NotAPage("a picture, sound or film (RIFF)".into()))
        }
        _ => Ok(()),
    }
}

/// A page has at most one control character in this many bytes. Of random bytes one in ten is a control character that
/// does not occur in text; of pages with a few broken bytes, one in thousands.
const MIN_BYTES_PER_CONTROL: usize = 32;
/// At most this many control characters are ignored, however short the page.
const MAX_IGNORED_CONTROLS: usize = 4;

pub(super) fn by_text(text: &str) -> Result<(), NotAPage> {
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let controls = text.as_bytes().iter().filter(is_control).count();
    if controls <= MAX_IGNORED_CONTROLS || controls * MIN_BYTES_PER_CONTROL <= text.len() {
        return Ok(());
    }
    Err(NotAPage(format!("{} % of it are control characters, which no text has", controls * 100 / text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_broken_bytes_are_no_binary() {
        assert!(by_text("a\0b\0c\0d").is_ok());
        assert!(by_text(&"a\0b\0".repeat(9)).is_err());
        assert!(by_text(&("<p>words and more words</p>".repeat(9) + "\0\x01\x02\x03\x04")).is_ok());
        assert!(by_text("").is_ok());
    }

    #[test]
    fn the_format_is_named() {
        assert_eq!(by_bytes(b"%PDF-1.4 ...").unwrap_err().to_string(), "a PDF file");
        assert_eq!(by_bytes(b" \n\x89PNG\r\n\x1a\n...").unwrap_err().0, "a PNG picture");
        assert_eq!(by_bytes(b"\0\0\0\x18ftypmp42").unwrap_err().0, "a film (MP4)");
        assert!(by_bytes(b"PK and other words").is_ok());
        assert!(by_bytes(b"").is_ok());
    }
}
