// selvedge: run
// expect: violation memory line 9

//! Pointer arithmetic runs past the end of an allocation.

fn sum(first: *const u64, count: usize) -> u64 {
    let mut total = 0;
    for i in 0..count {
        total += unsafe { *first.add(i) }; // fault: i is 4
    }
    total
}

fn main() {
    let values: Box<[u64]> = Box::new([1, 2, 3, 4]);
    println!("{}", sum(values.as_ptr(), 4));
    println!("{}", sum(values.as_ptr(), 5));
}
