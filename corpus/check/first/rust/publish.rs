// selvedge: check
// expect: verified
// Release and acquire: who sees the flag sees the data.
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);
static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let writer = thread::spawn(|| {
        DATA.store(123, Ordering::Relaxed);
        READY.store(true, Ordering::Release);
    });
    let reader = thread::spawn(|| {
        while !READY.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        assert_eq!(DATA.load(Ordering::Relaxed), 123);
    });
    writer.join().unwrap();
    reader.join().unwrap();
}
