// selvedge: check
// expect: verified
//
// A hash map asks the system for random numbers when it is the first of its thread.
use std::collections::HashMap;
use std::thread;

fn count(words: &'static [&str]) -> HashMap<&'static str, usize> {
    let mut counts = HashMap::new();
    words.iter().for_each(|&word| *counts.entry(word).or_default() += 1);
    counts
}

fn main() {
    let threads = [&["warp", "weft"][..], &["weft"][..]].map(|words| thread::spawn(move || count(words)));
    let total: usize = threads.into_iter().map(|thread| thread.join().unwrap()["weft"]).sum();
    assert_eq!(total, 2);
}
