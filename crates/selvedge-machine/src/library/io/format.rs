//! What `printf` makes of a format and its arguments: a function of both, without a machine.
//!
//! `parse` cuts the format into pieces, `render` fetches the arguments and writes the text. The locale is "C".

use super::decimal::{self, Float, Style};
use super::files::Errno;
use super::varargs::Extended;
use crate::halt::Halt;
use crate::memory::Pointer;

/// What formatting needs from its surroundings.
pub trait Arguments {
    /// The next integer argument, of 4 or 8 bytes.
    fn integer(&mut self, bytes: u64) -> Result<u64, Halt>;
    /// The next `double`.
    fn double(&mut self) -> Result<f64, Halt>;
    /// The next `long double`.
    fn long_double(&mut self) -> Result<Extended, Halt>;
    /// The next pointer.
    fn pointer(&mut self) -> Result<Pointer, Halt>;
    /// The string at an address, cut after `limit` bytes.
    fn string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u8>, Halt>;
    /// The wide string at an address, cut after `limit` characters.
    fn wide_string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u32>, Halt>;
    /// Stores the number of bytes written so far (`%n`).
    fn store(&mut self, at: Pointer, bytes: u64, value: u64) -> Result<(), Halt>;
    /// Whether wide characters are written as UTF-8; otherwise only ASCII can be written.
    fn utf8(&mut self) -> Result<bool, Halt>;
    /// An address is printed (`%p`): it may be read again.
    fn print_address(&mut self, pointer: Pointer) -> Result<(), Halt>;
    /// What `%m` prints.
    fn error_text(&mut self) -> Result<String, Halt>;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Given(i64),
    /// `*`, or `*m$` with the argument's index.
    Argument(Option<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Char,
    Short,
    Int,
    Long,
    /// `L` (and `ll` of an integer, which is the same here as `l`).
    LongLong,
}

impl Size {
    fn bytes(self) -> u64 {
        match self {
            Size::Char => 1,
            Size::Short => 2,
            Size::Int => 4,
            Size::Long | Size::LongLong => 8,
        }
    }
}

#[derive(Clone, Debug)]
struct Conversion {
    argument: Option<usize>,
    flags: Flags,
    width: Option<Amount>,
    precision: Option<Amount>,
    size: Size,
    letter: u8,
}

#[derive(Clone, Debug)]
enum Piece<'a> {
    Text(&'a [u8]),
    Conversion(Conversion),
}

/// How an argument is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Integer(u64),
    Double,
    LongDouble,
    Pointer,
    /// `%%` and `%m` take none.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Integer(u64),
    Float(Float),
    Pointer(Pointer),
    Nothing,
}

impl Value {
    fn integer(self) -> u64 {
        match self {
            Value::Integer(value) => value,
            Value::Pointer(pointer) => pointer.address,
            Value::Float(_) | Value::Nothing => 0,
        }
    }

    fn pointer(self) -> Pointer {
        match self {
            Value::Pointer(pointer) => pointer,
            _ => Pointer::NULL,
        }
    }
}

impl Conversion {
    fn class(&self) -> Result<Class, Halt> {
        Ok(match self.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => Class::Integer(self.size.bytes().max(4)),
            b'c' => Class::Integer(4),
            b's' | b'p' | b'n' => Class::Pointer,
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => match self.size {
                Size::LongLong => Class::LongDouble,
                _ => Class::Double,
            },
            b'm' | b'%' => Class::Nothing,
            letter => {
                let letter = letter.escape_ascii();
                return Err(Halt::unsupported(format!("conversion '%{letter}' in a format")));
            }
        })
    }
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<i64> {
        let start = self.at;
        let mut value = 0_i64;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// `n$`, if that is next.
    fn position(&mut self) -> Option<usize> {
        let start = self.at;
        match self.number() {
            Some(number) if number > 0 && self.take(b'$') => Some(number as usize - 1),
            _ => {
                self.at = start;
                None
            }
        }
    }

    fn amount(&mut self) -> Option<Amount> {
        match self.take(b'*') {
            true => Some(Amount::Argument(self.position())),
            false => self.number().map(Amount::Given),
        }
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                Some(b'-') => flags.left = true,
                Some(b'+') => flags.plus = true,
                Some(b' ') => flags.space = true,
                Some(b'#') => flags.alternate = true,
                Some(b'0') => flags.zero = true,
                // Groups of thousands and other digits: nothing in the "C" locale.
                Some(b'\'' | b'I') => {}
                _ => return flags,
            }
            self.at += 1;
        }
    }

    fn size(&mut self) -> Size {
        let first = self.peek();
        self.at += 1;
        match first {
            Some(b'h') if self.take(b'h') => Size::Char,
            Some(b'h') => Size::Short,
            Some(b'l') if self.take(b'l') => Size::LongLong,
            Some(b'l' | b'j' | b'z' | b't' | b'Z') => Size::Long,
            Some(b'q' | b'L') => Size::LongLong,
            _ => {
                self.at -= 1;
                Size::Int
            }
        }
    }

    fn conversion(&mut self) -> Result<Conversion, Halt> {
        let argument = self.position();
        let flags = self.flags();
        let width = self.amount();
        let precision = match self.take(b'.') {
            // A negative precision counts as none.
            true if self.take(b'-') => self.number().and(None),
            true => Some(self.amount().unwrap_or(Amount::Given(0))),
            false => None,
        };
        let mut size = self.size();
        let mut letter =
            self.peek().ok_or_else(|| Halt::unsupported("format that ends in the middle of a conversion"))?;
        self.at += 1;
        if let b'C' | b'S' = letter {
            (letter, size) = (letter.to_ascii_lowercase(), Size::Long);
        }
        Ok(Conversion { argument, flags, width, precision, size, letter })
    }
}

fn parse(format: &[u8]) -> Result<Vec<Piece<'_>>, Halt> {
    let mut cursor = Cursor { text: format, at: 0 };
    let mut pieces = Vec::new();
    while cursor.at < format.len() {
        let rest = &format[cursor.at..];
        let text = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
        if text > 0 {
            pieces.push(Piece::Text(&rest[..text]));
        }
        cursor.at += text;
        if cursor.take(b'%') {
            pieces.push(Piece::Conversion(cursor.conversion()?));
        }
    }
    Ok(pieces)
}

fn fetch(arguments: &mut impl Arguments, class: Class) -> Result<Value, Halt> {
    Ok(match class {
        Class::Integer(bytes) => Value::Integer(arguments.integer(bytes)?),
        Class::Double => Value::Float(Float::from_double(arguments.double()?)),
        Class::LongDouble => Value::Float(Float::from_extended(arguments.long_double()?)),
        Class::Pointer => Value::Pointer(arguments.pointer()?),
        Class::Nothing => Value::Nothing,
    })
}

/// The arguments of a format with positions (`%2$d`), fetched in their order.
fn fetch_all(arguments: &mut impl Arguments, pieces: &[Piece<'_>]) -> Result<Vec<Value>, Halt> {
    let mut classes: Vec<Option<Class>> = Vec::new();
    let mut note = |index: Option<usize>, class| {
        if let Some(index) = index {
            classes.resize(classes.len().max(index + 1), None);
            classes[index] = Some(class);
        }
    };
    for piece in pieces {
        let Piece::Conversion(conversion) = piece else { continue };
        for amount in [conversion.width, conversion.precision] {
            if let Some(Amount::Argument(index)) = amount {
                note(index, Class::Integer(4));
            }
        }
        match conversion.class()? {
            Class::Nothing => {}
            class => note(conversion.argument, class),
        }
    }
    classes.into_iter().map(|class| fetch(arguments, class.unwrap_or(Class::Integer(4)))).collect()
}

/// The text that a format and its arguments give; the inner error is what the C function fails with.
pub fn format(format: &[u8], arguments: &mut impl Arguments) -> Result<Result<Vec<u8>, Errno>, Halt> {
    let pieces = parse(format)?;
    let positional = pieces.iter().any(|piece| matches!(piece, Piece::Conversion(c) if c.argument.is_some()));
    let fetched = if positional { fetch_all(arguments, &pieces)? } else { Vec::new() };
    let mut output = Vec::new();
    for piece in &pieces {
        let conversion = match piece {
            Piece::Text(text) => {
                output.extend_from_slice(text);
                continue;
            }
            Piece::Conversion(conversion) => conversion,
        };
        let mut argument = |index: Option<usize>, class: Class| match index {
            _ if class == Class::Nothing => Ok(Value::Nothing),
            Some(index) => Ok(fetched[index]),
            None => fetch(arguments, class),
        };
        let mut amount = |amount: Option<Amount>| {
            Ok::<_, Halt>(match amount {
                None => None,
                Some(Amount::Given(amount)) => Some(amount),
                Some(Amount::Argument(index)) => {
                    Some(i64::from(argument(index, Class::Integer(4))?.integer() as i32))
                }
            })
        };
        let width = amount(conversion.width)?.unwrap_or(0);
        let precision = amount(conversion.precision)?.filter(|&precision| precision >= 0);
        if width.abs() > i64::from(i32::MAX) || precision.is_some_and(|p| p >= i64::from(i32::MAX)) {
            return Ok(Err(libc::EOVERFLOW));
        }
        let value = argument(conversion.argument, conversion.class()?)?;
        let mut flags = conversion.flags;
        flags.left |= width < 0;
        let field =
            Field { flags, width: width.unsigned_abs() as usize, precision: precision.map(|p| p as usize) };
        if let Err(errno) = field.render(conversion, value, arguments, &mut output)? {
            return Ok(Err(errno));
        }
    }
    Ok(Ok(output))
}

/// Wide characters as bytes, at most `limit` and no character in part; `None` where one has no representation.
pub fn narrow(characters: &[u32], utf8: bool, limit: usize) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for &character in characters {
        let character = char::from_u32(character).filter(|character| utf8 || character.is_ascii())?;
        if text.len() + character.len_utf8() > limit {
            break;
        }
        text.extend(character.encode_utf8(&mut [0; 4]).bytes());
    }
    Some(text)
}

struct Field {
    flags: Flags,
    width: usize,
    precision: Option<usize>,
}

impl Field {
    fn render(
        &self,
        conversion: &Conversion,
        value: Value,
        arguments: &mut impl Arguments,
        output: &mut Vec<u8>,
    ) -> Result<Result<(), Errno>, Halt> {
        let letter = conversion.letter;
        match letter {
            b'%' => output.push(b'%'),
            b'd' | b'i' => self.signed(value.integer(), conversion.size, output),
            b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => self.unsigned(value.integer(), conversion, output),
            b'c' if conversion.size == Size::Long => {
                match narrow(&[value.integer() as u32], arguments.utf8()?, usize::MAX) {
                    Some(text) => self.pad(&text, output),
                    None => return Ok(Err(libc::EILSEQ)),
                }
            }
            b'c' => self.pad(&[value.integer() as u8], output),
            b's' if conversion.size == Size::Long => {
                return self.wide_string(value.pointer(), arguments, output);
            }
            b's' => self.string(value.pointer(), arguments, output)?,
            b'm' => {
                let text = arguments.error_text()?.into_bytes();
                self.pad(&text[..text.len().min(self.precision.unwrap_or(usize::MAX))], output);
            }
            b'p' => match value.integer() {
                0 => self.pad(b"(nil)", output),
                address => {
                    arguments.print_address(value.pointer())?;
                    self.number(self.sign(false), "0x", &format!("{address:x}"), output);
                }
            },
            b'n' => arguments.store(value.pointer(), conversion.size.bytes(), output.len() as u64)?,
            _ => {
                if let Value::Float(value) = value {
                    self.float(value, conversion, output);
                }
            }
        }
        Ok(Ok(()))
    }

    fn pad(&self, text: &[u8], output: &mut Vec<u8>) {
        let spaces = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if self.flags.left {
            output.extend(text);
            output.extend(spaces);
        } else {
            output.extend(spaces);
            output.extend(text);
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.flags.plus, self.flags.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// A number: padding with zeros comes between the prefix and the digits.
    fn number(&self, sign: &str, prefix: &str, digits: &str, output: &mut Vec<u8>) {
        let least = self.precision.unwrap_or(1);
        let mut zeros = least.saturating_sub(digits.len());
        let length = sign.len() + prefix.len() + zeros + digits.len();
        if self.flags.zero && !self.flags.left && self.precision.is_none() {
            zeros += self.width.saturating_sub(length);
        }
        let text = format!("{sign}{prefix}{}{digits}", "0".repeat(zeros));
        self.pad(text.as_bytes(), output);
    }

    fn signed(&self, value: u64, size: Size, output: &mut Vec<u8>) {
        let value = match size.bytes() {
            1 => i64::from(value as i8),
            2 => i64::from(value as i16),
            4 => i64::from(value as i32),
            _ => value as i64,
        };
        self.number(self.sign(value < 0), "", &self.digits(format!("{}", value.unsigned_abs())), output);
    }

    fn unsigned(&self, value: u64, conversion: &Conversion, output: &mut Vec<u8>) {
        let value = match conversion.size.bytes() {
            8 => value,
            bytes => value & ((1 << (8 * bytes)) - 1),
        };
        let (prefix, digits) = match conversion.letter {
            b'o' => ("", format!("{value:o}")),
            b'x' => ("0x", format!("{value:x}")),
            b'X' => ("0X", format!("{value:X}")),
            b'b' => ("0b", format!("{value:b}")),
            b'B' => ("0B", format!("{value:b}")),
            _ => ("", format!("{value}")),
        };
        let mut digits = self.digits(digits);
        if conversion.letter == b'o' && self.flags.alternate && !digits.starts_with('0') {
            // Only as many zeros as are needed for the first digit to be one.
            if self.precision.is_none_or(|precision| precision <= digits.len()) {
                digits.insert(0, '0');
            }
        }
        let prefix = if self.flags.alternate && value != 0 { prefix } else { "" };
        self.number("", prefix, &digits, output);
    }

    /// Zero with precision zero has no digits.
    fn digits(&self, digits: String) -> String {
        if digits == "0" && self.precision == Some(0) { String::new() } else { digits }
    }

    fn string(&self, at: Pointer, arguments: &mut impl Arguments, output: &mut Vec<u8>) -> Result<(), Halt> {
        let text = match at.is_null() {
            true if self.precision.is_none_or(|precision| precision >= 6) => b"(null)".to_vec(),
            true => Vec::new(),
            false => arguments.string(at, self.precision.map(|precision| precision as u64))?,
        };
        self.pad(&text, output);
        Ok(())
    }

    fn wide_string(
        &self,
        at: Pointer,
        arguments: &mut impl Arguments,
        output: &mut Vec<u8>,
    ) -> Result<Result<(), Errno>, Halt> {
        if at.is_null() {
            return self.string(at, arguments, output).map(Ok);
        }
        let characters = arguments.wide_string(at, self.precision.map(|precision| precision as u64))?;
        let limit = self.precision.unwrap_or(usize::MAX);
        let Some(text) = narrow(&characters, arguments.utf8()?, limit) else { return Ok(Err(libc::EILSEQ)) };
        self.pad(&text, output);
        Ok(Ok(()))
    }

    fn float(&self, value: Float, conversion: &Conversion, output: &mut Vec<u8>) {
        let letter = conversion.letter;
        let style = Style {
            letter: letter.to_ascii_lowercase(),
            precision: self.precision,
            alternate: self.flags.alternate,
        };
        let mut text = decimal::text(value, style);
        let finite = matches!(value, Float::Finite { .. });
        let mut prefix = if finite && style.letter == b'a' { "0x".to_owned() } else { String::new() };
        if letter.is_ascii_uppercase() {
            text.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        let flags = Flags { zero: self.flags.zero && finite, ..self.flags };
        Field { flags, precision: None, width: self.width }.number(
            self.sign(value.negative()),
            &prefix,
            &text,
            output,
        );
    }
}
