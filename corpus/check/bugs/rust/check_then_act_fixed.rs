// selvedge: check
// expect: verified

//! Two buyers look into the purse and pay in one critical section.

use std::sync::Mutex;
use std::thread;

fn buy(purse: &Mutex<u32>, price: u32) -> bool {
    let mut money = purse.lock().unwrap();
    if *money < price {
        return false;
    }
    *money -= price;
    true
}

fn main() {
    let purse = Mutex::new(10);
    thread::scope(|scope| {
        scope.spawn(|| buy(&purse, 7));
        buy(&purse, 6);
    });
}
