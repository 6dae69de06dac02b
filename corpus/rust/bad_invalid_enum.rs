// selvedge: run
// expect: violation unreachable
// cflags: -C debug-assertions=off

//! A value that no variant has: the match on it reaches code that cannot be reached.

#[allow(dead_code)]
#[repr(u8)]
#[derive(Clone, Copy)]
enum Colour {
    Red,
    Green,
    Blue,
}

fn name(colour: &Colour) -> &'static str {
    match colour {
        Colour::Red => "red",
        Colour::Green => "green",
        Colour::Blue => "blue",
    }
}

fn main() {
    for byte in [2u8, 1, 9] {
        let pointer: *const u8 = &byte;
        // SAFETY: none: 9 is no colour.
        println!("{}", name(unsafe { &*pointer.cast::<Colour>() }));
    }
}
