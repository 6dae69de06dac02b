//! crate: evmap
use rust_clients::both;

fn main() {
    let (reader, mut writer) = evmap::new();
    both(
        move || {
            writer.insert(1, 10);
            writer.refresh();
        },
        || assert!(reader.get_one(&1).is_none_or(|value| *value == 10)),
    );
}
