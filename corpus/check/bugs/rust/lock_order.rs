// selvedge: check
// expect: violation deadlock

//! Two accounts send money to each other; each transfer locks the sender first.

use std::sync::{Arc, Mutex};
use std::thread;

struct Bank {
    balances: [Mutex<i32>; 2],
}

impl Bank {
    fn transfer(&self, from: usize, to: usize, amount: i32) {
        let mut source = self.balances[from].lock().unwrap();
        let mut target = self.balances[to].lock().unwrap();
        *source -= amount;
        *target += amount;
    }
}

fn main() {
    let bank = Arc::new(Bank { balances: [Mutex::new(50), Mutex::new(50)] });
    let there = thread::spawn({
        let bank = bank.clone();
        move || bank.transfer(0, 1, 20)
    });
    bank.transfer(1, 0, 5);
    there.join().unwrap();
    assert_eq!(*bank.balances[0].lock().unwrap(), 35);
}
