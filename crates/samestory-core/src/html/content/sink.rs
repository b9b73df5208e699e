//! Where features of blocks go.

use super::model::{value, Group};

/// Takes the features of one block after the other.
pub(super) trait Sink {
    /// A feature by the hash of its value; `text` writes the value, for those who want to read it.
    fn put(&mut self, group: Group, value: u64, text: &dyn Fn(&mut String));
    /// What an element and those around it say of all blocks in it: the words of their id and class.
    fn marks(&mut self, element: u32);
    /// The features of a block are all there.
    fn end(&mut self);
}

/// A feature whose value is a number.
pub(super) fn number(sink: &mut impl Sink, group: Group, number: u32) {
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
