// selvedge: run
// expect: violation memory

//! Recursion that goes far too deep exhausts the stack.

fn deeper(depth: u64, seed: &[u64; 512]) -> u64 {
    if depth == u64::MAX {
        return 0;
    }
    let mut frame = *seed;
    frame[(depth % 512) as usize] += depth;
    let below = deeper(depth + 1, &frame);
    below + frame[0]
}

fn main() {
    println!("going down");
    println!("{}", deeper(0, &[1; 512]));
}
