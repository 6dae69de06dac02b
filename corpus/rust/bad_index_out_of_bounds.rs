// selvedge: run
// expect: violation panic line 7

//! An index past the end of a slice panics in the main thread.

fn nth(values: &[u32], index: usize) -> u32 {
    values[index] // fault: the index is 4, the length 4
}

fn main() {
    let values = vec![3, 1, 4, 1];
    let mut sum = 0;
    for index in 0..=values.len() {
        sum += nth(&values, index);
        println!("sum up to {index}: {sum}");
    }
}
