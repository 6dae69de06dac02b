//! Damages bytes in the ways in which files get damaged, and in some worse ones.

use crate::random::Random;

/// Numbers at which things tend to break.
const NUMBERS: [u32; 10] = [0, 1, 2, 7, 0x7f, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// Damages `bytes` a few times; pieces may come from `other`.
pub fn bytes(random: &mut Random, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut result = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        if result.is_empty() {
            return result;
        }
        let at = random.below(result.len());
        match random.below(12) {
            0..4 => result[at] ^= 1 << random.below(8),
            4 => result[at] = random.number() as u8,
            5 => {
                // Bitcode is a sequence of words of 32 bits.
                let at = at & !3;
                let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
                let end = result.len().min(at + 4);
                result[at..end].copy_from_slice(&number[..end - at]);
            }
            6 => result.truncate(at),
            7 => {
                let end = result.len().min(at + 1 + random.below(64));
                result.drain(at..end);
            }
            8 => {
                let end = result.len().min(at + 1 + random.below(256));
                let chunk = result[at..end].to_vec();
                let to = random.below(result.len());
                result.splice(to..to, chunk);
            }
            9 if !other.is_empty() => {
                // Words keep their place within the other file's words.
                let from = random.below(other.len()) & !3;
                let length = (4 + random.below(256)).min(other.len() - from);
                let at = at & !3;
                let end = result.len().min(at + length);
                result[at..end].copy_from_slice(&other[from..from + (end - at)]);
            }
            10 => {
                let to = random.below(result.len());
                result.swap(at, to);
            }
            _ => {
                let word = (random.number() as u32).to_le_bytes();
                let at = at & !3;
                let end = result.len().min(at + 4);
                result[at..end].copy_from_slice(&word[..end - at]);
            }
        }
    }
    result
}

/// Damages a text: its words and lines change places, numbers become others.
pub fn text(random: &mut Random, text: &str, other: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let others: Vec<&str> = other.lines().collect();
    for _ in 0..1 + random.below(4) {
        if lines.is_empty() {
            break;
        }
        let at = random.below(lines.len());
        let to = random.below(lines.len());
        match random.below(12) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(to, lines[at].clone()),
            2 => lines.swap(at, to),
            3 if !others.is_empty() => lines.insert(at, others[random.below(others.len())].to_owned()),
            4..6 => lines[at] = with_other_number(random, &lines[at]),
            6..10 => lines[at] = with_other_instruction(random, &lines[at]),
            _ => lines[at] = with_other_word(random, &lines[at], &lines[to]),
        }
    }
    lines.join("\n") + "\n"
}

/// The places of numbers in a text.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut result: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in text.char_indices().filter(|(_, character)| character.is_ascii_digit()) {
        match result.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => result.push(at..at + 1),
        }
    }
    result
}

fn with_other_number(random: &mut Random, line: &str) -> String {
    let places = numbers(line);
    if places.is_empty() {
        return line.to_owned();
    }
    let place = places[random.below(places.len())].clone();
    let number = match random.below(4) {
        0 => random.below(300).to_string(),
        1 => NUMBERS[random.below(NUMBERS.len())].to_string(),
        2 => random
            .one_of(&["18446744073709551615", "9223372036854775808", "99999999999999999999999"])
            .to_owned(),
        _ => (1_u64 << random.below(64)).to_string(),
    };
    format!("{}{number}{}", &line[..place.start], &line[place.end..])
}

/// Words of textual IR that can often stand for each other.
const KINDS: [&[&str]; 7] = [
    &[
        "i1",
        "i7",
        "i8",
        "i16",
        "i32",
        "i33",
        "i64",
        "i65",
        "i128",
        "i256",
        "<4 x i32>",
        "<3 x i16>",
        "[2 x i64]",
    ],
    &["half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128", "<2 x float>"],
    &["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"],
    &["fadd", "fsub", "fmul", "fdiv", "frem"],
    &["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge", "samesign ult"],
    &["seq_cst", "acq_rel", "acquire", "release", "monotonic", "unordered"],
    &[
        "trunc", "zext", "sext", "bitcast", "freeze", "sitofp", "uitofp", "fptosi", "fptoui", "ptrtoint",
        "inttoptr",
    ],
];

/// Replaces a word by another of its kind, everywhere in the line.
fn with_other_instruction(random: &mut Random, line: &str) -> String {
    let separators = |character: char| !(character.is_ascii_alphanumeric() || "_%@.".contains(character));
    let words: Vec<&str> = line.split(separators).collect();
    let known: Vec<(&str, &[&str])> = words
        .iter()
        .filter_map(|word| KINDS.iter().find(|kind| kind.contains(word)).map(|kind| (*word, *kind)))
        .collect();
    if known.is_empty() {
        return line.to_owned();
    }
    let (old, kind) = known[random.below(known.len())];
    let new = random.one_of(kind);
    let mut result = String::new();
    let mut rest = line;
    for word in words {
        let at = if word.is_empty() { 0 } else { rest.find(word).unwrap_or(0) };
        result.push_str(&rest[..at]);
        result.push_str(if word == old { new } else { word });
        rest = &rest[at + word.len()..];
    }
    result + rest
}

fn with_other_word(random: &mut Random, line: &str, other: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let others: Vec<&str> = other.split(' ').collect();
    let at = random.below(words.len());
    words[at] = others[random.below(others.len())];
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_damages_the_same() {
        let whole: Vec<u8> = (0..=255).collect();
        let damaged = |seed| bytes(&mut Random::new(seed), &whole, b"other bytes");
        assert!((0..100).all(|seed| damaged(seed) == damaged(seed)));
        assert!((0..100).filter(|seed| damaged(*seed) != whole).count() > 90);
        let lines = "store i32 1, ptr %2\nret i32 0\n";
        let damaged = |seed| text(&mut Random::new(seed), lines, "br label %7\n");
        assert!((0..100).all(|seed| damaged(seed) == damaged(seed)));
        assert!((0..100).filter(|seed| damaged(*seed) != lines).count() > 60);
    }
}
