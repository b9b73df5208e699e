use super::*;
use crate::text::repair::repair;

fn text(text: &str) -> String {
    repair(text).text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn lists_are_in_order() {
    for list in [BLOCKS, INLINE, SWITCHES] {
        assert!(list.is_sorted());
    }
}

#[test]
fn tags_become_blanks_and_line_ends() {
    assert_eq!(repair("<p>One<br/>two</p><P class=\"a\">three</P>").text, "\nOne\ntwo\n\nthree\n");
    assert_eq!(text("a <a href='x' target=_blank>link</a> and <b>bold</b><!-- no --> end"), "a link and bold end");
    assert_eq!(
        text("One<script async src=\"x.js\">var a = '<b>';</script> two<style>p{}</style> three"),
        "One two three"
    );
    for kept in ["a <b and c> d", "1<2 and 3>2", "<unknown>", "<p", "x <3 y", "< p >", "<b c d>", "<p;>", "<p<p"] {
        assert_eq!(text(kept), kept);
    }
}

#[test]
fn style_sheets_are_removed() {
    assert_eq!(text("Before .ad, #top p { color: red; margin:0 } after"), "Before after");
    assert_eq!(text("This is a .x{display:none} word"), "This is a word");
    assert_eq!(text("End. @media only screen and (max-width: 600px) { .a{width:1px} p{margin:0} } Next"), "End. Next");
    assert_eq!(text("a:hover{text-decoration:none} body{font-family:Arial;color:#fff} News"), "News");
    for kept in ["set {1, 2}", "x {note: this} y", "{color}", "f{x}", "he {said: yes; no: no}", "{", "}"] {
        assert_eq!(text(kept), kept);
    }
}

#[test]
fn what_never_ends_takes_no_longer_than_other_text() {
    for piece in ["<!-- ", "<script>", "function(){", "@media {", "var a=", "{", "<p a=\"", "&amp;", "&lt;", ".a{"] {
        let hostile = piece.repeat((1 << 18) / piece.len());
        let start = std::time::Instant::now();
        let repaired = repair(&hostile);
        assert!(start.elapsed().as_secs() < 20, "{piece}: {:?}", start.elapsed());
        assert!(repaired.text.len() <= hostile.len());
    }
}

#[test]
fn scripts_are_removed() {
    assert_eq!(text("One (function(d, s){ if (d) { s(); } })(document); two"), "One two");
    assert_eq!(text("One $(document).ready(function(){ go(); }); two"), "One two");
    assert_eq!(text("One function share(url) { open(url); } two"), "One two");
    assert_eq!(text("One var ad = {a: 1, b: [2; 3]}; two window.x = 5; three"), "One two three");
    for kept in ["the function (of x) is {x}", "var mı = yok", "y = x; z", "let x = y", "E = mc; so", "iş var = x;"] {
        assert_eq!(text(kept), kept);
    }
}
