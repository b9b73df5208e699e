//! A text with its tokens, sentences and language: the features of an article for users and detectors.

use std::borrow::Cow;

use super::languages::{is_turkish_case, language};
use super::repair::Repaired;
use super::sentences::sentences;
use super::tokens::tokenise;

/// Tokens and sentences of one text, repaired or as it is. Offsets count characters of the original, not bytes.
#[derive(Debug, Default, PartialEq)]
pub struct Prepared {
    pub language: String,
    /// Packed tokens, the input of detectors.
    pub tokens: Vec<u32>,
    /// Start, end of the base, and end of every token.
    pub spans: Vec<[u32; 3]>,
    /// Start and end of every sentence.
    pub sentences: Vec<[u32; 2]>,
    /// The repaired text, if it differs.
    pub repaired: Option<String>,
}

pub fn prepare(original: &str, given: Option<&str>, as_is: bool) -> Prepared {
    let repaired = Repaired::new(original, as_is);
    let text = &*repaired.text;
    let mut out = Prepared { language: language(given, text).into_owned(), ..Prepared::default() };
    let mut characters = Characters::new(original);
    tokenise(text, is_turkish_case(&out.language), |token| {
        out.tokens.push(token.packed());
        let bytes = [token.start, token.base_end, token.end].map(|byte| repaired.original(byte));
        out.spans.push(bytes.map(|byte| characters.before(byte)));
    });
    let mut characters = Characters::new(original);
    out.sentences = sentences(text, &out.language)
        .into_iter()
        .map(|(start, end)| [start, end].map(|byte| characters.before(repaired.original(byte))))
        .collect();
    out.repaired = match repaired.text {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    };
    out
}

/// Converts ascending byte offsets to character offsets, in one pass.
pub struct Characters<'a> {
    text: &'a [u8],
    byte: usize,
    count: u32,
}

impl<'a> Characters<'a> {
    pub fn new(text: &'a str) -> Self {
        Characters { text: text.as_bytes(), byte: 0, count: 0 }
    }

    pub fn before(&mut self, byte: usize) -> u32 {
        // every byte but those that continue a character begins one
        self.count += self.text[self.byte..byte].iter().filter(|&&b| b & 0xc0 != 0x80).count() as u32;
        self.byte = byte;
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_characters() {
        let text = "Şöyle: “İzmir’de 3,5 bin.” Évora!";
        let characters: Vec<char> = text.chars().collect();
        let prepared = prepare(text, Some("tr"), false);
        let words: Vec<String> =
            prepared.spans.iter().map(|s| characters[s[0] as usize..s[2] as usize].iter().collect()).collect();
        assert_eq!(words, ["Şöyle", "İzmir’de", "3,5", "bin", "Évora"]);
        let sentences: Vec<String> =
            prepared.sentences.iter().map(|s| characters[s[0] as usize..s[1] as usize].iter().collect()).collect();
        assert_eq!(sentences, ["Şöyle: “İzmir’de 3,5 bin.”", "Évora!"]);
    }

    #[test]
    fn offsets_count_characters_of_the_original() {
        let dirty = "<p>Şöyle:&nbsp;İzmir&amp;#39;de caf&eacute;.</p> É\u{92}s end";
        let characters: Vec<char> = dirty.chars().collect();
        let prepared = prepare(dirty, Some("tr"), false);
        let part = |from: u32, to: u32| characters[from as usize..to as usize].iter().collect::<String>();
        let words: Vec<String> = prepared.spans.iter().map(|s| part(s[0], s[2])).collect();
        assert_eq!(words, ["Şöyle", "İzmir&amp;#39;de", "caf&eacute;", "É\u{92}s", "end"]);
        assert_eq!(part(prepared.spans[1][0], prepared.spans[1][1]), "İzmir");
        let sentences: Vec<String> = prepared.sentences.iter().map(|s| part(s[0], s[1])).collect();
        assert_eq!(sentences, ["Şöyle:&nbsp;İzmir&amp;#39;de caf&eacute;.", "É\u{92}s end"]);
        assert_eq!(prepared.tokens, prepare("Şöyle: İzmir'de café. É’s end", Some("tr"), false).tokens);
        assert_ne!(prepared.tokens, prepare(dirty, Some("tr"), true).tokens);
    }
}
