// selvedge: run
// expect: exit 0
// native: same

//! Every format specification: width, fill, sign, radix, precision, debug, pointers to width and precision.

use std::collections::BTreeMap;
use std::fmt;

#[allow(dead_code)]
#[derive(Debug, Clone, Default)]
struct Thread {
    id: u32,
    name: Option<String>,
    position: (i8, char),
}

#[derive(Debug)]
struct Unit;

struct Hex(u8);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "0x")?;
        }
        f.pad(&format!("{:02x}", self.0))
    }
}

impl fmt::LowerHex for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

fn main() {
    println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^7}] [{:05}]", 42, 42, 42, 42, 42, -42);
    println!("{:+} {:x} {:X} {:#x} {:o} {:#b} {:#010b} {:e}", 7, 255, 255, 255, 8, 5, 5, 1200);
    println!("[{:.3}] [{:>8.2}] [{:+.1}] [{:08.3}] [{:e}]", 3.14159, 2.5, 1.0, -1.5, 1234.5);
    let (width, precision) = (9, 2);
    println!("[{:width$.precision$}] [{:1$}] [{:.*}] [{:>1$}]", 1.23456, 6, 3, 0.5, "ab");
    println!("{0} {1} {0} {name}", "a", "b", name = "c");
    println!("{{}} {:?} {:?} {:?}", "quote\"", 'c', '\'');
    let thread = Thread { id: 3, name: Some("weaver".into()), position: (-1, 'x') };
    println!("{thread:?}");
    println!("{thread:#?}");
    println!("{:?} {:?} {:?}", Thread::default(), Unit, ());
    println!("{:?} {:02x?} {:#?}", [1, 2], [10, 200], (1,));
    println!("[{:>4}] [{:#}] [{:#06x}]", Hex(10), Hex(11), Hex(12));
    println!("{:?}", BTreeMap::from([("k", vec![1.5, 2.0]), ("e", vec![])]));
    println!("{:?} {:?} {:?}", Some(Ok::<_, ()>(1)), None::<u8>, Err::<(), _>("bad"));
    println!("{} {} {}", u64::MAX, i64::MIN, i128::MIN);
    println!("{:>10} {:<10}|", true, "é");
    println!("{}", format_args!("{}-{}", 1, 2));
    println!("{:.2} {:5}|{:<3}|", "truncate", "ab", 'c');
}
