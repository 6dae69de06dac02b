// selvedge: check --model rc11
// expect: verified
//
// Reference counts: whoever is last frees, and has seen what the others did before.
use std::sync::{Arc, Weak};
use std::thread;

fn main() {
    // Looking for what may be gone by now.
    let owner = Arc::new(7);
    let looker: Weak<i32> = Arc::downgrade(&owner);
    let other = thread::spawn(move || looker.upgrade().map(|value| *value));
    drop(owner);
    assert!(other.join().unwrap().is_none_or(|value| value == 7));

    // Changing what nobody else has any more.
    let mut shared = Arc::new(1);
    let copy = shared.clone();
    let other = thread::spawn(move || *copy);
    if let Some(value) = Arc::get_mut(&mut shared) {
        *value = 2;
    }
    assert_eq!(other.join().unwrap(), 1);

    // Whoever is last takes it out.
    let one = Arc::new(String::from("weft"));
    let two = one.clone();
    let other = thread::spawn(move || Arc::into_inner(two).is_some());
    let own = Arc::into_inner(one).is_some();
    assert!(own != other.join().unwrap());
}
