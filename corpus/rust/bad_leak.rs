// selvedge: run --leaks
// expect: violation leak

//! Memory that nothing refers to any more when the program ends.

fn main() {
    let leaked: &'static mut Vec<u32> = Box::leak(Box::new(vec![1, 2, 3]));
    leaked.push(4);
    println!("sum {}", leaked.iter().sum::<u32>());
}
