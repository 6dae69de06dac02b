// selvedge: run
// expect: exit 0
// native: same
// stdout: first attempt failed: true
// stdout: second attempt failed: true
// stdout: forced, poisoned true
// stdout: completed true

//! An initialiser that panics poisons its `Once`; `call_once_force` repairs it.

use std::panic;
use std::sync::Once;

static START: Once = Once::new();

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let first = panic::catch_unwind(|| START.call_once(|| panic!("not today")));
    println!("first attempt failed: {}", first.is_err());
    let second = panic::catch_unwind(|| START.call_once(|| println!("never reached")));
    println!("second attempt failed: {}", second.is_err());
    START.call_once_force(|state| println!("forced, poisoned {}", state.is_poisoned()));
    START.call_once(|| println!("never reached"));
    println!("completed {}", START.is_completed());
}
