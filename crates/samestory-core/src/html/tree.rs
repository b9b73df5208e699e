//! The tree of a page: an arena of nodes, built by the rules of the HTML Standard.
//!
//! Nodes refer to each other by index, so there is no reference counting, nodes are not freed one by one, and traversal
//! needs no recursion. Comments are not kept. The contents of a template are its children.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{ns, Attribute, LocalName, Namespace, QualName};

/// No node.
pub const NONE: u32 = u32::MAX;
/// The root node.
pub const DOCUMENT: u32 = 0;
/// The maximum depth of a node: a deeper one becomes a sibling of its ancestor at this depth, as in browsers.
pub const DEPTH: u16 = 512;

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub parent: u32,
    pub next: u32,
    pub first: u32,
    previous: u32,
    last: u32,
    depth: u16,
    /// Set for the one MathML element that may contain HTML.
    holds_html: bool,
    pub what: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Document,
    /// Indices into `Tree::names` and `Tree::marks` (or `NONE`).
    Element(u32, u32),
    /// Start and end in `Tree::text`.
    Text(u32, u32),
    /// A placeholder that the rules require and no code reads.
    Nothing,
}

#[derive(Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub text: String,
    /// The distinct element names, and whether they are HTML (not SVG or MathML).
    pub names: Vec<(Box<str>, bool)>,
    /// For every element that has an id or a class, or is hidden: the offsets in `marked` of the start of the id, the
    /// start of the class and the end of the class; and whether it is hidden.
    pub marks: Vec<([u32; 3], bool)>,
    pub marked: String,
    /// The page is a frameset; the tree holds only its fallback for browsers without frames.
    pub has_frames: bool,
    /// A node would have been deeper than `DEPTH`, or was closed because the rules reopened it too often.
    pub is_deep: bool,
}

impl Tree {
    fn add(&mut self, what: NodeKind) -> u32 {
        let number = self.nodes.len() as u32;
        let bare = Node {
            parent: NONE,
            next: NONE,
            first: NONE,
            previous: NONE,
            last: NONE,
            depth: 0,
            holds_html: false,
            what,
        };
        self.nodes.push(bare);
        number
    }

    fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// The id and the class of an element.
    pub fn id_and_class(&self, marks: u32) -> (&str, &str) {
        match self.marks.get(marks as usize) {
            Some(&([id, class, end], _)) => {
                (&self.marked[id as usize..class as usize], &self.marked[class as usize..end as usize])
            }
            None => ("", ""),
        }
    }

    /// Whether an element is hidden by its style or by the attribute `hidden`.
    pub fn is_hidden(&self, marks: u32) -> bool {
        self.marks.get(marks as usize).is_some_and(|&(_, hidden)| hidden)
    }

    /// Inserts a node as the last child, or before another child of the parent.
    fn put(&mut self, mut parent: u32, before: u32, child: u32) {
        while before == NONE && self.node(parent).depth >= DEPTH {
            self.is_deep = true;
            parent = self.node(parent).parent;
        }
        if self.is_deep && self.is_below(parent, child) {
            return;
        }
        self.detach(child);
        let previous = if before == NONE { self.node(parent).last } else { self.node(before).previous };
        let depth = self.node(parent).depth + 1;
        *self.node(child) = Node { parent, next: before, previous, depth, ..*self.node(child) };
        if previous == NONE {
            self.node(parent).first = child;
        } else {
            self.node(previous).next = child;
        }
        if before == NONE {
            self.node(parent).last = child;
        } else {
            self.node(before).previous = child;
        }
    }

    fn put_text(&mut self, parent: u32, before: u32, text: &str) {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        let beside = if before == NONE { self.node(parent).last } else { self.node(before).previous };
        if beside != NONE {
            if let NodeKind::Text(_, ref mut last) = self.node(beside).what {
                if *last == start {
                    *last = end;
                    return;
                }
            }
        }
        let child = self.add(NodeKind::Text(start, end));
        self.put(parent, before, child);
    }

    /// Whether a node is `other` or its descendant. The rules never insert a node into itself; but they are not aware
    /// of nodes that became siblings of their parents because of `DEPTH`.
    fn is_below(&mut self, mut node: u32, other: u32) -> bool {
        if self.node(other).first == NONE {
            return node == other;
        }
        while node != NONE && node != other {
            node = self.node(node).parent;
        }
        node == other
    }

    /// Removes a node from its parent.
    fn detach(&mut self, child: u32) {
        let Node { parent, next, previous, .. } = *self.node(child);
        if parent == NONE {
            return;
        }
        if previous == NONE {
            self.node(parent).first = next;
        } else {
            self.node(previous).next = next;
        }
        if next == NONE {
            self.node(parent).last = previous;
        } else {
            self.node(next).previous = previous;
        }
        *self.node(child) = Node { parent: NONE, next: NONE, previous: NONE, ..*self.node(child) };
    }
}

/// The interface through which the rules of the standard build the tree.
pub(super) struct TreeWriter {
    tree: RefCell<Tree>,
    names: RefCell<Vec<Name>>,
    numbers: RefCell<HashMap<Name, u32>>,
    /// The last element created.
    newest: Cell<u32>,
    elements: Cell<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Name {
    space: Namespace,
    local: LocalName,
}

impl ElemName for &Name {
    fn ns(&self) -> &Namespace {
        &self.space
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

/// A node handle for the rules, with its name, which they read at every step.
#[derive(Clone)]
pub(super) struct Handle {
    number: u32,
    name: Name,
}

/// Appended to the names of elements whose content is raw text in the standard and markup here: no tag name in a page
/// can contain it, so the rules treat such an element as unknown.
pub(super) const PLAIN: char = '/';

impl TreeWriter {
    pub fn new() -> Self {
        let mut tree = Tree::default();
        tree.add(NodeKind::Document);
        TreeWriter {
            tree: RefCell::new(tree),
            names: RefCell::default(),
            numbers: RefCell::default(),
            newest: Cell::new(NONE),
            elements: Cell::new(0),
        }
    }

    /// Resets the last element created.
    pub fn begin(&self) {
        self.newest.set(NONE);
    }

    /// Sets id and class of the last element created, if it has this name. Elements that the rules created implicitly
    /// before it, or reopened later because of a misplaced end tag, have none.
    pub fn mark(&self, name: &LocalName, id: &str, class: &str, hidden: bool) {
        let tree = &mut *self.tree.borrow_mut();
        let number = tree.marks.len() as u32;
        let newest = self.newest.get();
        let Some(Node { what: NodeKind::Element(made, place), .. }) = tree.nodes.get_mut(newest as usize) else {
            return;
        };
        if self.names.borrow()[*made as usize].local.eq_ignore_ascii_case(name) {
            *place = number;
            let from = tree.marked.len() as u32;
            tree.marked.push_str(id);
            tree.marked.push_str(class);
            tree.marks.push(([from, from + id.len() as u32, tree.marked.len() as u32], hidden));
        }
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.elements.get()
    }

    pub fn set_frames(&self) {
        self.tree.borrow_mut().has_frames = true;
    }

    pub fn set_deep(&self) {
        self.tree.borrow_mut().is_deep = true;
    }

    fn number(&self, name: &Name) -> u32 {
        let mut numbers = self.numbers.borrow_mut();
        if let Some(&known) = numbers.get(name) {
            return known;
        }
        let mut names = self.names.borrow_mut();
        let number = names.len() as u32;
        names.push(name.clone());
        numbers.insert(name.clone(), number);
        number
    }

    fn placeholder(&self) -> Handle {
        Handle { number: self.tree.borrow_mut().add(NodeKind::Nothing), name: Name::default() }
    }
}

impl TreeSink for TreeWriter {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = &'a Name;

    fn finish(self) -> Tree {
        let mut tree = self.tree.into_inner();
        let shown = |name: Name| (name.local.trim_end_matches(PLAIN).into(), name.space == ns!(html));
        tree.names = self.names.into_inner().into_iter().map(shown).collect();
        tree
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { number: DOCUMENT, name: Name::default() }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a Name {
        &target.name
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let name = Name { space: name.ns, local: name.local };
        let mut tree = self.tree.borrow_mut();
        let number = tree.add(NodeKind::Element(self.number(&name), NONE));
        tree.node(number).holds_html = flags.mathml_annotation_xml_integration_point;
        self.newest.set(number);
        self.elements.set(self.elements.get() + 1);
        Handle { number, name }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.placeholder()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.placeholder()
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(node) => tree.put(parent.number, NONE, node.number),
            NodeOrText::AppendText(text) => tree.put_text(parent.number, NONE, &text),
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        if self.tree.borrow().nodes[element.number as usize].parent == NONE {
            self.append(previous, child);
        } else {
            self.append_before_sibling(element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.number == other.number
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        let parent = tree.node(sibling.number).parent;
        match child {
            NodeOrText::AppendNode(node) => tree.put(parent, sibling.number, node.number),
            NodeOrText::AppendText(text) => tree.put_text(parent, sibling.number, &text),
        }
    }

    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.number);
    }

    fn reparent_children(&self, node: &Handle, parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        let mut child = tree.node(node.number).first;
        while child != NONE {
            let next = tree.node(child).next;
            tree.put(parent.number, NONE, child);
            child = next;
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.tree.borrow().nodes[target.number as usize].holds_html
    }
}
