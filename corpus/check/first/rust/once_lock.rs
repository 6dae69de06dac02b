// selvedge: check
// expect: verified
// slow: 2,812 states of operational RC11
// Whoever comes first computes the value, once.
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static VALUE: OnceLock<usize> = OnceLock::new();
static COMPUTED: AtomicUsize = AtomicUsize::new(0);

fn value() -> usize {
    *VALUE.get_or_init(|| COMPUTED.fetch_add(1, Ordering::Relaxed) + 41)
}

fn main() {
    let handles: Vec<_> = (0..2).map(|_| thread::spawn(value)).collect();
    assert_eq!(value(), 41);
    for handle in handles {
        assert_eq!(handle.join().unwrap(), 41);
    }
    assert_eq!(COMPUTED.load(Ordering::Relaxed), 1);
}
