//! crate: left-right
use left_right::Absorb;
use rust_clients::both;

struct Add(i32);

impl Absorb<Add> for i32 {
    fn absorb_first(&mut self, operation: &mut Add, _: &Self) {
        *self += operation.0;
    }

    fn sync_with(&mut self, first: &Self) {
        *self = *first;
    }
}

fn main() {
    let (mut writer, reader) = left_right::new::<i32, Add>();
    both(
        move || {
            writer.append(Add(1));
            writer.publish();
        },
        || assert!(reader.enter().is_none_or(|value| matches!(*value, 0 | 1))),
    );
}
