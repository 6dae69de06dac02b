// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: reader saw 42
// stdout: echo came back as 43

//! Message passing with fences and relaxed accesses, and with release/acquire alone.

use std::sync::atomic::{compiler_fence, fence, AtomicBool, AtomicU32, Ordering};
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);
static READY: AtomicBool = AtomicBool::new(false);
static ECHO: AtomicU32 = AtomicU32::new(0);

fn main() {
    let writer = thread::spawn(|| {
        DATA.store(42, Ordering::Relaxed);
        fence(Ordering::Release);
        READY.store(true, Ordering::Relaxed);
        while ECHO.load(Ordering::Acquire) == 0 {
            std::hint::spin_loop();
        }
        ECHO.load(Ordering::Relaxed)
    });
    let reader = thread::spawn(|| {
        while !READY.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        fence(Ordering::Acquire);
        let data = DATA.load(Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        ECHO.store(data + 1, Ordering::Release);
        data
    });
    println!("reader saw {}", reader.join().unwrap());
    println!("echo came back as {}", writer.join().unwrap());
    fence(Ordering::AcqRel);
    fence(Ordering::SeqCst);
}
