//! Constraints of inline assembly: where its operands are.

use super::template::Register;

/// What is true of the processor's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    Zero,
    Sign,
    Carry,
    Overflow,
    /// Carry or zero: below or equal.
    BelowOrEqual,
    /// Sign differs from overflow: less.
    Less,
    /// Less, or zero.
    LessOrEqual,
}

/// A condition: a flag, or that it is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub flag: Flag,
    pub set: bool,
}

impl Condition {
    /// The condition of an instruction's suffix, such as `nz`.
    pub fn named(name: &str) -> Option<Condition> {
        let flag = match name {
            "z" | "e" => Flag::Zero,
            "s" => Flag::Sign,
            "c" | "b" | "nae" => Flag::Carry,
            "o" => Flag::Overflow,
            "be" | "na" => Flag::BelowOrEqual,
            "l" | "nge" => Flag::Less,
            "le" | "ng" => Flag::LessOrEqual,
            "ae" => return Some(Condition { flag: Flag::Carry, set: false }),
            "a" => return Some(Condition { flag: Flag::BelowOrEqual, set: false }),
            "ge" => return Some(Condition { flag: Flag::Less, set: false }),
            "g" => return Some(Condition { flag: Flag::LessOrEqual, set: false }),
            _ => {
                let other = Condition::named(name.strip_prefix('n').filter(|rest| !rest.starts_with('n'))?)?;
                return Some(Condition { set: !other.set, ..other });
            }
        };
        Some(Condition { flag, set: true })
    }
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this register.
    Register(Register),
    /// In any register, or it is a number.
    Any,
    /// In the flags.
    Flags(Condition),
    /// Where an earlier operand is.
    Tied(usize),
    /// In memory that an argument points to.
    Memory,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub output: bool,
    pub place: Place,
}

impl Constraint {
    /// Whether an argument of the call belongs to it.
    pub fn takes_argument(self) -> bool {
        !self.output || self.place == Place::Memory
    }
}

/// The operands of a constraint string; nothing if one is in a place that is not known, such as a vector register.
pub fn parse(text: &str) -> Option<Vec<Constraint>> {
    let operands = text.split(',').filter(|part| !part.is_empty() && !part.starts_with('~'));
    operands.map(constraint).collect()
}

fn constraint(text: &str) -> Option<Constraint> {
    let (output, rest) = match text.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let rest = rest.trim_start_matches(['&', '%']);
    if rest.starts_with('*') {
        return Some(Constraint { output, place: Place::Memory });
    }
    let place = if let Some(name) = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        match name.strip_prefix("@cc") {
            Some(condition) => Place::Flags(Condition::named(condition)?),
            None => Place::Register(Register::named(name)?.0),
        }
    } else if let Ok(other) = rest.parse() {
        Place::Tied(other)
    } else {
        let known = |letter: char| "rRqQligneIJKLMNOZ^Yo|m".contains(letter) || letter.is_ascii_digit();
        let somewhere =
            rest.contains(['r', 'R', 'q', 'Q', 'g', 'i', 'n', 'e', 'I', 'J', 'K', 'L', 'M', 'N', 'l', 'm']);
        if !somewhere || !rest.chars().all(known) {
            return None;
        }
        Place::Any
    };
    Some(Constraint { output, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Option<Vec<Place>> {
        parse(text).map(|list| list.into_iter().map(|constraint| constraint.place).collect())
    }

    #[test]
    fn operands_have_places() {
        let zero = Condition { flag: Flag::Zero, set: true };
        assert_eq!(
            places("=*m,={ax},={@ccz},r,*m,1,~{memory},~{flags}"),
            Some(vec![
                Place::Memory,
                Place::Register(Register::A),
                Place::Flags(zero),
                Place::Any,
                Place::Memory,
                Place::Tied(1)
            ])
        );
        assert_eq!(places("=x,x"), None);
        assert_eq!(places("=&q,iq,rm"), Some(vec![Place::Any; 3]));
        assert_eq!(places("!i"), None);
        assert_eq!(places("~{memory}"), Some(Vec::new()));
    }

    #[test]
    fn conditions_have_opposites() {
        let of = |name| Condition::named(name).map(|condition| (condition.flag, condition.set));
        assert_eq!(of("nz"), Some((Flag::Zero, false)));
        assert_eq!(of("ae"), Some((Flag::Carry, false)));
        assert_eq!(of("nae"), Some((Flag::Carry, true)));
        assert_eq!(of("nle"), Some((Flag::LessOrEqual, false)));
        assert_eq!(of("ng"), Some((Flag::LessOrEqual, true)));
        assert_eq!(of("nn"), None);
        assert_eq!(of("p"), None);
    }
}
