//! crate: event-listener
use event_listener::{Event, Listener};
use rust_clients::both;
use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    let (event, flag) = (Event::new(), AtomicBool::new(false));
    both(
        || {
            flag.store(true, Ordering::SeqCst);
            event.notify(1);
        },
        || {
            while !flag.load(Ordering::SeqCst) {
                let listener = event.listen();
                if !flag.load(Ordering::SeqCst) {
                    listener.wait();
                }
            }
        },
    );
}
