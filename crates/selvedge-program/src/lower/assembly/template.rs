//! Templates of inline assembly: text in either syntax becomes instructions. Nothing here knows what they do.

/// The general registers, as the processor numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(pub u8);

impl Register {
    pub const A: Register = Register(0);
    pub const C: Register = Register(1);
    pub const D: Register = Register(2);
    pub const B: Register = Register(3);
    pub const STACK: Register = Register(4);

    /// The register of a name, and how many bits of it the name means.
    pub fn named(name: &str) -> Option<(Register, u32)> {
        const OLD: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
        let old = |name: &str| OLD.iter().position(|&other| other == name).map(|at| Register(at as u8));
        if let Some(number) =
            name.strip_prefix('r').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            let (digits, bits) = match number.as_bytes().last()? {
                b'd' => (&number[..number.len() - 1], 32),
                b'w' => (&number[..number.len() - 1], 16),
                b'b' => (&number[..number.len() - 1], 8),
                _ => (number, 64),
            };
            let number = digits.parse().ok().filter(|number| (8..16).contains(number))?;
            return Some((Register(number), bits));
        }
        if let Some(register) = old(name) {
            return Some((register, 16));
        }
        if let Some(register) = name.strip_prefix('r').and_then(old) {
            return Some((register, 64));
        }
        if let Some(register) = name.strip_prefix('e').and_then(old) {
            return Some((register, 32));
        }
        let low = name.strip_suffix('l')?;
        let register = old(low).or_else(|| {
            OLD[..4].iter().position(|other| other.starts_with(low)).map(|at| Register(at as u8))
        });
        register
            .filter(|_| low.len() == 1 || matches!(low, "sp" | "bp" | "si" | "di"))
            .map(|register| (register, 8))
    }
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    Immediate(u64),
    Register(Register, u32),
    /// An operand of the assembly statement, and how many bits of it are meant if that is said.
    Argument(usize, Option<u32>),
    /// What a register or an operand points to, so many bytes further; and how many bits if that is said.
    Memory {
        base: Box<Operand>,
        displacement: i64,
        bits: Option<u32>,
    },
}

/// One instruction; operands are in the order of AT&T's syntax, the target last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub lock: bool,
    pub repeat: bool,
    pub name: String,
    pub operands: Vec<Operand>,
}

/// The instructions of a template; nothing if it has something else in it, such as labels.
pub fn parse(template: &str, intel: bool) -> Option<Vec<Instruction>> {
    let text = choose(template, intel)?;
    let mut instructions = Vec::new();
    let (mut lock, mut repeat) = (false, false);
    for line in text.split('\n') {
        let line = line.split('#').next().unwrap_or("");
        for statement in line.split(';') {
            let mut rest = statement.trim();
            while let Some((prefix, after)) = prefix(rest) {
                match prefix {
                    "lock" => lock = true,
                    _ => repeat = true,
                }
                rest = after.trim_start();
            }
            if rest.is_empty() {
                continue;
            }
            let (name, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if name.contains([':', '.']) {
                return None;
            }
            let mut operands =
                split(operands).map(|text| operand(text, intel)).collect::<Option<Vec<_>>>()?;
            if intel {
                operands.reverse();
            }
            let (lock, repeat) = (std::mem::take(&mut lock), std::mem::take(&mut repeat));
            instructions.push(Instruction { lock, repeat, name: name.to_ascii_lowercase(), operands });
        }
    }
    (!lock && !repeat).then_some(instructions)
}

/// A prefix at the beginning of a statement, and what follows it.
fn prefix(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    matches!(word, "lock" | "rep" | "repz" | "repe").then_some((word, rest))
}

/// The alternatives `$(AT&T$|Intel$)` that count.
fn choose(template: &str, intel: bool) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("$(") {
        let (alternatives, after) = after.split_once("$)")?;
        let mut alternatives = alternatives.split("$|");
        let first = alternatives.next().unwrap_or("");
        text += before;
        text += if intel { alternatives.next().unwrap_or("") } else { first };
        rest = after;
    }
    Some(text + rest)
}

/// Operands are separated by commas outside of parentheses.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |character| {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn operand(text: &str, intel: bool) -> Option<Operand> {
    if intel { intel_operand(text) } else { att_operand(text) }
}

fn att_operand(text: &str) -> Option<Operand> {
    if let Some(number) = text.strip_prefix("$$") {
        return number_of(number).map(|number| Operand::Immediate(number as u64));
    }
    if let Some(name) = text.strip_prefix('%') {
        return Register::named(name).map(|(register, bits)| Operand::Register(register, bits));
    }
    let Some((displacement, base)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return argument(text);
    };
    let displacement = if displacement.is_empty() { 0 } else { number_of(displacement)? };
    let base = Box::new(att_operand(base)?);
    Some(Operand::Memory { base, displacement, bits: None })
}

fn intel_operand(text: &str) -> Option<Operand> {
    const SIZES: [(&str, u32); 5] =
        [("byte", 8), ("word", 16), ("dword", 32), ("qword", 64), ("xmmword", 128)];
    let size = SIZES.iter().find_map(|&(name, bits)| Some((text.strip_prefix(name)?.trim_start(), bits)));
    let (place, bits) = match size {
        Some((rest, bits)) => (rest.strip_prefix("ptr")?.trim_start(), Some(bits)),
        None => (text, None),
    };
    let Some(inside) = place.strip_prefix('[').and_then(|place| place.strip_suffix(']')) else {
        let register = Register::named(place).map(|(register, bits)| Operand::Register(register, bits));
        let number = || number_of(place).map(|number| Operand::Immediate(number as u64));
        return register.or_else(number).or_else(|| argument(place)).filter(|_| bits.is_none());
    };
    let (base, displacement) = match inside.split_once(['+', '-']) {
        Some((base, number)) => {
            let number = number_of(number.trim())?;
            (base.trim(), if inside.contains('-') { -number } else { number })
        }
        None => (inside.trim(), 0),
    };
    let base = Box::new(intel_operand(base)?);
    Some(Operand::Memory { base, displacement, bits })
}

/// `$1` or `${1:k}`.
fn argument(text: &str) -> Option<Operand> {
    let text = text.strip_prefix('$')?;
    let Some(inside) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
        return text.parse().ok().map(|number| Operand::Argument(number, None));
    };
    let (number, modifier) = inside.split_once(':').unwrap_or((inside, ""));
    let bits = match modifier {
        "" => None,
        "b" => Some(8),
        "w" => Some(16),
        "k" => Some(32),
        "q" => Some(64),
        _ => return None,
    };
    Some(Operand::Argument(number.parse().ok()?, bits))
}

fn number_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    } as i64;
    Some(if negative { number.wrapping_neg() } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(template: &str, intel: bool) -> String {
        let Some(instructions) = parse(template, intel) else { return "nothing".into() };
        let place = |operand: &Operand| match operand {
            Operand::Immediate(number) => format!("{number:#x}"),
            Operand::Register(register, bits) => format!("r{}:{bits}", register.0),
            Operand::Argument(number, bits) => format!("{number}:{}", bits.unwrap_or(0)),
            Operand::Memory { base, displacement, bits } => {
                format!("[{base:?}+{displacement}]:{}", bits.unwrap_or(0))
            }
        };
        let line = |one: &Instruction| {
            let prefix = if one.lock { "lock " } else { "" };
            let operands: Vec<String> = one.operands.iter().map(place).collect();
            format!("{prefix}{} {}", one.name, operands.join(", ")).trim().to_owned()
        };
        instructions.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn instructions_in_both_syntaxes() {
        assert_eq!(shown("lock; xaddl $0, $1", false), "lock xaddl 0:0, 1:0");
        assert_eq!(shown("lock cmpxchgl ${2:k}, $0\n\tsetz $1", false), "lock cmpxchgl 2:32, 0:0; setz 1:0");
        assert_eq!(shown("addl $$0x0,-4(%rsp)", false), "addl 0x0, [Register(Register(4), 64)+-4]:0");
        assert_eq!(shown("movq 8($4), %rdx", false), "movq [Argument(4, None)+8]:0, r2:64");
        assert_eq!(shown("lock xadd [${1:q}], ${0:q}", true), "lock xadd 0:64, [Argument(1, Some(64))+0]:0");
        assert_eq!(
            shown("cmpxchg dword ptr [rdi - 4], r8d # x", true),
            "cmpxchg r8:32, [Register(Register(7), 64)+-4]:32"
        );
        assert_eq!(shown(" xchg$(q$|$) $(%$|$)rbx,${1:q}", false), "xchgq r3:64, 1:64");
        assert_eq!(shown(" xchg$(q$|$) $(%$|$)rbx,${1:q}", true), "xchg 1:64, r3:64");
    }

    #[test]
    fn labels_and_directives_are_something_else() {
        assert_eq!(shown("1: jmp 1b", false), "nothing");
        assert_eq!(shown(".byte 0x0f", false), "nothing");
        assert_eq!(shown("lock", false), "nothing");
    }

    #[test]
    fn registers_have_names_for_their_parts() {
        let of = |name| Register::named(name).map(|(register, bits)| (register.0, bits));
        assert_eq!(of("rax"), Some((0, 64)));
        assert_eq!(of("ebx"), Some((3, 32)));
        assert_eq!(of("dl"), Some((2, 8)));
        assert_eq!(of("sil"), Some((6, 8)));
        assert_eq!(of("r10w"), Some((10, 16)));
        assert_eq!(of("r16"), None);
        assert_eq!(of("ah"), None);
        assert_eq!(of("xmm0"), None);
    }
}
