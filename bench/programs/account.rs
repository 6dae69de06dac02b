// selvedge: check --cflags="--cfg small"
// expect: verified
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation panic
// slow: the way with the fewest context switches is searched for among many states

//! Some threads pay in, as many pay out, and one audits, all under one lock.
//! With `bug` a deposit lets go of the lock before it is counted.

use std::sync::{Arc, Mutex};
use std::thread;

const EACH: usize = if cfg!(small) { 1 } else { 4 };

struct Account {
    balance: i64,
    deposits: i64,
    withdrawals: i64,
}

fn pay_in(account: &Mutex<Account>) {
    let mut guard = account.lock().unwrap();
    guard.balance += 10;
    if cfg!(bug) {
        drop(guard);
        guard = account.lock().unwrap();
    }
    guard.deposits += 1;
}

fn pay_out(account: &Mutex<Account>) {
    let mut guard = account.lock().unwrap();
    guard.balance -= 5;
    guard.withdrawals += 1;
}

fn audit(account: &Mutex<Account>) {
    let (balance, expected) = {
        let guard = account.lock().unwrap();
        (guard.balance, 100 + 10 * guard.deposits - 5 * guard.withdrawals)
    };
    assert_eq!(balance, expected);
}

fn main() {
    let account = Arc::new(Mutex::new(Account { balance: 100, deposits: 0, withdrawals: 0 }));
    let mut actions: Vec<fn(&Mutex<Account>)> = vec![pay_in; EACH];
    actions.extend(vec![pay_out as fn(&Mutex<Account>); EACH]);
    actions.push(audit);
    let threads: Vec<_> = actions
        .into_iter()
        .map(|action| {
            let account = Arc::clone(&account);
            thread::spawn(move || action(&account))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
