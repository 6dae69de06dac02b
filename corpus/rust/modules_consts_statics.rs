// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
// stdout: [Some(55), Some(89), None] ["a", "b", "c"] 3
// stdout: 10 20 selvedge 2true
// stdout: 2880067194370816120

//! Inline modules, constants computed at compile time, statics with and without interior mutability.

mod weave {
    pub const fn fibonacci(n: u32) -> u64 {
        let (mut a, mut b, mut i) = (0, 1, 0);
        while i < n {
            (a, b) = (b, a + b);
            i += 1;
        }
        a
    }

    pub static TABLE: [u64; 12] = {
        let mut table = [0; 12];
        let mut i = 0;
        while i < 12 {
            table[i] = fibonacci(i as u32);
            i += 1;
        }
        table
    };

    pub mod loom {
        use super::TABLE;
        use std::sync::atomic::{AtomicUsize, Ordering};
        use std::sync::Mutex;

        static CALLS: AtomicUsize = AtomicUsize::new(0);
        pub(crate) static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

        pub fn lookup(index: usize) -> Option<u64> {
            CALLS.fetch_add(1, Ordering::Relaxed);
            TABLE.get(index).copied()
        }

        pub fn calls() -> usize {
            CALLS.load(Ordering::Relaxed)
        }
    }
}

use weave::loom::{calls, lookup, NAMES};

trait Sized2 {
    const SIZE: usize;
    const DOUBLE: usize = Self::SIZE * 2;
}

impl Sized2 for [u16; 5] {
    const SIZE: usize = std::mem::size_of::<Self>();
}

static GREETING: &str = concat!("sel", "vedge ", 2, true);

fn main() {
    println!("{:?}", weave::TABLE);
    let threads: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            std::thread::spawn(move || {
                NAMES.lock().unwrap().push(name);
                lookup(10 + i)
            })
        })
        .collect();
    let found: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    let mut names = NAMES.lock().unwrap().clone();
    names.sort();
    println!("{found:?} {names:?} {}", calls());
    println!("{} {} {GREETING}", <[u16; 5]>::SIZE, <[u16; 5] as Sized2>::DOUBLE);
    const BIG: u64 = weave::fibonacci(90);
    println!("{BIG}");
}
