// selvedge: check
// expect: violation data-race

//! An `Rc` is smuggled into another thread; both drop their clone and change its plain count.

use std::rc::Rc;
use std::thread;

struct Parcel(Rc<u32>);

unsafe impl Send for Parcel {}

impl Parcel {
    fn open(self) -> u32 {
        *self.0
    }
}

fn main() {
    let mine = Rc::new(8);
    let parcel = Parcel(mine.clone());
    let other = thread::spawn(move || parcel.open());
    drop(mine);
    assert_eq!(other.join().unwrap(), 8);
}
