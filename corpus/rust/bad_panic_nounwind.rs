// selvedge: run
// expect: violation abort

//! A panic may not leave a C function: the program aborts at the boundary.

extern "C" fn callback(value: i32) -> i32 {
    assert!(value < 3, "too large for C");
    value + 1
}

fn main() {
    let mut value = 0;
    loop {
        value = callback(value);
        println!("value {value}");
    }
}
