//! Splits the lines of the input into words as detectors do, separated by spaces, for benchmarks/word_frequencies.py.

use std::io::{self, BufRead};

use samestory_core::text::tokens::tokenise;
use samestory_core::text::unspaced;

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let (line, mut tokens) = (line?, vec![]);
        tokenise(&line, false, |token| tokens.push(token));
        let words = unspaced::words(&line, &tokens);
        let written: Vec<&str> = words.iter().map(|word| &line[word.start..word.end]).collect();
        println!("{}", written.join(" "));
    }
    Ok(())
}
