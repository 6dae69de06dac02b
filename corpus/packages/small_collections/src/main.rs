//! Libraries with much unsafe code of their own: inline vectors, shared byte buffers, ordered hash maps.

use arrayvec::{ArrayString, ArrayVec};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use indexmap::IndexMap;
use smallvec::{smallvec, SmallVec};

fn main() {
    let mut inline: SmallVec<[String; 2]> = smallvec!["warp".to_string()];
    println!("spilled {}", inline.spilled());
    inline.extend(["weft", "edge"].map(String::from));
    println!("spilled {} {inline:?}", inline.spilled());
    inline.retain(|word| word.starts_with('w'));
    inline.shrink_to_fit();
    println!("spilled {} {:?}", inline.spilled(), inline.drain(..).rev().collect::<Vec<_>>());

    let mut fixed: ArrayVec<u64, 4> = (1..=3).collect();
    println!("{:?} {:?}", fixed.try_push(4), fixed.try_push(5).map_err(|e| e.element()));
    fixed.swap_remove(0);
    println!("{fixed:?} {}", ArrayString::<8>::from("loom").unwrap());

    let mut buffer = BytesMut::with_capacity(16);
    buffer.put_u16(0xCAFE);
    buffer.put_slice(b"selvedge");
    buffer.put_f32_le(1.5);
    let mut frozen: Bytes = buffer.freeze();
    let text = frozen.slice(2..10);
    println!("{:x} {:?} {}", frozen.get_u16(), text, frozen.remaining());
    frozen.advance(8);
    println!("{} {}", frozen.get_f32_le(), text == Bytes::from_static(b"selvedge"));
    let other = std::thread::spawn(move || text.iter().map(|b| u32::from(*b)).sum::<u32>());
    println!("{}", other.join().unwrap());

    let mut map: IndexMap<String, usize> = IndexMap::new();
    for word in "the warp and the weft and the edge".split(' ') {
        *map.entry(word.to_owned()).or_insert(0) += 1;
    }
    println!("{map:?}");
    map.sort_by(|_, a, _, b| b.cmp(a));
    println!("{:?}", map.get_index(0));
    println!("{:?}", map.shift_remove("and"));
    let mut digits = itoa::Buffer::new();
    println!("{}", digits.format(i64::MIN));
}
