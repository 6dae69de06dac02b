// selvedge: run
// expect: exit 0
// native: same
// stdout: sum 321 depth 2
// stdout: counts 2 1
// stdout: borrow while borrowed: true
// stdout: drop 1 after 1 visits
// stdout: drop 20 after 1 visits
// stdout: orphan depth 0
// stdout: 5 5
// stdout: a_b true
// stdout: Some(1)
// stdout: drop 300 after 1 visits

//! Shared ownership in one thread: a tree with parent links, interior mutability, copy on write.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};

struct Node {
    value: u32,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
    visits: Cell<u32>,
}

impl Node {
    fn new(value: u32) -> Rc<Node> {
        Rc::new(Node {
            value,
            parent: RefCell::default(),
            children: RefCell::default(),
            visits: Cell::new(0),
        })
    }

    fn adopt(self: &Rc<Self>, child: Rc<Node>) {
        *child.parent.borrow_mut() = Rc::downgrade(self);
        self.children.borrow_mut().push(child);
    }

    fn sum(&self) -> u32 {
        self.visits.set(self.visits.get() + 1);
        self.value + self.children.borrow().iter().map(|c| c.sum()).sum::<u32>()
    }

    fn depth(&self) -> u32 {
        self.parent.borrow().upgrade().map_or(0, |parent| parent.depth() + 1)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        println!("drop {} after {} visits", self.value, self.visits.get());
    }
}

fn tidy(text: &str) -> Cow<'_, str> {
    if text.contains(' ') {
        Cow::Owned(text.replace(' ', "_"))
    } else {
        Cow::Borrowed(text)
    }
}

fn main() {
    let root = Node::new(1);
    let branch = Node::new(20);
    let leaf = Node::new(300);
    branch.adopt(Rc::clone(&leaf));
    root.adopt(branch);
    println!("sum {} depth {}", root.sum(), leaf.depth());
    println!("counts {} {}", Rc::strong_count(&leaf), Rc::weak_count(&root));
    println!("borrow while borrowed: {}", {
        let _held = root.children.borrow();
        root.children.try_borrow_mut().is_err()
    });
    drop(root);
    println!("orphan depth {}", leaf.depth());

    let once = OnceCell::new();
    println!("{} {}", once.get_or_init(|| 5), once.get_or_init(|| 6));
    println!("{} {}", tidy("a b"), matches!(tidy("ab"), Cow::Borrowed(_)));
    let mut shared: Rc<[u8]> = Rc::from(vec![1, 2, 3]);
    println!("{:?}", Rc::get_mut(&mut shared).map(|bytes| std::mem::take(&mut bytes[0])));
}
