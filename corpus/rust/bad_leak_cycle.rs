// selvedge: run --leaks
// expect: violation leak

//! Two counted references that point at each other are never freed.

use std::cell::RefCell;
use std::rc::Rc;

struct Knot {
    name: &'static str,
    other: RefCell<Option<Rc<Knot>>>,
}

fn main() {
    let left = Rc::new(Knot { name: "left", other: RefCell::new(None) });
    let right = Rc::new(Knot { name: "right", other: RefCell::new(Some(Rc::clone(&left))) });
    *left.other.borrow_mut() = Some(Rc::clone(&right));
    let seen = left.other.borrow().as_ref().map(|knot| knot.name);
    println!("{} is tied to {seen:?}", left.name);
    println!("{} has {} owners", right.name, Rc::strong_count(&right));
}
