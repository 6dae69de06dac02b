// selvedge: check
// expect: violation panic

//! Two buyers look into the purse and pay in two separate critical sections, and the purse goes below zero.

use std::sync::Mutex;
use std::thread;

fn buy(purse: &Mutex<u32>, price: u32) -> bool {
    if *purse.lock().unwrap() < price {
        return false;
    }
    *purse.lock().unwrap() -= price;
    true
}

fn main() {
    let purse = Mutex::new(10);
    thread::scope(|scope| {
        scope.spawn(|| buy(&purse, 7));
        buy(&purse, 6);
    });
}
