//! Values in the user's words: by what debug information says of the variable, else by what memory knows.

use super::words::Known;
use selvedge_machine::{Blocks, Machine, Named};
use selvedge_program::shapes::{Encoding, Member, Shape, ShapeId, ShapeKind, Variants, shortened};
use selvedge_trace::Event;

/// Values of what an event is about.
pub struct ValueOf<'a> {
    machine: &'a Machine,
    /// What it is about.
    pub named: Named,
    /// There is or was a pointer, as far as memory knows.
    pointer: bool,
}

impl<'a> ValueOf<'a> {
    /// To be made right after the event; `known` is what was known before.
    pub fn new(machine: &'a Machine, event: &Event, known: Option<&Known>, blocks: &mut Blocks) -> Self {
        let (address, size) = (event.operation.address, u64::from(event.operation.size));
        let pointer = machine.inspect().holds_pointer(address);
        match known.and_then(|known| known.of(event)) {
            Some((named, before)) => ValueOf { machine, named: named.clone(), pointer: pointer || before },
            None => {
                ValueOf { machine, named: machine.inspect().name_of_part(address, size, blocks), pointer }
            }
        }
    }

    /// The bytes of a value in words.
    pub fn words(&self, bytes: &[u8], blocks: &mut Blocks) -> String {
        scalar(self.machine, (self.named.shape, self.pointer), bytes, blocks)
    }
}

/// The bytes of a number or pointer in words, by its shape; `pointer`: memory knows that it is one.
pub fn scalar(
    machine: &Machine,
    (shape, is_pointer): (ShapeId, bool),
    bytes: &[u8],
    blocks: &mut Blocks,
) -> String {
    let shapes = &machine.inspect().program().shapes;
    let shape = shapes.get(shape as usize).filter(|shape| shape.size == bytes.len() as u64);
    let Some(number) = number(bytes) else { return digits(bytes) };
    match shape.map(|shape| &shape.kind) {
        Some(&ShapeKind::Number(encoding)) => typed(encoding, number, bytes.len()),
        Some(ShapeKind::Enum(values)) => named_value(values, number, bytes.len()),
        Some(ShapeKind::Variants(variants)) => {
            variant(machine, variants, bytes, blocks).unwrap_or_else(|| untyped(number, bytes.len()))
        }
        Some(&ShapeKind::Pointer(to)) => pointer(machine, (number, shapes.get(to as usize)), blocks),
        _ if is_pointer && bytes.len() == 8 => pointer(machine, (number, None), blocks),
        _ => untyped(number, bytes.len()),
    }
}

/// A small enum of Rust's, with what is in it: `Frozen(7)`.
fn variant(machine: &Machine, variants: &Variants, bytes: &[u8], blocks: &mut Blocks) -> Option<String> {
    let shapes = &machine.inspect().program().shapes;
    let part = |member: &Member, from: usize| {
        let (start, size) = (from + member.offset as usize, shapes[member.shape as usize].size as usize);
        bytes.get(start..start + size)
    };
    let tag = part(&variants.tag, 0)?;
    let case = variants.case(number(tag)?, tag.len() as u64)?;
    let ShapeKind::Struct(members) = &shapes[case.shape as usize].kind else {
        return Some(case.name.to_string());
    };
    let mut values = Vec::new();
    for member in members {
        let value = scalar(machine, (member.shape, false), part(member, case.offset as usize)?, blocks);
        values.push(match member.name.strip_prefix("__") {
            Some(_) => value,
            None => format!("{}: {value}", member.name),
        });
    }
    Some(match members.first() {
        None => case.name.to_string(),
        Some(first) if first.name.starts_with("__") => format!("{}({})", case.name, values.join(", ")),
        Some(_) => format!("{} {{ {} }}", case.name, values.join(", ")),
    })
}

/// A pointer by what it points to.
fn pointer(machine: &Machine, (address, to): (u64, Option<&Shape>), blocks: &mut Blocks) -> String {
    let size = to.map_or(0, |shape| shape.size);
    match machine.inspect().name_of_part(address, size, blocks).name {
        name if address == 0 => name,
        name if name.starts_with("address ") => format!("{address:#x}"),
        name => match name.strip_prefix("function ") {
            Some(function) => shortened(function),
            None => format!("&{}", shortened(&name)),
        },
    }
}

fn number(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

fn signed(number: u64, bytes: usize) -> i64 {
    let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
    ((number << unused) as i64) >> unused
}

fn typed(encoding: Encoding, number: u64, bytes: usize) -> String {
    match (encoding, bytes) {
        (Encoding::Boolean, _) if number <= 1 => (number == 1).to_string(),
        (Encoding::Character, _) => match char::from_u32(number as u32).filter(|one| !one.is_control()) {
            Some(character) if number <= u64::from(u32::MAX) && (bytes > 1 || character.is_ascii()) => {
                format!("{character:?}")
            }
            _ => signed(number, bytes).to_string(),
        },
        (Encoding::Float, 4) => f32::from_bits(number as u32).to_string(),
        (Encoding::Float, 8) => f64::from_bits(number).to_string(),
        (Encoding::Signed, _) => signed(number, bytes).to_string(),
        (Encoding::Boolean | Encoding::Unsigned | Encoding::Float, _) => number.to_string(),
    }
}

fn named_value(values: &[(i128, Box<str>)], number: u64, bytes: usize) -> String {
    let value = |value: i128| values.iter().find(|(one, _)| *one == value).map(|(_, name)| name.to_string());
    let signed = signed(number, bytes);
    value(i128::from(number)).or_else(|| value(i128::from(signed))).unwrap_or_else(|| signed.to_string())
}

/// A number of which nothing is known but its size.
fn untyped(number: u64, bytes: usize) -> String {
    match bytes {
        0 => String::new(),
        1 | 2 => number.to_string(),
        _ => signed(number, bytes).to_string(),
    }
}

/// What is longer than a number, in hexadecimal.
fn digits(bytes: &[u8]) -> String {
    const LONGEST: usize = 16;
    let shown = &bytes[..bytes.len().min(LONGEST)];
    let digits: String = shown.iter().map(|byte| format!("{byte:02x}")).collect();
    if bytes.len() > LONGEST {
        format!("0x{digits}.. ({} bytes)", bytes.len())
    } else {
        format!("0x{digits}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_their_type() {
        assert_eq!(typed(Encoding::Signed, 0xffff_ffff, 4), "-1");
        assert_eq!(typed(Encoding::Unsigned, 0xffff_ffff, 4), "4294967295");
        assert_eq!(typed(Encoding::Boolean, 1, 1), "true");
        assert_eq!(typed(Encoding::Boolean, 7, 1), "7", "no boolean");
        assert_eq!(typed(Encoding::Character, 0x61, 1), "'a'");
        assert_eq!(typed(Encoding::Character, 0, 1), "0");
        assert_eq!(typed(Encoding::Character, 0xff, 1), "-1");
        assert_eq!(typed(Encoding::Float, 1.5_f64.to_bits(), 8), "1.5");
    }

    #[test]
    fn values_with_names() {
        let values = [(-1, "Lost".into()), (2, "Done".into())];
        assert_eq!(named_value(&values, 2, 1), "Done");
        assert_eq!(named_value(&values, 0xff, 1), "Lost");
        assert_eq!(named_value(&values, 3, 1), "3");
    }

    #[test]
    fn long_values_are_digits() {
        assert_eq!(number(&[0; 9]), None);
        assert_eq!(digits(&[1, 2]), "0x0102");
    }
}
