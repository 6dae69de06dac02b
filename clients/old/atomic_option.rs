//! crate: atomic-option 0.1.2
//! advisory: RUSTSEC-2020-0113
//! expect: violation data-race, because any value may be sent to another thread, one with counts that are not atomic too
use atomic_option::AtomicOption;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::thread;

fn main() {
    let shared: &'static AtomicOption<Rc<u32>> = Box::leak(Box::new(AtomicOption::empty()));
    let kept = Rc::new(1);
    assert!(shared.swap(Box::new(kept.clone()), Ordering::SeqCst).is_none());
    let other = thread::spawn(|| drop(shared.take(Ordering::SeqCst)));
    drop(kept);
    assert!(other.join().is_ok());
}
