//! crate: parking
use parking::Parker;
use rust_clients::both;

fn main() {
    let parker = Parker::new();
    let unparker = parker.unparker();
    both(move || drop(unparker.unpark()), || parker.park());
}
