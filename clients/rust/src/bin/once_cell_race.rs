//! crate: once_cell
use once_cell::race::OnceBox;
use rust_clients::both;

fn main() {
    let cell = OnceBox::new();
    both(
        || assert!(matches!(cell.get_or_init(|| Box::new(1)), 1 | 2)),
        || assert!(matches!(cell.get_or_init(|| Box::new(2)), 1 | 2)),
    );
}
