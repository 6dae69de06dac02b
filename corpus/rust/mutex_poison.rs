// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: thread said Some("half done")
// stdout: poisoned true
// stdout: recovered [1, 2, 3, 4, 5]
// stdout: clean again true

//! A panic while holding the lock poisons it; the value can still be recovered.

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new(Mutex::new(vec![1, 2, 3]));
    let other = Arc::clone(&shared);
    let result = thread::spawn(move || {
        let mut guard = other.lock().unwrap();
        guard.push(4);
        panic!("half done");
    })
    .join();
    let message = result.unwrap_err();
    println!("thread said {:?}", message.downcast_ref::<&str>());
    println!("poisoned {}", shared.is_poisoned());
    match shared.lock() {
        Ok(_) => println!("unexpectedly clean"),
        Err(poison) => {
            let mut guard = poison.into_inner();
            guard.push(5);
            println!("recovered {guard:?}");
        }
    }
    shared.clear_poison();
    println!("clean again {}", shared.lock().is_ok());
}
