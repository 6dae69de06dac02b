//! Values that a program asks for, and what it assumes of them.
//!
//! ```
//! let n = selvedge::any::<u32>();
//! selvedge::assume(n < 10);
//! assert!(n * n < 100);
//! ```
//!
//! `selvedge check` looks at all values; `selvedge run` takes those of its schedule. In a native program they come from
//! the file that the environment variable `SELVEDGE_INPUTS` names, one a line: a name (`main#0` is the first value of
//! the first thread, `main.2#1` the second value of its second child) and a number. A value that is not there is 0.
//! Natively it is not known which thread created which: threads take the names in the file's order when they ask for the first time.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Mutex;

/// A type of which a program can ask for any value.
pub trait Any: Sized {
    /// Any value of the type.
    fn any() -> Self;
}

/// Any value of the type.
pub fn any<T: Any>() -> T {
    T::any()
}

/// Executions in which the condition does not hold are none that the program asks about.
pub fn assume(condition: bool) {
    assume_holds(condition);
}

/// Fixes the value with this name (`main#0`, `main.1#2`; `main` is the calling thread), for tests.
pub fn pin(name: &str, value: u64) {
    pin_value(name.as_ptr(), name.len(), value);
}

macro_rules! integers {
    ($($type:ty, $from:ident;)*) => {
        $(impl Any for $type {
            fn any() -> Self {
                $from() as $type
            }
        })*
    };
}

integers! {
    u8, any_u8; i8, any_u8; u16, any_u16; i16, any_u16; u32, any_u32; i32, any_u32;
    u64, any_u64; i64, any_u64; usize, any_u64; isize, any_u64;
}

impl Any for u128 {
    fn any() -> Self {
        u128::from(any_u64()) | u128::from(any_u64()) << 64
    }
}

impl Any for i128 {
    fn any() -> Self {
        u128::any() as i128
    }
}

impl Any for bool {
    fn any() -> Self {
        any_bool()
    }
}

impl Any for char {
    fn any() -> Self {
        let code = char::from_u32(any_u32());
        assume(code.is_some());
        code.unwrap_or_default()
    }
}

impl Any for f32 {
    fn any() -> Self {
        f32::from_bits(any_u32())
    }
}

impl Any for f64 {
    fn any() -> Self {
        f64::from_bits(any_u64())
    }
}

impl<T: Any, const N: usize> Any for [T; N] {
    fn any() -> Self {
        std::array::from_fn(|_| T::any())
    }
}

impl<T: Any> Any for Option<T> {
    fn any() -> Self {
        bool::any().then(T::any)
    }
}

impl<A: Any, B: Any> Any for (A, B) {
    fn any() -> Self {
        (A::any(), B::any())
    }
}

// Selvedge has its own versions of the functions below: they are functions of their own, and must stay such.

#[inline(never)]
fn any_bool() -> bool {
    black_box(native() & 1 == 1)
}

#[inline(never)]
fn any_u8() -> u8 {
    black_box(native() as u8)
}

#[inline(never)]
fn any_u16() -> u16 {
    black_box(native() as u16)
}

#[inline(never)]
fn any_u32() -> u32 {
    black_box(native() as u32)
}

#[inline(never)]
fn any_u64() -> u64 {
    black_box(native())
}

#[inline(never)]
fn assume_holds(condition: bool) {
    if !black_box(condition) {
        // This execution does not count: it is over, and nothing went wrong.
        std::process::exit(0);
    }
}

#[inline(never)]
fn pin_value(name: *const u8, len: usize, value: u64) {
    // SAFETY: they are the parts of a text that outlives the call.
    let name = unsafe { std::slice::from_raw_parts(black_box(name), len) };
    let name = String::from_utf8_lossy(name).into_owned();
    PINNED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((name, value));
}

/// Values that the program has fixed.
static PINNED: Mutex<Vec<(String, u64)>> = Mutex::new(Vec::new());

/// The names that threads have taken.
static TAKEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// The calling thread's name, and how many values it has taken.
    static OWN: RefCell<(Option<String>, u32)> = const { RefCell::new((None, 0)) };
}

fn native() -> u64 {
    let pinned = PINNED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    let mut text: String = pinned.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
    if let Some(path) = std::env::var_os("SELVEDGE_INPUTS").filter(|_| pinned.is_empty()) {
        text = std::fs::read_to_string(path).unwrap_or_default();
    }
    let lines = text.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(' ')?;
        let (thread, occurrence) = name.split_once('#')?;
        Some((thread, occurrence.parse::<u32>().ok()?, value.trim().parse::<u64>().ok()?))
    });
    OWN.with_borrow_mut(|(name, count)| {
        let name = name.get_or_insert_with(|| {
            let mut taken = TAKEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let mut free = lines.clone().map(|(thread, ..)| thread.to_owned()).filter(|thread| !taken.contains(thread));
            let name = free.next().unwrap_or_default();
            taken.push(name.clone());
            name
        });
        let mut lines = lines;
        let found = lines.find(|(thread, occurrence, _)| thread == name && occurrence == count);
        *count += 1;
        found.map_or(0, |(.., value)| value)
    })
}
