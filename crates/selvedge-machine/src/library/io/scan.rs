//! What `scanf` makes of a format and its input: a function of both, without a machine.
//!
//! Follows glibc where the standard leaves room, character by character; the locale is "C".

use crate::halt::Halt;
use crate::memory::Pointer;

/// What scanning needs from its surroundings.
pub trait Surroundings {
    /// The next byte of the input; `None` at its end.
    fn next(&mut self) -> Result<Option<u8>, Halt>;
    /// Puts the last byte back.
    fn put_back(&mut self, byte: u8) -> Result<(), Halt>;
    /// The next argument.
    fn pointer(&mut self) -> Result<Pointer, Halt>;
    /// Stores bytes where an argument points to.
    fn store(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt>;
    /// Stores the address of a new block with these bytes where an argument points to (`%ms`).
    fn store_block(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt>;
    /// The bytes of a float of 4, 8 or 10 bytes that begins this text.
    fn float(&mut self, text: &str, bytes: u64) -> Result<Vec<u8>, Halt>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Char,
    Short,
    Int,
    Long,
    LongDouble,
}

#[derive(Debug)]
struct Conversion {
    suppress: bool,
    allocate: bool,
    width: Option<u64>,
    size: Size,
    letter: u8,
    set: Vec<u8>,
}

/// Why scanning stops early.
enum Stop {
    /// The input does not match.
    Mismatch,
    /// The input is at its end.
    End,
    Halt(Halt),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Stop::Halt(halt)
    }
}

/// Scans; the result is what the C function returns.
pub fn scan(format: &[u8], surroundings: &mut impl Surroundings) -> Result<i32, Halt> {
    let mut scanner = Scanner { surroundings, consumed: 0, done: 0 };
    match scanner.run(format) {
        Ok(()) | Err(Stop::Mismatch) => Ok(scanner.done),
        Err(Stop::End) => Ok(if scanner.done == 0 { -1 } else { scanner.done }),
        Err(Stop::Halt(halt)) => Err(halt),
    }
}

struct Scanner<'a, S> {
    surroundings: &'a mut S,
    consumed: u64,
    done: i32,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

impl<S: Surroundings> Scanner<'_, S> {
    fn next(&mut self) -> Result<Option<u8>, Stop> {
        let byte = self.surroundings.next()?;
        self.consumed += u64::from(byte.is_some());
        Ok(byte)
    }

    fn put_back(&mut self, byte: Option<u8>) -> Result<(), Stop> {
        if let Some(byte) = byte {
            self.consumed -= 1;
            self.surroundings.put_back(byte)?;
        }
        Ok(())
    }

    fn skip_space(&mut self) -> Result<(), Stop> {
        loop {
            match self.next()? {
                Some(byte) if is_space(byte) => {}
                other => return self.put_back(other),
            }
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Stop> {
        match self.next()? {
            None => Err(Stop::End),
            Some(byte) if byte == wanted => Ok(()),
            other => {
                self.put_back(other)?;
                Err(Stop::Mismatch)
            }
        }
    }

    fn run(&mut self, format: &[u8]) -> Result<(), Stop> {
        let mut at = 0;
        while at < format.len() {
            let byte = format[at];
            at += 1;
            if is_space(byte) {
                self.skip_space()?;
            } else if byte != b'%' {
                self.expect(byte)?;
            } else {
                let conversion = Conversion::parse(format, &mut at)?;
                self.convert(&conversion)?;
            }
        }
        Ok(())
    }

    fn convert(&mut self, conversion: &Conversion) -> Result<(), Stop> {
        if !matches!(conversion.letter, b'[' | b'c' | b'n') {
            self.skip_space()?;
        }
        match conversion.letter {
            b'%' => self.expect(b'%'),
            b'n' => self.store_number(conversion, self.consumed, false),
            b'd' | b'u' => self.integer(conversion, 10),
            b'i' => self.integer(conversion, 0),
            b'o' => self.integer(conversion, 8),
            b'x' | b'X' | b'p' => self.integer(conversion, 16),
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => self.float(conversion),
            b'c' => {
                let width = conversion.width.unwrap_or(1);
                let text = self.characters(width, |_| true)?;
                self.store_text(conversion, text)
            }
            b's' => {
                let mut text =
                    self.characters(conversion.width.unwrap_or(u64::MAX), |byte| !is_space(byte))?;
                text.push(0);
                self.store_text(conversion, text)
            }
            b'[' => {
                let in_set = |byte: u8| conversion.set.contains(&byte);
                let mut text = self.characters(conversion.width.unwrap_or(u64::MAX), in_set)?;
                text.push(0);
                self.store_text(conversion, text)
            }
            letter => {
                let letter = letter.escape_ascii();
                Err(Halt::unsupported(format!("conversion '%{letter}' in a format of scanf")).into())
            }
        }
    }

    /// One or more bytes that are accepted.
    fn characters(&mut self, width: u64, accepted: impl Fn(u8) -> bool) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while (text.len() as u64) < width {
            match self.next()? {
                Some(byte) if accepted(byte) => text.push(byte),
                None if text.is_empty() => return Err(Stop::End),
                other => {
                    self.put_back(other)?;
                    break;
                }
            }
        }
        if text.is_empty() { Err(Stop::Mismatch) } else { Ok(text) }
    }

    fn store_text(&mut self, conversion: &Conversion, text: Vec<u8>) -> Result<(), Stop> {
        if conversion.suppress {
            return Ok(());
        }
        let bytes = match conversion.size {
            Size::Long => text.iter().flat_map(|&byte| u32::from(byte).to_le_bytes()).collect(),
            _ => text,
        };
        let at = self.surroundings.pointer()?;
        match conversion.allocate {
            true => self.surroundings.store_block(at, &bytes)?,
            false => self.surroundings.store(at, &bytes)?,
        }
        self.done += 1;
        Ok(())
    }

    fn store_number(&mut self, conversion: &Conversion, value: u64, counts: bool) -> Result<(), Stop> {
        if conversion.suppress {
            return Ok(());
        }
        let bytes = match conversion.size {
            _ if conversion.letter == b'p' => 8,
            Size::Char => 1,
            Size::Short => 2,
            Size::Int => 4,
            Size::Long | Size::LongDouble => 8,
        };
        let at = self.surroundings.pointer()?;
        self.surroundings.store(at, &value.to_le_bytes()[..bytes])?;
        self.done += i32::from(counts);
        Ok(())
    }

    fn integer(&mut self, conversion: &Conversion, mut base: u32) -> Result<(), Stop> {
        let mut width = conversion.width.unwrap_or(u64::MAX);
        let Some(first) = self.next()? else { return Err(Stop::End) };
        let mut current = Some(first);
        let signed = matches!(first, b'-' | b'+');
        if signed {
            width -= 1;
            current = self.next()?;
        }
        let mut digits: Vec<u8> = Vec::new();
        if width != 0 && current == Some(b'0') {
            width -= 1;
            digits.push(b'0');
            current = self.next()?;
            let prefix = width != 0 && matches!(current, Some(b'x' | b'X'));
            if base == 0 {
                base = if prefix { 16 } else { 8 };
            }
            if prefix && base == 16 {
                width -= 1;
                current = self.next()?;
            }
        }
        base = if base == 0 { 10 } else { base };
        while width != 0
            && let Some(byte) = current.filter(|&byte| char::from(byte).is_digit(base))
        {
            digits.push(byte);
            width -= 1;
            current = self.next()?;
        }
        if digits.is_empty() && conversion.letter == b'p' && !signed && current == Some(b'(') {
            for wanted in *b"nil)" {
                self.expect(wanted)?;
            }
            return self.store_number(conversion, 0, true);
        }
        self.put_back(current)?;
        if digits.is_empty() {
            return Err(Stop::Mismatch);
        }
        let negative = first == b'-';
        let magnitude = digits.iter().try_fold(0_u64, |value, &digit| {
            let digit = char::from(digit).to_digit(base).unwrap_or(0);
            value.checked_mul(u64::from(base))?.checked_add(u64::from(digit))
        });
        let value = match (conversion.letter, magnitude) {
            (b'd' | b'i', Some(value)) if negative && value <= 1 << 63 => value.wrapping_neg(),
            (b'd' | b'i', _) if negative => 1 << 63,
            (b'd' | b'i', value) => value.unwrap_or(u64::MAX).min(i64::MAX as u64),
            (_, Some(value)) if negative => value.wrapping_neg(),
            (_, value) => value.unwrap_or(u64::MAX),
        };
        self.store_number(conversion, value, true)
    }

    /// `inf`, `infinity` and `nan`: the rest of the word after its first letter.
    fn word(&mut self, word: &[u8], width: &mut u64, text: &mut String) -> Result<(), Stop> {
        for &wanted in word {
            match self.next_within(width)? {
                Some(byte) if byte.eq_ignore_ascii_case(&wanted) => text.push(char::from(wanted)),
                _ => return Err(Stop::Mismatch),
            }
        }
        Ok(())
    }

    fn next_within(&mut self, width: &mut u64) -> Result<Option<u8>, Stop> {
        if *width == 0 {
            return Ok(None);
        }
        let byte = self.next()?;
        *width -= u64::from(byte.is_some());
        Ok(byte)
    }

    fn float(&mut self, conversion: &Conversion) -> Result<(), Stop> {
        let mut width = conversion.width.unwrap_or(u64::MAX);
        let mut text = String::new();
        let Some(mut current) = self.next_within(&mut width)? else { return Err(Stop::End) };
        if let b'-' | b'+' = current {
            text.push(char::from(current));
            current = self.next_within(&mut width)?.ok_or(Stop::Mismatch)?;
        }
        match current.to_ascii_lowercase() {
            b'n' => {
                text.push('n');
                self.word(b"an", &mut width, &mut text)?;
            }
            b'i' => {
                text.push('i');
                self.word(b"nf", &mut width, &mut text)?;
                match self.next_within(&mut width)? {
                    Some(byte) if byte.eq_ignore_ascii_case(&b'i') => {
                        text.push('i');
                        self.word(b"nity", &mut width, &mut text)?;
                    }
                    other => self.put_back(other)?,
                }
            }
            _ => self.digits(current, &mut width, &mut text)?,
        }
        if conversion.suppress {
            return Ok(());
        }
        let bytes = match conversion.size {
            Size::Long => 8,
            Size::LongDouble => 10,
            _ => 4,
        };
        let value = self.surroundings.float(&text, bytes)?;
        let at = self.surroundings.pointer()?;
        self.surroundings.store(at, &value)?;
        self.done += 1;
        Ok(())
    }

    fn digits(&mut self, first: u8, width: &mut u64, text: &mut String) -> Result<(), Stop> {
        let start = text.len();
        let mut current = Some(first);
        let (mut digit, mut point, mut exponent, mut hexadecimal) = (false, false, false, false);
        let mut marker = b'e';
        if first == b'0' {
            text.push('0');
            current = self.next_within(width)?;
            match current {
                Some(b'x' | b'X') if *width > 0 => {
                    text.push('x');
                    (hexadecimal, marker) = (true, b'p');
                    current = self.next_within(width)?;
                }
                _ => digit = true,
            }
        }
        while let Some(byte) = current {
            let after_marker = exponent && text.bytes().last() == Some(marker);
            if byte.is_ascii_digit() || hexadecimal && !exponent && byte.is_ascii_hexdigit() {
                digit = true;
            } else if matches!(byte, b'-' | b'+') && after_marker {
            } else if digit && !exponent && byte.to_ascii_lowercase() == marker {
                (exponent, point) = (true, true);
            } else if byte == b'.' && !point {
                point = true;
            } else {
                break;
            }
            text.push(char::from(byte.to_ascii_lowercase()));
            current = self.next_within(width)?;
        }
        self.put_back(current)?;
        // "0x." is the number that "0" is, but "0x" is none.
        match if hexadecimal { text.len() > start + 2 } else { digit } {
            true => Ok(()),
            false => Err(Stop::Mismatch),
        }
    }
}

impl Conversion {
    fn parse(format: &[u8], at: &mut usize) -> Result<Self, Halt> {
        let peek = |at: &usize| format.get(*at).copied();
        let mut conversion = Conversion {
            suppress: false,
            allocate: false,
            width: None,
            size: Size::Int,
            letter: b'%',
            set: Vec::new(),
        };
        while let Some(flag @ (b'*' | b'\'' | b'I')) = peek(at) {
            conversion.suppress |= flag == b'*';
            *at += 1;
        }
        while let Some(digit) = peek(at).filter(u8::is_ascii_digit) {
            let width = conversion.width.unwrap_or(0);
            conversion.width = Some(width.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
            *at += 1;
        }
        if peek(at) == Some(b'$') {
            return Err(Halt::unsupported("format of scanf that numbers its arguments"));
        }
        conversion.width = conversion.width.filter(|&width| width > 0);
        while let Some(modifier @ (b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b'Z' | b't' | b'm')) = peek(at) {
            conversion.size = match (modifier, conversion.size) {
                (b'm', size) => {
                    conversion.allocate = true;
                    size
                }
                (b'h', Size::Short) => Size::Char,
                (b'h', _) => Size::Short,
                (b'l', Size::Long) | (b'L' | b'q', _) => Size::LongDouble,
                _ => Size::Long,
            };
            *at += 1;
        }
        let letter =
            peek(at).ok_or_else(|| Halt::unsupported("format that ends in the middle of a conversion"))?;
        *at += 1;
        conversion.letter = letter;
        match letter {
            b'[' => conversion.set = set(format, at)?,
            b'S' | b'C' => (conversion.letter, conversion.size) = (letter.to_ascii_lowercase(), Size::Long),
            _ => {}
        }
        Ok(conversion)
    }
}

/// The bytes that a set such as `[^a-z]` accepts.
fn set(format: &[u8], at: &mut usize) -> Result<Vec<u8>, Halt> {
    let negated = format.get(*at) == Some(&b'^');
    *at += usize::from(negated);
    let start = *at;
    // A bracket in the first place stands for itself.
    let rest = format.get(start + 1..).unwrap_or(&[]);
    let length = rest.iter().position(|&byte| byte == b']');
    let length = 1 + length.ok_or_else(|| Halt::unsupported("format with a set that does not end"))?;
    let members = &format[start..start + length];
    *at = start + length + 1;
    let mut listed = Vec::new();
    let mut index = 0;
    while index < members.len() {
        match members[index..] {
            [low, b'-', high, ..] if low <= high => {
                listed.extend(low..=high);
                index += 3;
            }
            [byte, ..] => {
                listed.push(byte);
                index += 1;
            }
            [] => {}
        }
    }
    Ok(if negated { (0..=255).filter(|byte| !listed.contains(byte)).collect() } else { listed })
}
