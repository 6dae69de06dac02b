// selvedge: run
// expect: exit 0
// native: same

//! Adaptors, consumers, a hand-written iterator, peeking, fallible collection, laziness.

use std::cell::Cell;
use std::iter;

struct Collatz(u64);

impl Iterator for Collatz {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        if self.0 == 1 {
            return None;
        }
        self.0 = if self.0 % 2 == 0 { self.0 / 2 } else { 3 * self.0 + 1 };
        Some(self.0)
    }
}

fn runs(text: &str) -> Vec<(char, usize)> {
    let mut characters = text.chars().peekable();
    let mut result = Vec::new();
    while let Some(first) = characters.next() {
        let mut length = 1;
        while characters.next_if_eq(&first).is_some() {
            length += 1;
        }
        result.push((first, length));
    }
    result
}

fn main() {
    println!("{:?} max {:?}", Collatz(6).collect::<Vec<_>>(), Collatz(27).max());
    println!("{:?}", runs("aabcccd"));
    println!("{:?}", (1..=4).flat_map(|n| iter::repeat_n(n, n)).collect::<Vec<_>>());
    println!("{:?}", "abc".chars().zip(1..).map(|(c, n)| format!("{c}{n}")).collect::<Vec<_>>());
    println!(
        "{:?}",
        [3, 1, 2]
            .iter()
            .scan(0, |sum, n| {
                *sum += n;
                Some(*sum)
            })
            .collect::<Vec<_>>()
    );
    println!("{:?}", (0..20).skip_while(|n| n * n < 30).take_while(|n| n % 7 != 0).collect::<Vec<_>>());
    println!(
        "{:?}",
        ["1", "2", "x"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>().is_err()
    );
    println!("{:?}", ["1", "2"].iter().map(|s| s.parse::<i32>().ok()).sum::<Option<i32>>());
    println!("{:?}", (1..=5).rev().chain([9]).fold(String::new(), |text, n| text + &n.to_string()));
    println!("{:?} {:?}", (1..10).position(|n| n == 4), [1.5, 0.5].into_iter().min_by(f64::total_cmp));
    println!("{:?}", [(1, 'a'), (2, 'b')].into_iter().unzip::<_, _, Vec<_>, String>());
    println!("{:?}", iter::successors(Some(1u32), |n| n.checked_mul(10)).last());
    let mut state = (0, 1);
    let fibonacci = iter::from_fn(|| {
        state = (state.1, state.0 + state.1);
        Some(state.0)
    });
    println!("{:?}", fibonacci.take(10).collect::<Vec<_>>());
    let calls = Cell::new(0);
    let lazy = (0..100).inspect(|_| calls.set(calls.get() + 1)).filter(|n| n % 10 == 9);
    println!("{} calls before", calls.get());
    println!("{:?} after {} calls", lazy.take(2).collect::<Vec<_>>(), calls.get());
    println!("{} {} {}", (1..4).any(|n| n == 2), (1..4).all(|n| n < 3), [1, 2].iter().lt(&[1, 3]));
    println!("{:?}", (1..=3).cycle().skip(2).take(5).collect::<Vec<_>>());
    println!("{:?}", (1..=6).try_fold(0i8, |sum, n| sum.checked_add(n * 10)));
}
