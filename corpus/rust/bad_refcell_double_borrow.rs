// selvedge: run
// expect: violation panic line 13

//! A mutable borrow while a shared one is alive.

use std::cell::RefCell;

fn main() {
    let list = RefCell::new(vec![1, 2, 3]);
    for item in list.borrow().iter() {
        println!("item {item}");
        if *item == 2 {
            list.borrow_mut().push(4); // fault: the loop still borrows the list
        }
    }
}
