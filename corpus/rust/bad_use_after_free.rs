// selvedge: run
// expect: violation memory line 12

//! A raw pointer outlives the box it came from.

fn main() {
    let boxed = Box::new([10u32, 20, 30]);
    let pointer = &raw const boxed[1];
    // SAFETY: the box is still alive here.
    println!("alive {}", unsafe { *pointer });
    drop(boxed);
    let value = unsafe { *pointer }; // fault: the box is gone
    println!("dangling {value}");
}
