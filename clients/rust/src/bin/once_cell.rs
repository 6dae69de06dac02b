//! crate: once_cell
use once_cell::sync::OnceCell;
use rust_clients::both;

fn main() {
    let cell = OnceCell::new();
    both(
        || assert!(matches!(cell.get_or_init(|| 1), 1 | 2)),
        || assert!(matches!(cell.get_or_init(|| 2), 1 | 2)),
    );
}
