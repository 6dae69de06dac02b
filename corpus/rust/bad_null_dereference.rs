// selvedge: run
// expect: violation memory line 19
// cflags: -C debug-assertions=off

//! A null pointer is read; built without the compiler's own null check.

use std::ptr;

struct Node {
    value: u32,
    next: *const Node,
}

fn main() {
    let last = Node { value: 2, next: ptr::null() };
    let first = Node { value: 1, next: &last };
    let mut at: *const Node = &first;
    loop {
        let value = unsafe { (*at).value }; // fault: the third step is null
        println!("value {value}");
        at = unsafe { (*at).next };
    }
}
