//! The same text by a published hash: SHA-1 or MD5 of the folded words, one blank between them.
//!
//! A signature is the digest.

use md5::Md5;
use sha1::{Digest, Sha1};

use super::api::{Article, Comparer, Detector, Kind, Wants};
use super::equal;
use crate::text::characters::fold;

#[derive(Clone, Copy, Debug)]
pub enum ExactHash {
    Sha1,
    Md5,
}

impl Detector for ExactHash {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let text = normalised(article);
        if text.is_empty() {
            return; // no words, no hash: otherwise all empty articles would be copies of each other
        }
        match self {
            ExactHash::Sha1 => push(&Sha1::digest(text.as_bytes()), signature),
            ExactHash::Md5 => push(&Md5::digest(text.as_bytes()), signature),
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        let digest = match self {
            ExactHash::Sha1 => 5,
            ExactHash::Md5 => 4,
        };
        signature.is_empty() || signature.len() == digest
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        equal::keys(signature, keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        equal::comparer(Kind::Identical)
    }
}

fn push(digest: &[u8], signature: &mut Vec<u32>) {
    signature.extend(digest.chunks_exact(4).map(|part| u32::from_be_bytes(part.try_into().expect("four bytes"))));
}

/// The words in lower case, joined by blanks; a suffix behind an apostrophe is a separate word.
fn normalised(article: &Article) -> String {
    let (mut out, mut folded) = (String::with_capacity(article.text.len()), String::new());
    for token in article.tokens {
        let suffix = token.suffix(article.text);
        for word in [&article.text[token.start..token.base_end], suffix] {
            fold(word, article.is_turkish(), &mut folded);
            if !out.is_empty() && !folded.is_empty() {
                out.push(' ');
            }
            out.push_str(&folded);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    fn of(text: &str, language: &str) -> String {
        let mut tokens = vec![];
        tokenise(text, language == "tr", |token| tokens.push(token));
        normalised(&Article { tokens: &tokens, text, language, ..Article::default() })
    }

    #[test]
    fn a_suffix_is_a_word_and_punctuation_is_none() {
        assert_eq!(of("  Ankara'da, BUGÜN:\n%5! ", "tr"), "ankara da bugün %5");
        assert_eq!(of("Ankara’da — IRMAK", "en"), "ankara da irmak");
        assert_eq!(of("… — !", "en"), "");
    }
}
