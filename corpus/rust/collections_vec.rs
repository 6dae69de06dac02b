// selvedge: run
// expect: exit 0
// native: same
// stdout: [2, 1, 77, 4, 5, 7, 8, 10, 100, -5] len 10
// stdout: drained [1, 77, 4] left [2, 5, 7, 8, 10, 100, -5]
// stdout: spliced [8, 5, 7, 8, 10, 100, -5]
// stdout: sorted [-5, 5, 7, 8, 8, 10, 100]
// stdout: search Ok(4) Err(5)
// stdout: by key [-5, 5, 10, 100, 8, 8, 7]
// stdout: rotated [10, 100, 8, 8, 7]
// stdout: differences [90, -92, 0, -1]
// stdout: [10, 100] [8, 8] [7] [7, 8, 10]
// stdout: [1, 2, 3] Some(2)
// stdout: [7] [10, 100, 8, 8] Some((10, [100, 8, 8, 7]))
// stdout: [0, 5, 10, 17, 22] true
// stdout: ["reed", "loom", "heddle", "bobbin", "shuttle"] "reed-loom-heddle-bobbin-shuttle"

//! Vectors and slices: growth, draining, sorting, searching, windows, rotation.

fn main() {
    let mut numbers: Vec<i32> = (1..=10).collect();
    numbers.retain(|n| n % 3 != 0);
    numbers.extend_from_slice(&[100, -5]);
    numbers.insert(2, 77);
    numbers.swap(0, 1);
    println!("{numbers:?} len {}", numbers.len());
    let drained: Vec<i32> = numbers.drain(1..4).collect();
    println!("drained {drained:?} left {numbers:?}");
    numbers.splice(0..1, [8, 8, 8]);
    numbers.dedup();
    println!("spliced {numbers:?}");
    numbers.sort();
    println!("sorted {numbers:?}");
    println!("search {:?} {:?}", numbers.binary_search(&8), numbers.binary_search(&9));
    numbers.sort_by_key(|n| std::cmp::Reverse(n.abs() % 7));
    println!("by key {numbers:?}");
    numbers.rotate_left(2);
    numbers.truncate(5);
    println!("rotated {numbers:?}");
    let pairs: Vec<i32> = numbers.windows(2).map(|w| w[1] - w[0]).collect();
    println!("differences {pairs:?}");
    for chunk in numbers.chunks(2) {
        print!("{chunk:?} ");
    }
    println!("{:?}", numbers.iter().rev().step_by(2).collect::<Vec<_>>());
    let nested = vec![vec![1, 2], vec![], vec![3]];
    println!("{:?} {:?}", nested.concat(), nested.iter().map(Vec::len).max());
    let (low, high): (Vec<i32>, Vec<i32>) = numbers.iter().partition(|n| **n < 8);
    println!("{low:?} {high:?} {:?}", numbers.split_first());
    let mut big: Vec<u64> = (0..200).map(|n: u64| n.wrapping_mul(2654435761) % 1009).collect();
    big.sort_unstable();
    println!("{:?} {}", &big[..5], big.is_sorted());
    let mut words = ["loom", "bobbin", "reed", "heddle", "shuttle"];
    words.sort_by(|a, b| a.len().cmp(&b.len()).then(b.cmp(a)));
    println!("{words:?} {:?}", words.join("-"));
}
