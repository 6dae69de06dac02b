// selvedge: run
// expect: exit 0
// native: same
// stdout: b789623c 47
// stdout: Some(23) None
// stdout: Some(7) false
// stdout: true false
// stdout: Less Greater
// stdout: true true
// stdout: selvselv\x00\x00......
// stdout: [3, 8, 5, 3, 7, 4, 11]
// stdout: THE SELVEDGE KEEPS THE THREADS FROM UNRAVELLING
// stdout: 1 2 [255]
// stdout: adefghiklmnoprstuv
// stdout: 146e518d Some(752)
// stdout: 1237

//! Byte slices: comparison, searching, filling, copying, splitting, reading integers from bytes.

fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn main() {
    let text = b"the selvedge keeps the threads from unravelling";
    println!("{:08x} {}", checksum(text), text.len());
    println!("{:?} {:?}", find(text, b"threads"), find(text, b"needle"));
    println!("{:?} {}", text.iter().position(|b| *b == b'v'), text.contains(&b'z'));
    println!("{} {}", text.starts_with(b"the"), text.ends_with(b"the"));
    println!("{:?} {:?}", b"abc".cmp(b"abd"), b"abc"[..].cmp(&b"ab"[..]));
    println!("{} {}", [1u8, 2, 3] == [1, 2, 3], vec![0u8; 64] == vec![0u8; 64]);
    let mut buffer = [0u8; 16];
    buffer[4..8].copy_from_slice(&text[4..8]);
    buffer[10..].fill(b'.');
    buffer.copy_within(4..8, 0);
    println!("{}", buffer.escape_ascii());
    println!("{:?}", text.split(|b| *b == b' ').map(<[u8]>::len).collect::<Vec<_>>());
    println!("{}", String::from_utf8_lossy(&text.to_ascii_uppercase()));
    let mut rest = &[1u8, 0, 0, 0, 2, 0, 0xff][..];
    let first = u32::from_le_bytes(*rest.first_chunk().unwrap());
    rest = &rest[4..];
    let second = u16::from_le_bytes(rest[..2].try_into().unwrap());
    println!("{first} {second} {:?}", &rest[2..]);
    let mut sorted = text.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    println!("{}", String::from_utf8_lossy(&sorted).trim());
    let long: Vec<u8> = (0..1000u32).map(|n| (n % 251) as u8).collect();
    println!("{:08x} {:?}", checksum(&long), long.iter().rposition(|b| *b == 250));
    println!("{}", long.chunks_exact(100).map(|c| u32::from(c[0])).sum::<u32>());
}
