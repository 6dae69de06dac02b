// selvedge: run
// expect: violation deadlock

//! Locking a mutex twice in one thread never returns.

use std::sync::Mutex;

struct Account {
    balance: Mutex<i32>,
}

impl Account {
    fn deposit(&self, amount: i32) -> i32 {
        let mut balance = self.balance.lock().unwrap();
        *balance += amount;
        self.report()
    }

    fn report(&self) -> i32 {
        *self.balance.lock().unwrap()
    }
}

fn main() {
    let account = Account { balance: Mutex::new(10) };
    println!("starts with {}", account.report());
    println!("now {}", account.deposit(5));
}
