// selvedge: run
// expect: violation abort

//! A panic inside a destructor during unwinding cannot be unwound again: the program aborts.

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("second panic");
    }
}

fn main() {
    println!("lighting the fuse");
    let _ = std::panic::catch_unwind(|| {
        let _bomb = Bomb;
        panic!("first panic");
    });
    println!("never printed");
}
