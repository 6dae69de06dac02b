// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: chunk 0: 30
// stdout: chunk 1: 255
// stdout: chunk 2: 730
// stdout: chunk 3: 1455
// stdout: total 2470

//! Threads own moved data and hand a result back through `join`.

use std::thread;

fn sum_of_squares(numbers: Vec<u64>) -> u64 {
    numbers.iter().map(|n| n * n).sum()
}

fn main() {
    let mut handles = Vec::new();
    for chunk in 0..4u64 {
        let numbers: Vec<u64> = (chunk * 5..chunk * 5 + 5).collect();
        handles.push(thread::spawn(move || (chunk, sum_of_squares(numbers))));
    }
    let mut total = 0;
    for handle in handles {
        let (chunk, sum) = handle.join().expect("worker finished");
        println!("chunk {chunk}: {sum}");
        total += sum;
    }
    println!("total {total}");
    assert_eq!(total, (0..20u64).map(|n| n * n).sum());
}
