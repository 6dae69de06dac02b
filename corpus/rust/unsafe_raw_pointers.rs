// selvedge: run
// expect: exit 0
// native: same
// stdout: [1, 2, 1, 2]
// stdout: 12 4 8
// stdout: 500 Header { tag: 1, length: 500, flags: 3 }
// stdout: 9 deadbeef 5
// stdout: 0x3f800000 [0, 0, 128, 63]
// stdout: Weft 1
// stdout: ["s0", "s1", "s2"]
// stdout: [5, 2, 2, 3, 1] 3
// stdout: 4
// stdout: [7, 7, 7]
// stdout: 15
// stdout: true
// stdout: 0 128

//! Raw pointers, manual allocation, uninitialised arrays, unions, `repr(C)`, transmutes: all used correctly.

use std::alloc::{self, Layout};
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Header {
    tag: u8,
    length: u32,
    flags: u16,
}

#[repr(C, packed)]
struct Packed {
    tag: u8,
    length: u32,
}

#[repr(C)]
union Word {
    integer: u32,
    real: f32,
    bytes: [u8; 4],
}

#[allow(dead_code)]
#[repr(u8)]
#[derive(Debug, PartialEq)]
enum Kind {
    Warp = 1,
    Weft = 2,
}

fn grow() -> Vec<u32> {
    // SAFETY: layouts match at every call, and every element is written before it is read.
    unsafe {
        let small = Layout::array::<u32>(2).unwrap();
        let memory = alloc::alloc(small).cast::<u32>();
        assert!(!memory.is_null());
        memory.write(1);
        memory.add(1).write(2);
        let memory = alloc::realloc(memory.cast(), small, 16).cast::<u32>();
        memory.add(2).copy_from(memory, 2);
        let values = std::slice::from_raw_parts(memory, 4).to_vec();
        alloc::dealloc(memory.cast(), Layout::array::<u32>(4).unwrap());
        values
    }
}

fn main() {
    println!("{:?}", grow());
    println!("{} {} {}", mem::size_of::<Header>(), mem::align_of::<Header>(), mem::offset_of!(Header, flags));
    let header = Header { tag: 1, length: 500, flags: 3 };
    let pointer: *const Header = &header;
    // SAFETY: the pointer refers to a live, initialised local.
    println!("{} {:?}", unsafe { (*pointer).length }, unsafe { pointer.read() });
    let packed = Packed { tag: 9, length: 0xdead_beef };
    println!("{} {:x} {}", packed.tag, { packed.length }, mem::size_of::<Packed>());
    let word = Word { real: 1.0 };
    // SAFETY: every bit pattern is valid for all the fields.
    println!("{:#x} {:?}", unsafe { word.integer }, unsafe { word.bytes });
    // SAFETY: 2 is a discriminant of the enum.
    println!("{:?} {}", unsafe { mem::transmute::<u8, Kind>(2) }, Kind::Warp as u8);

    let mut slots: [MaybeUninit<String>; 3] = [const { MaybeUninit::uninit() }; 3];
    for (i, slot) in slots.iter_mut().enumerate() {
        slot.write(format!("s{i}"));
    }
    // SAFETY: all slots were written above and are not used again.
    println!("{:?}", slots.map(|slot| unsafe { slot.assume_init() }));

    let mut array = [1, 2, 3, 4, 5];
    let base = array.as_mut_ptr();
    // SAFETY: both ends stay inside the array.
    unsafe {
        ptr::swap(base, base.add(4));
        ptr::copy(base.add(1), base.add(2), 2);
        println!("{array:?} {}", base.add(3).offset_from(base));
    }
    let kept = ManuallyDrop::new(String::from("kept"));
    println!("{}", kept.len());
    drop(ManuallyDrop::into_inner(kept));
    let raw = Box::into_raw(Box::new([7u64; 3]));
    // SAFETY: the pointer came from a box and is turned back once.
    println!("{:?}", unsafe { Box::from_raw(raw) });
    println!("{}", mem::replace(&mut array[0], 10) + array[0]);
    let zeroed = unsafe { alloc::alloc_zeroed(Layout::new::<[u8; 64]>()) };
    // SAFETY: 64 zeroed bytes were just allocated with this layout.
    unsafe {
        println!("{}", (0..64).all(|i| *zeroed.add(i) == 0));
        alloc::dealloc(zeroed, Layout::new::<[u8; 64]>());
    }
    let aligned = Layout::from_size_align(100, 128).unwrap();
    let memory = unsafe { alloc::alloc(aligned) };
    println!("{} {:?}", memory.addr() % 128, aligned.pad_to_align().size());
    unsafe { alloc::dealloc(memory, aligned) };
}
