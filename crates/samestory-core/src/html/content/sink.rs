//! The receiver of block features.

use super::model::{value, FeatureKind};

/// Receives the features of one block after the other.
pub(super) trait Sink {
    /// Adds a feature by the hash of its value; `text` writes the value, for sinks that need it readable.
    fn put(&mut self, group: FeatureKind, value: u64, text: &dyn Fn(&mut String));
    /// Adds the words of the id and class of an element and of those around it, shared by all blocks in it.
    fn marks(&mut self, element: u32);
    /// Ends the features of a block.
    fn end(&mut self);
}

/// Adds a feature whose value is a number.
pub(super) fn number(sink: &mut impl Sink, group: FeatureKind, number: u32) {
    let mut digits = [0u8; 10];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let text = std::str::from_utf8(&digits[at..]).unwrap_or_default();
    sink.put(group, value(text), &|out| out.push_str(text));
}
