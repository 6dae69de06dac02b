//! Accounts of which two threads take at the same time, well and badly, and tests of every kind.

use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// An account whose balance is looked at and changed in one step.
#[derive(Default)]
pub struct Careful(pub AtomicU64);

impl Careful {
    /// Takes one, if there is one.
    pub fn take(&self) -> bool {
        let less = |balance: u64| balance.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// An account whose balance is looked at first and changed afterwards.
#[derive(Default)]
pub struct Hasty(pub AtomicU64);

impl Hasty {
    /// Takes one, if there was one a moment ago.
    pub fn take(&self) -> bool {
        let balance = self.0.load(Ordering::Relaxed);
        if balance > 0 {
            self.0.store(balance - 1, Ordering::Relaxed);
        }
        balance > 0
    }
}

/// An account that nothing protects.
#[derive(Default)]
pub struct Open(UnsafeCell<u64>);

// SAFETY: there is none. That is what the test finds.
unsafe impl Sync for Open {}

impl Open {
    /// Adds one.
    pub fn put(&self) {
        unsafe { *self.0.get() += 1 }
    }
}

/// Moves one from an account to another; both are locked, that from which it is taken first.
pub fn transfer(from: &Mutex<u64>, to: &Mutex<u64>) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::ParseIntError;
    use std::thread;

    #[test]
    fn careful() {
        let account = Careful(AtomicU64::new(1));
        let taken = thread::scope(|scope| {
            let other = scope.spawn(|| account.take());
            u8::from(account.take()) + u8::from(other.join().unwrap())
        });
        assert_eq!(taken, 1);
    }

    #[test]
    fn hasty() {
        let account = Hasty(AtomicU64::new(1));
        let taken = thread::scope(|scope| {
            let other = scope.spawn(|| account.take());
            u8::from(account.take()) + u8::from(other.join().unwrap())
        });
        assert_eq!(taken, 1);
    }

    #[test]
    fn open() {
        let account = Open::default();
        thread::scope(|scope| {
            scope.spawn(|| account.put());
            account.put();
        });
    }

    #[test]
    fn crossed() {
        let (left, right) = (Mutex::new(3), Mutex::new(3));
        thread::scope(|scope| {
            scope.spawn(|| transfer(&left, &right));
            transfer(&right, &left);
        });
    }

    #[test]
    fn parses() -> Result<(), ParseIntError> {
        assert_eq!("3".parse::<u64>()?, 3);
        Ok(())
    }

    #[test]
    fn does_not_parse() -> Result<(), ParseIntError> {
        "three".parse::<u64>()?;
        Ok(())
    }

    #[test]
    #[should_panic]
    fn overdraws() {
        transfer(&Mutex::new(0), &Mutex::new(0));
    }

    #[test]
    #[should_panic(expected = "subtract")]
    fn overdraws_as_expected() {
        transfer(&Mutex::new(0), &Mutex::new(0));
    }

    #[test]
    #[should_panic(expected = "insolvent")]
    fn overdraws_in_another_way() {
        transfer(&Mutex::new(0), &Mutex::new(0));
    }

    #[test]
    #[should_panic]
    fn does_not_overdraw() {
        transfer(&Mutex::new(1), &Mutex::new(0));
    }

    #[test]
    #[ignore = "takes long"]
    fn ignored() {
        assert_eq!(Careful::default().take(), true);
    }
}
