//! Locks of parking_lot, as long as nobody has to be parked.

use parking_lot::{Mutex, Once, RwLock};
use rc11_libraries::both;
use std::sync::atomic::{AtomicU32, Ordering};

static MADE: Once = Once::new();
static VALUE: AtomicU32 = AtomicU32::new(0);

fn main() {
    let counter = Mutex::new(0);
    let (mut other, mut own) = (0, 0);
    let count = |counted: &mut u32| {
        if let Some(mut counter) = counter.try_lock() {
            *counter += 1;
            *counted = 1;
        }
    };
    both(|| count(&mut other), || count(&mut own));
    assert_eq!(counter.into_inner(), other + own);
    assert!(other + own > 0);

    let pair = RwLock::new((0, 0));
    both(
        || {
            if let Some(pair) = pair.try_read() {
                assert_eq!(pair.0, pair.1);
            }
        },
        || {
            if let Some(mut pair) = pair.try_write() {
                (pair.0, pair.1) = (1, 1);
            }
        },
    );

    both(
        || MADE.call_once(|| VALUE.store(1, Ordering::Relaxed)),
        || {
            if MADE.state().done() {
                assert_eq!(VALUE.load(Ordering::Relaxed), 1);
            }
        },
    );
}
