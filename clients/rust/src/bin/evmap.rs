//! crate: evmap
//! expect: violation data-race, because dropping the writer does not wait for a reader that began after the last refresh: it compares with epochs from then
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
