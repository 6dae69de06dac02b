//! crate: triple_buffer
use rust_clients::both;
use triple_buffer::triple_buffer;

fn main() {
    let (mut input, mut output) = triple_buffer(&1);
    both(|| input.write(2), || assert!(matches!(output.read(), 1 | 2)));
    assert_eq!(*output.read(), 2);
}
