// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: main is called Some("main")
// stdout: handle names Some("weaver")
// stdout: thread says Some("weaver")
// stdout: unnamed thread has no name: true

//! Named threads with a chosen stack size; each sees its own name and identity.

use std::thread;

fn main() {
    let main_id = thread::current().id();
    println!("main is called {:?}", thread::current().name());
    let handle = thread::Builder::new()
        .name("weaver".to_string())
        .stack_size(256 * 1024)
        .spawn(move || {
            let me = thread::current();
            assert_ne!(me.id(), main_id);
            me.name().map(str::to_owned)
        })
        .expect("the thread starts");
    println!("handle names {:?}", handle.thread().name());
    println!("thread says {:?}", handle.join().unwrap());

    let unnamed = thread::spawn(|| thread::current().name().is_none());
    println!("unnamed thread has no name: {}", unnamed.join().unwrap());
}
