// selvedge: check --model sc
// expect: verified
// selvedge: check --model rc11
// expect: verified
// selvedge: check --model sc -- both
// expect: violation data-race

// rustc loads both words of the enum where the program looks at its tag alone. The second word is one that another thread
// writes; that it is loaded is no access of the program, unless the program uses it.
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::num::NonZeroU128;

struct Cell(UnsafeCell<MaybeUninit<NonZeroU128>>);

// SAFETY: what is inside is written by one thread, and read by another one only to show that this is a race.
unsafe impl Sync for Cell {}

#[allow(dead_code)]
enum Word {
    Never,
    Cell(Cell),
}

static WORD: Word = Word::Cell(Cell(UnsafeCell::new(MaybeUninit::new(NonZeroU128::MIN))));

fn main() {
    let writer = std::thread::spawn(|| {
        let Word::Cell(cell) = &WORD else { return };
        // SAFETY: see above.
        unsafe { (*cell.0.get()).write(NonZeroU128::MAX) };
    });
    if let Word::Never = WORD {
        unreachable!();
    }
    if std::env::args().count() > 1 {
        let Word::Cell(cell) = &WORD else { return };
        // SAFETY: none, it is a race.
        let number = unsafe { (*cell.0.get()).assume_init_read() };
        assert_ne!(number.get(), 0);
    }
    writer.join().unwrap();
}
