//! Counts down step by step and shows each one.

use weave::Latch;

fn main() {
    let latch = Latch::new(3);
    while !latch.is_open() {
        println!("{} left", latch.count_down());
    }
    latch.wait();
    println!("open");
}
