//! Pages to blocks: the worked example, and the fields of each block.

use super::*;

fn read(page: &str) -> Blocks {
    page_blocks(page.as_bytes(), Some("utf-8"), None, &BlockOptions::default()).expect("the input is a page")
}

fn texts(page: &str) -> Vec<String> {
    let found = read(page);
    found.blocks.iter().map(|block| found.text_of(block).to_owned()).collect()
}

fn tags(found: &Blocks, block: &Block) -> Vec<String> {
    found.ancestors(block).map(|element| found.names[element.tag as usize].clone()).collect()
}

#[test]
fn the_worked_example_of_the_study() {
    let page =
        "<p>One <b>two</b> <a href=x>three</a></p><div>four<br>five <span>six</span></div><script>var x</script>";
    assert_eq!(texts(page), ["One two three", "four", "five six"]);
}

#[test]
fn tokens_and_those_in_links_are_counted() {
    let found = read("<p>One <a>two three</a> f<a>our</a>.<p><a>all <div>of</div> it</a>");
    let counts: Vec<_> = found.blocks.iter().map(|block| (block.tokens, block.linked)).collect();
    // a word counts where it begins
    assert_eq!(counts, [(4, 2), (1, 1), (1, 1), (1, 1)]);
}

#[test]
fn a_block_knows_the_tags_around_it() {
    let found =
        read("<div id=main class='storyBody x'><p>one<br>two <i>and</i><a name=y></a></p></div><nav><ul><li>three");
    let border =
        |border: Border| format!("{}{}", if border.closes { "/" } else { "" }, found.names[border.tag as usize]);
    let [one, two, three] = &found.blocks[..] else { panic!("expected three blocks") };
    assert_eq!([one.before, one.after, two.before, two.after].map(border), ["p", "br", "br", "/p"]);
    assert_eq!(tags(&found, one), ["p", "div", "body", "html"]);
    assert_eq!(tags(&found, three), ["li", "ul", "nav", "body", "html"]);
    let set: Vec<_> = found.sets[two.inline as usize].iter().map(|&tag| &*found.names[tag as usize]).collect();
    assert_eq!(set, ["i", "a"]);
    assert_eq!((one.paragraph, two.paragraph, three.paragraph), (0, 0, 1));
    assert_eq!((one.inside, three.inside), (0, 1 << 2 | 1 << 7));
    let words = &found.elements[one.element as usize - 1].words;
    let words: Vec<_> = found.words[words.start as usize..words.end as usize].iter().collect();
    assert_eq!(words.iter().map(|&&word| &*found.names[word as usize]).collect::<Vec<_>>(), ["main", "story", "body"]);
}

#[test]
fn the_gold_annotation_leaves_no_trace_but_its_counts() {
    let bare = "<p>MEXICO CITY - <b>The text</b> goes on</p>";
    let gold = "<p><span class=CedarLocation>MEXICO CITY</span> - <span class='x CedarContent'><b>The text</b> goes</span> on</p>";
    let (bare, gold) = (read(bare), read(gold));
    assert_eq!((gold.blocks[0].tokens, gold.blocks[0].cedar), (6, [3, 2, 0, 0, 0, 0]));
    assert_eq!(bare.blocks[0].cedar, [0; 6]);
    for (one, other) in bare.blocks.iter().zip(&gold.blocks) {
        assert_eq!(bare.text_of(one), gold.text_of(other));
        assert_eq!(tags(&bare, one), tags(&gold, other));
        assert_eq!(bare.sets[one.inline as usize].len(), gold.sets[other.inline as usize].len());
    }
}

#[test]
fn an_inline_element_that_holds_the_whole_block_is_its_element() {
    let found = read("<div><span class=byline>By X</span></div><div><b>Y</b> and Z</div>");
    assert_eq!(tags(&found, &found.blocks[0]), ["span", "div", "body", "html"]);
    assert_eq!(tags(&found, &found.blocks[1]), ["div", "body", "html"]);
}

#[test]
fn depth_is_bounded_and_nothing_is_lost_by_it() {
    let deep = 5000;
    let mut page = "<div>a".repeat(deep);
    page += &"b</div>".repeat(deep);
    let found = read(&page);
    assert!(found.flags.deep);
    assert_eq!(found.blocks.len(), 2 * deep - 1);
    assert!(found.blocks.iter().all(|block| found.ancestors(block).count() <= usize::from(tree::DEPTH)));
}

#[test]
fn what_the_rules_open_again_stays_bounded() {
    let page: String = (0..3000).map(|number| format!("<p><b id={number}><i class=x{number}>x")).collect();
    let found = read(&page);
    assert_eq!(found.blocks.len(), 3000);
    assert!(found.elements.len() < 3000 * 20);
}
