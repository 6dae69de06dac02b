// selvedge: run
// expect: exit 0
// native: same

//! Characters, UTF-8 boundaries, searching, splitting, case, conversion and invalid bytes.

fn main() {
    let text = "Zettel, größe, 織物, 🧵!";
    println!("{} bytes {} chars", text.len(), text.chars().count());
    println!("{:?}", text.char_indices().filter(|(_, c)| !c.is_ascii()).collect::<Vec<_>>());
    println!("{} {}", text.to_uppercase(), text.is_char_boundary(11));
    println!("{:?} {:?}", text.find("織"), text.rfind(','));
    println!("{}", text.chars().rev().collect::<String>());
    println!("{:?}", text.split(", ").map(str::len).collect::<Vec<_>>());
    for c in ['a', 'ß', '物', '🧵'] {
        let mut buffer = [0u8; 4];
        let encoded = c.encode_utf8(&mut buffer);
        println!("U+{:04X} {} {:02x?} {}", c as u32, encoded.len(), encoded.as_bytes(), c.is_alphabetic());
    }
    println!("{:?} {:?}", char::from_u32(0x1F9F5), char::from_u32(0xD800));
    println!("{:?} {:?}", '7'.to_digit(10), char::from_digit(11, 16));
    println!("{:?}", String::from_utf8(vec![0x66, 0xff, 0x6f]).map_err(|e| e.utf8_error().valid_up_to()));
    println!("{}", String::from_utf8_lossy(&[0x66, 0xff, 0x6f]));
    println!("{:?}", "\t\"quoted\"\n\u{7f}é");
    let mut owned = String::from("weave");
    owned.insert(0, '>');
    owned.push_str(" it");
    owned.replace_range(1..2, "W");
    println!("{owned} {:?} {}", owned.pop(), owned.replace('e', "3"));
    println!("{:?}", "  trim me\t".trim());
    println!("{:?}", "k1=v1;k2=v2".split(';').map(|p| p.split_once('=')).collect::<Vec<_>>());
    println!("{:?}", "one\ntwo\r\nthree".lines().collect::<Vec<_>>());
    println!("{} {}", "abc" < "abd", "apple".cmp("Apple") as i8);
    println!("{}", "ab".repeat(3).strip_prefix("aba").unwrap_or("none"));
    println!("{:?}", "a1b22c".split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>());
}
