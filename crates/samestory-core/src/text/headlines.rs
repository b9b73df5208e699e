//! Headlines: without the name of their feed, with a substitute for articles that have none.

/// Maximum length of a headline made from the text, in characters.
const MAX_HEADLINE_CHARS: usize = 120;

/// A headline without the name of the feed behind it: "Quake hits coast - Example News".
pub fn feedless(title: &str) -> &str {
    for mark in [" - ", " | ", " — ", " – ", " :: ", " // "] {
        if let Some((headline, feed)) = title.rsplit_once(mark) {
            let words = |text: &str| text.split_whitespace().count();
            let named = feed.split_whitespace().all(|word| word.chars().next().is_some_and(|c| !c.is_lowercase()));
            if words(headline) >= 4 && words(feed) <= 4 && named && !feed.contains(|c: char| c.is_ascii_digit()) {
                return headline;
            }
        }
    }
    title
}

/// The headline of an article, or its substitute.
pub fn headline<'a>(title: Option<&'a str>, text: &'a str) -> &'a str {
    title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| beginning(text))
}

/// The substitute for a missing headline: the first line of the text, cut between words.
fn beginning(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(MAX_HEADLINE_CHARS) {
        None => line,
        Some((end, _)) => line[..end].rsplit_once(' ').map_or(&line[..end], |(whole, _)| whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_feed_is_left_out_and_nothing_else_is() {
        for (title, wanted) in [
            ("Cow freed from old canal - Westbrook News", "Cow freed from old canal"),
            ("Liman yeniden açıldı, seferler başladı | Kuzey Haber", "Liman yeniden açıldı, seferler başladı"),
            ("Galatasaray - Fenerbahçe", "Galatasaray - Fenerbahçe"),
            ("Old town wins the cup at home 3 - 1", "Old town wins the cup at home 3 - 1"),
            ("Bank raises rates again - what it means for you", "Bank raises rates again - what it means for you"),
        ] {
            assert_eq!(feedless(title), wanted);
        }
    }

    #[test]
    fn a_text_without_headline_lends_its_first_line() {
        assert_eq!(beginning("  Pier reopens\nIt was closed."), "Pier reopens");
        assert_eq!(beginning(""), "");
        let long = "word ".repeat(60);
        assert_eq!(beginning(&long).len(), 119);
        assert_eq!(beginning(&"я".repeat(200)).chars().count(), MAX_HEADLINE_CHARS);
    }
}
