//! Loading and storing are atomic each, but not together: one of two updates can get lost.

use arc_swap::ArcSwap;
use std::sync::Arc;
use std::thread;

fn main() {
    let names = ArcSwap::from_pointee(Vec::new());
    thread::scope(|scope| {
        for name in ["warp", "weft"] {
            let names = &names;
            scope.spawn(move || {
                let mut longer = Vec::clone(&names.load());
                longer.push(name);
                names.store(Arc::new(longer));
            });
        }
    });
    println!("{} names", names.load().len());
    assert_eq!(names.load().len(), 2, "a name is missing");
}
