//! A Rust program: slices, a sort, closures and iterators, compiled at opt-level 1. It has a C `main`
//! and no heap because LLVM's interpreter gets through neither Rust's start-up code nor its allocator.
#![no_main]

fn shuffle(values: &mut [u32]) {
    let mut state = 12345_u64;
    for i in (1..values.len()).rev() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        values.swap(i, (state >> 33) as usize % (i + 1));
    }
}

fn insertion_sort(values: &mut [u32]) {
    for i in 1..values.len() {
        let mut j = i;
        while j > 0 && values[j - 1] > values[j] {
            values.swap(j - 1, j);
            j -= 1;
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let mut values = [0; 2000];
    values.iter_mut().zip(0..).for_each(|(value, i)| *value = i);
    shuffle(&mut values);
    insertion_sort(&mut values);
    let sorted = values.windows(2).all(|pair| pair[0] < pair[1]);
    let sum: u64 = values.iter().map(|&v| u64::from(v) * 3).filter(|v| v % 2 == 0).sum();
    if sorted && sum == 2_997_000 { 0 } else { 1 }
}
