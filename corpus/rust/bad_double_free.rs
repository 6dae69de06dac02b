// selvedge: run
// expect: violation memory

//! Two boxes made from one raw pointer free it twice.

fn main() {
    let raw = Box::into_raw(Box::new(String::from("owned twice")));
    let first = unsafe { Box::from_raw(raw) };
    println!("{first}");
    let second = unsafe { Box::from_raw(raw) };
    drop(first);
    drop(second);
    println!("never printed");
}
