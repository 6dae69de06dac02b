//! crate: arcstr
use arcstr::ArcStr;
use rust_clients::both;

fn main() {
    let text = ArcStr::from("shared");
    let copy = text.clone();
    both(move || assert_eq!(copy, "shared"), || assert_eq!(text.clone().len(), 6));
    assert_eq!(ArcStr::strong_count(&text), Some(1));
}
