// selvedge: run
// expect: exit 0
// native: same

//! Ownership: moves, drop order of fields, locals and temporaries, a generic list with its own iterator.

struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Pair {
    _first: Noisy,
    _second: Noisy,
}

enum List<T> {
    Empty,
    Cell(T, Box<List<T>>),
}

impl<T> List<T> {
    fn push(self, item: T) -> List<T> {
        List::Cell(item, Box::new(self))
    }

    fn iter(&self) -> ListIter<'_, T> {
        ListIter(self)
    }
}

struct ListIter<'a, T>(&'a List<T>);

impl<'a, T> Iterator for ListIter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        match self.0 {
            List::Empty => None,
            List::Cell(item, rest) => {
                self.0 = rest;
                Some(item)
            }
        }
    }
}

fn pass(noisy: Noisy, keep: bool) -> Option<Noisy> {
    keep.then_some(noisy)
}

fn main() {
    let _a = Noisy("a");
    {
        let _pair = Pair { _first: Noisy("first"), _second: Noisy("second") };
        println!("end of block");
    }
    let _ = Noisy("ignored");
    let kept = pass(Noisy("kept"), true);
    println!("not kept is {:?}", pass(Noisy("given away"), false).is_none());
    drop(kept);
    let mut slot = Noisy("old");
    println!("slot {}", slot.0);
    slot = Noisy("new");
    println!("slot {}", slot.0);
    let list = (1..=5).fold(List::Empty, |list, n| list.push(n * n));
    println!("{:?} sum {}", list.iter().collect::<Vec<_>>(), list.iter().sum::<i32>());
    let _boxes: [Box<Noisy>; 2] = [Box::new(Noisy("box 0")), Box::new(Noisy("box 1"))];
    std::mem::forget(Noisy("forgotten"));
}
