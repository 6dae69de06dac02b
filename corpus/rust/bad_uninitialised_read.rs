// selvedge: run
// expect: violation uninitialised

//! A branch on memory that was allocated and never written.

use std::alloc::{alloc, dealloc, Layout};

fn main() {
    let layout = Layout::array::<u32>(4).unwrap();
    let memory = unsafe { alloc(layout) }.cast::<u32>();
    unsafe {
        for i in 0..3 {
            memory.add(i).write(i as u32 + 1);
        }
        let mut positive = 0;
        for i in 0..4 {
            if *memory.add(i) > 0 {
                positive += 1;
            }
        }
        println!("positive {positive}");
        dealloc(memory.cast(), layout);
    }
}
