// selvedge: run
// expect: exit 0
// native: same
// stdout: AtomicI8: 7
// stdout: AtomicU8: 7
// stdout: AtomicI16: 7
// stdout: AtomicU16: 7
// stdout: AtomicI32: 7
// stdout: AtomicU32: 7
// stdout: AtomicI64: 7
// stdout: AtomicU64: 7
// stdout: AtomicIsize: 7
// stdout: AtomicUsize: 7
// stdout: AtomicBool: false
// stdout: AtomicPtr: 1 then 2

//! Every atomic type and every read-modify-write operation, values checked one by one.

use std::sync::atomic::*;

macro_rules! exercise {
    ($atomic:ident, $int:ty) => {{
        let cell = $atomic::new(10);
        assert_eq!(cell.fetch_add(5, Ordering::Relaxed), 10);
        assert_eq!(cell.fetch_sub(1, Ordering::AcqRel), 15);
        assert_eq!(cell.fetch_and(0b1100, Ordering::Acquire), 14);
        assert_eq!(cell.fetch_or(0b0011, Ordering::Release), 12);
        assert_eq!(cell.fetch_xor(0b1010, Ordering::SeqCst), 15);
        assert_eq!(cell.fetch_nand(0b0001, Ordering::SeqCst), 5);
        assert_eq!(cell.load(Ordering::Acquire), !1);
        cell.store(3, Ordering::Release);
        assert_eq!(cell.fetch_max(9, Ordering::Relaxed), 3);
        assert_eq!(cell.fetch_min(4, Ordering::Relaxed), 9);
        assert_eq!(cell.swap(<$int>::MAX, Ordering::AcqRel), 4);
        assert_eq!(cell.fetch_add(1, Ordering::SeqCst), <$int>::MAX);
        assert_eq!(cell.load(Ordering::SeqCst), <$int>::MIN);
        let exchanged = cell.compare_exchange(<$int>::MIN, 1, Ordering::SeqCst, Ordering::Relaxed);
        assert_eq!(exchanged, Ok(<$int>::MIN));
        let refused = cell.compare_exchange(8, 2, Ordering::AcqRel, Ordering::Acquire);
        assert_eq!(refused, Err(1));
        assert_eq!(cell.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |v| v.checked_add(6)), Ok(1));
        println!("{}: {}", stringify!($atomic), cell.into_inner());
    }};
}

fn main() {
    exercise!(AtomicI8, i8);
    exercise!(AtomicU8, u8);
    exercise!(AtomicI16, i16);
    exercise!(AtomicU16, u16);
    exercise!(AtomicI32, i32);
    exercise!(AtomicU32, u32);
    exercise!(AtomicI64, i64);
    exercise!(AtomicU64, u64);
    exercise!(AtomicIsize, isize);
    exercise!(AtomicUsize, usize);

    let flag = AtomicBool::new(true);
    assert!(flag.fetch_and(false, Ordering::SeqCst));
    assert!(!flag.fetch_or(true, Ordering::SeqCst));
    assert!(flag.fetch_xor(true, Ordering::SeqCst));
    assert!(!flag.fetch_nand(true, Ordering::SeqCst));
    assert!(flag.fetch_not(Ordering::SeqCst));
    println!("AtomicBool: {}", flag.into_inner());

    let (mut one, mut two) = (1, 2);
    let pointer = AtomicPtr::new(&mut one as *mut i32);
    let old = pointer.swap(&mut two, Ordering::AcqRel);
    // SAFETY: both pointers refer to live locals that nothing else touches.
    println!("AtomicPtr: {} then {}", unsafe { *old }, unsafe { *pointer.load(Ordering::Acquire) });
}
