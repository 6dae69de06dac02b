//! A library with unit tests of its own, used by a program, an example and an integration test.

use std::sync::{Condvar, Mutex};

/// Counts down to zero once; waiting threads go on when it gets there.
pub struct Latch {
    left: Mutex<usize>,
    zero: Condvar,
}

impl Latch {
    /// A latch that opens after `count` calls of [`Latch::count_down`].
    pub fn new(count: usize) -> Self {
        Latch { left: Mutex::new(count), zero: Condvar::new() }
    }

    /// Takes one away and says how many are left.
    pub fn count_down(&self) -> usize {
        let mut left = self.left.lock().unwrap();
        *left = left.checked_sub(1).expect("the latch is already open");
        if *left == 0 {
            self.zero.notify_all();
        }
        *left
    }

    /// Blocks until the latch is open.
    pub fn wait(&self) {
        let left = self.left.lock().unwrap();
        drop(self.zero.wait_while(left, |left| *left > 0).unwrap());
    }

    /// Whether it is open now.
    pub fn is_open(&self) -> bool {
        *self.left.lock().unwrap() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn opens_at_zero() {
        let latch = Latch::new(2);
        assert_eq!(latch.count_down(), 1);
        assert!(!latch.is_open());
        assert_eq!(latch.count_down(), 0);
        assert!(latch.is_open());
    }

    #[test]
    fn wakes_the_waiting() {
        let latch = Latch::new(3);
        thread::scope(|scope| {
            scope.spawn(|| {
                latch.wait();
                assert!(latch.is_open());
            });
            for _ in 0..3 {
                scope.spawn(|| latch.count_down());
            }
        });
    }

    #[test]
    #[should_panic(expected = "already open")]
    fn refuses_to_go_below_zero() {
        Latch::new(0).count_down();
    }

    #[test]
    fn may_return_an_error() -> Result<(), std::num::ParseIntError> {
        let latch = Latch::new("0".parse()?);
        latch.wait();
        Ok(())
    }

    #[test]
    #[ignore = "never finishes"]
    fn waits_for_ever() {
        Latch::new(1).wait();
    }
}
