// selvedge: run
// expect: violation panic line 20
// stdout: before
// stdout: dropped

//! An explicit panic in `main`; destructors still run on the way out.

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("dropped");
    }
}

fn check(limit: i32) {
    let _guard = Guard;
    println!("before");
    if limit > 3 {
        panic!("limit {limit} is too high"); // fault: 5 is above the limit
    }
}

fn main() {
    check(5);
    println!("never printed");
}
