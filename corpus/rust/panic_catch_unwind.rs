// selvedge: run
// expect: exit 0
// native: same
// stdout: message Some("reached the bottom at 0")
// stdout: bottom unwinding
// stdout: frame unwinding
// stdout: frame unwinding
// stdout: outer unwinding
// stdout: after normal
// stdout: payload Some(17)
// stdout: resumed Some("inner")
// stdout: fine Some(5)

//! Unwinding runs destructors in reverse order and carries its payload to `catch_unwind`.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

struct Tracer<'a>(&'a RefCell<Vec<String>>, &'static str);

impl Drop for Tracer<'_> {
    fn drop(&mut self) {
        let during = if std::thread::panicking() { "unwinding" } else { "normal" };
        self.0.borrow_mut().push(format!("{} {during}", self.1));
    }
}

fn descend(log: &RefCell<Vec<String>>, depth: u32) -> u32 {
    let _tracer = Tracer(log, if depth == 0 { "bottom" } else { "frame" });
    if depth == 0 {
        panic!("reached the bottom at {depth}");
    }
    descend(log, depth - 1) + 1
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let log = RefCell::new(Vec::new());
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let _outer = Tracer(&log, "outer");
        descend(&log, 2)
    }));
    let payload = outcome.unwrap_err();
    println!("message {:?}", payload.downcast_ref::<String>());
    drop(Tracer(&log, "after"));
    for entry in log.borrow().iter() {
        println!("{entry}");
    }

    let typed = panic::catch_unwind(|| panic::panic_any(17u64)).unwrap_err();
    println!("payload {:?}", typed.downcast::<u64>().ok());
    let again = panic::catch_unwind(|| {
        let inner = panic::catch_unwind(|| panic!("inner")).unwrap_err();
        panic::resume_unwind(inner)
    });
    println!("resumed {:?}", again.unwrap_err().downcast_ref::<&str>());
    println!("fine {:?}", panic::catch_unwind(|| 5).ok());
}
