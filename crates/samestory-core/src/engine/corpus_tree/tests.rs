use super::*;
use crate::detectors::{ParameterValue, Parameters};
use crate::statistics::term_counts::Frequencies;
use std::sync::Arc;

fn tree(visitors: Visitors, limit: f64, fold: bool) -> CorpusTree {
    let number = |name: &str, value: f64| (name.to_owned(), ParameterValue::Number(value));
    let flag = |name: &str, value: bool| (name.to_owned(), ParameterValue::Flag(value));
    let text = |name: &str, value: &str| (name.to_owned(), ParameterValue::Text(value.to_owned()));
    let values = [
        number("threshold", 0.6),
        number("limit", limit),
        flag("word_sorting", false),
        number("depth", 0.0),
        number("suffixes", 1.0),
        number("power", 1.0),
        text("weight", "idf"),
        text("stemming", "none"),
        flag("stop_words", false),
        number("log_base", 10.0),
        flag("plus_one", true),
    ];
    let frequencies = Some(Arc::new(Frequencies::default()));
    let rule = CoDet::from_parameters(&Parameters { values: values.into(), frequencies, ..Parameters::default() })
        .expect("all parameters are given");
    CorpusTree::new(rule, visitors, fold)
}

fn article(sentences: &[&str]) -> Vec<Sentence> {
    let step = |c: char| Step { word: u32::from(c), weight: 1.0 };
    let sentence = |words: &&str| Sentence { path: words.chars().map(step).collect(), start: 0, end: 0 };
    sentences.iter().map(sentence).collect()
}

fn score(found: &[TreeOverlap], of: u32, own: f64) -> f64 {
    found.iter().find(|f| f.article == of).map_or(0.0, |f| f.forward * own)
}

#[test]
fn counts_give_one_score_in_any_order_and_sets_do_not() {
    // the sentences "xa", "xb" against "xc": Eq. 3.1 gives 2
    let (one, other) = (article(&["xa", "xb"]), article(&["xc"]));
    for (visitors, first, second) in [(Visitors::Counts, 2.0f64, 2.0), (Visitors::Set, 1.0, 2.0)] {
        let mut there = tree(visitors, 0.0, false);
        there.add(1, one.clone());
        assert_eq!(score(&there.add(2, other.clone()), 1, 3.0), first);
        let mut back = tree(visitors, 0.0, false);
        back.add(2, other.clone());
        assert_eq!(score(&back.add(1, one.clone()), 2, 8.0), second);
    }
}

#[test]
fn a_node_is_deactivated_before_its_last_visitor_is_compared() {
    // 11 articles with one word each: those up to the limit are compared with each other, the next one with none
    for (limit, pairs) in [(0.0, 55), (1.0, 0), (2.0, 1), (10.0, 45), (11.0, 55)] {
        let mut tree = tree(Visitors::Counts, limit, false);
        let found: usize = (0..11).map(|number| tree.add(number, article(&["x"])).len()).sum();
        assert_eq!(found, pairs, "limit {limit}");
    }
}

#[test]
fn what_is_removed_leaves_no_node_behind() {
    let mut tree = tree(Visitors::Counts, 0.0, false);
    let news = [&["abcd", "abxy"][..], &["abcd"], &["q", "abce", "abce"], &["zz"]];
    for (number, sentences) in (0..).zip(news) {
        tree.add(number, article(sentences));
    }
    assert_eq!(tree.size(), 10, "a ab abc abcd abce abx abxy q z zz");
    assert!(tree.stored() < tree.size(), "tails are not stored word by word");
    for number in [2, 0, 3, 1] {
        assert!(tree.remove(number));
        assert!(!tree.remove(number));
    }
    assert_eq!((tree.size(), tree.stored(), tree.children.len()), (0, 0, 0));
}

#[test]
fn a_node_with_too_many_visitors_falls_silent() {
    let mut tree = tree(Visitors::Counts, 2.0, false);
    for number in 0..3 {
        tree.add(number, article(&["common"]));
    }
    assert_eq!(tree.add(3, article(&["common"])), [], "every node of it has had three visitors");
}

#[test]
fn a_copy_folds_into_the_first_and_answers_with_it() {
    let mut tree = tree(Visitors::Counts, 0.0, true);
    tree.add(0, article(&["abcd", "efgh"]));
    tree.add(1, article(&["abcd", "efgh"]));
    assert_eq!((tree.len(), tree.size()), (1, 8));
    let found = tree.add(2, article(&["abcd"]));
    assert_eq!(found.iter().map(|f| f.article).collect::<Vec<_>>(), [0, 1]);
    assert!(tree.remove(0), "its copy takes its place");
    assert_eq!(tree.query(&article(&["efgh"])).iter().map(|f| f.article).collect::<Vec<_>>(), [1]);
    assert!(tree.remove(1) && tree.remove(2));
    assert_eq!(tree.stored(), 0);
}
