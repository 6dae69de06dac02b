//! crate: log
use log::{LevelFilter, Log, Metadata, Record};
use rust_clients::both;

struct Silent;

impl Log for Silent {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn log(&self, _: &Record<'_>) {}
    fn flush(&self) {}
}

fn main() {
    let mut set = [false; 2];
    let [first, second] = &mut set;
    both(|| *first = log::set_logger(&Silent).is_ok(), || *second = log::set_logger(&Silent).is_ok());
    log::set_max_level(LevelFilter::Info);
    assert!(set[0] != set[1]);
}
