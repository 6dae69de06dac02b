// selvedge: run
// expect: violation memory line 15

//! A write one past the end of a heap block, from a thread.

use std::thread;

fn main() {
    let mut buffer = vec![0u8; 24];
    let address = buffer.as_mut_ptr() as usize;
    println!("buffer of {}", buffer.len());
    thread::spawn(move || {
        let pointer = address as *mut u8;
        for i in 0..=24 {
            unsafe { *pointer.add(i) = i as u8 }; // fault: i is 24
        }
    })
    .join()
    .unwrap();
    println!("last {}", buffer[23]);
}
