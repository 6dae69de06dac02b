//! crate: string_cache
use rust_clients::both;
use string_cache::DefaultAtom;

fn main() {
    let intern = || drop(DefaultAtom::from("a text that is too long to be inline"));
    both(intern, intern);
}
