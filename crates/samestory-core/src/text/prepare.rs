//! A text with everything known about its words: the features of an article, as people and detectors see them.

use super::languages::{is_turkish_case, language};
use super::sentences::sentences;
use super::tokens::tokenise;

/// Tokens and sentences of one text. Offsets count characters, not bytes.
#[derive(Debug, Default, PartialEq)]
pub struct Prepared {
    pub language: String,
    /// Packed tokens, as detectors take them.
    pub tokens: Vec<u32>,
    /// Start, end of the base, and end of every token.
    pub spans: Vec<[u32; 3]>,
    /// Start and end of every sentence.
    pub sentences: Vec<[u32; 2]>,
}

pub fn prepare(text: &str, given: Option<&str>) -> Prepared {
    let mut out = Prepared { language: language(given, text).into_owned(), ..Prepared::default() };
    let mut characters = Characters::new(text);
    tokenise(text, is_turkish_case(&out.language), |token| {
        out.tokens.push(token.packed());
        out.spans.push([token.start, token.base_end, token.end].map(|byte| characters.before(byte)));
    });
    let mut characters = Characters::new(text);
    out.sentences = sentences(text, &out.language)
        .into_iter()
        .map(|(start, end)| [characters.before(start), characters.before(end)])
        .collect();
    out
}

/// Turns byte offsets that never fall into character offsets, in one walk.
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
        let prepared = prepare(text, Some("tr"));
        let words: Vec<String> =
            prepared.spans.iter().map(|s| characters[s[0] as usize..s[2] as usize].iter().collect()).collect();
        assert_eq!(words, ["Şöyle", "İzmir’de", "3,5", "bin", "Évora"]);
        let sentences: Vec<String> =
            prepared.sentences.iter().map(|s| characters[s[0] as usize..s[1] as usize].iter().collect()).collect();
        assert_eq!(sentences, ["Şöyle: “İzmir’de 3,5 bin.”", "Évora!"]);
    }
}
