//! A sparse array whose copies share what they have in common.
//!
//! Cloning is one reference count; the first write to an element after a clone copies the element and the path
//! to it (a handful of small nodes). This is what makes snapshots cost what was touched since.

use std::sync::Arc;

const BITS: u32 = 4;
const FANOUT: usize = 1 << BITS;

#[derive(Clone)]
enum Node<T> {
    Inner([Option<Arc<Node<T>>>; FANOUT]),
    Leaf([Option<Arc<T>>; FANOUT]),
}

impl<T> Node<T> {
    fn empty(height: u32) -> Self {
        match height {
            0 => Node::Leaf([const { None }; FANOUT]),
            _ => Node::Inner([const { None }; FANOUT]),
        }
    }
}

/// A sparse array indexed by `u32`.
pub struct Persistent<T> {
    root: Arc<Node<T>>,
    height: u32,
}

impl<T> Clone for Persistent<T> {
    fn clone(&self) -> Self {
        Persistent { root: self.root.clone(), height: self.height }
    }
}

impl<T> Default for Persistent<T> {
    fn default() -> Self {
        Persistent { root: Arc::new(Node::empty(0)), height: 0 }
    }
}

fn digit(index: u32, height: u32) -> usize {
    (index >> (height * BITS)) as usize & (FANOUT - 1)
}

impl<T: Clone> Persistent<T> {
    fn covers(&self, index: u32) -> bool {
        u64::from(index) >> ((self.height + 1) * BITS) == 0
    }

    /// The element, if there is one.
    pub fn get(&self, index: u32) -> Option<&T> {
        if !self.covers(index) {
            return None;
        }
        let mut node = &*self.root;
        let mut height = self.height;
        loop {
            match node {
                Node::Inner(children) => node = children[digit(index, height)].as_deref()?,
                Node::Leaf(elements) => return elements[digit(index, 0)].as_deref(),
            }
            height -= 1;
        }
    }

    /// The place of an element, for writing; whatever is shared with another copy is copied first.
    pub fn slot(&mut self, index: u32) -> &mut Option<Arc<T>> {
        while !self.covers(index) {
            let mut children = [const { None }; FANOUT];
            children[0] = Some(self.root.clone());
            self.root = Arc::new(Node::Inner(children));
            self.height += 1;
        }
        let mut node = Arc::make_mut(&mut self.root);
        let mut height = self.height;
        loop {
            match node {
                Node::Inner(children) => {
                    let child = &mut children[digit(index, height)];
                    let child = child.get_or_insert_with(|| Arc::new(Node::empty(height - 1)));
                    node = Arc::make_mut(child);
                }
                Node::Leaf(elements) => return &mut elements[digit(index, 0)],
            }
            height -= 1;
        }
    }

    /// The element for writing, if there is one.
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        self.get(index)?;
        self.slot(index).as_mut().map(Arc::make_mut)
    }

    /// Calls `visit` with every element, in order of index.
    pub fn each(&self, visit: &mut impl FnMut(u32, &T)) {
        fn walk<T>(node: &Node<T>, prefix: u32, visit: &mut impl FnMut(u32, &T)) {
            match node {
                Node::Inner(children) => {
                    for (i, child) in children.iter().enumerate() {
                        if let Some(child) = child {
                            walk(child, prefix << BITS | i as u32, visit);
                        }
                    }
                }
                Node::Leaf(elements) => {
                    for (i, element) in elements.iter().enumerate() {
                        if let Some(element) = element {
                            visit(prefix << BITS | i as u32, element);
                        }
                    }
                }
            }
        }
        walk(&self.root, 0, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_do_not_see_later_writes() {
        let mut a = Persistent::default();
        for i in (0..5000).step_by(7) {
            *a.slot(i) = Some(Arc::new(i));
        }
        let b = a.clone();
        *a.get_mut(14).expect("was set") = 99;
        *a.slot(1 << 20) = Some(Arc::new(1));
        assert_eq!((a.get(14), b.get(14)), (Some(&99), Some(&14)));
        assert_eq!((a.get(15), b.get(1 << 20), a.get(1 << 20)), (None, None, Some(&1)));
        let mut seen = Vec::new();
        b.each(&mut |i, &v| seen.push((i, v)));
        assert_eq!(seen, (0..5000).step_by(7).map(|i| (i, i)).collect::<Vec<_>>());
    }
}
