//! The x86-64 System V calling convention, as far as a program can see it: what its variadic functions find in a
//! `va_list`, and what a function finds that is called through another type than its own.

use super::{ByVal, FloatFormat, Leaf};

/// Bytes of a register save area: the general registers, then the vector registers.
pub const SAVE_AREA: u32 = GENERAL_REGISTERS * 8 + VECTOR_REGISTERS * 16;
/// Registers that pass integers and pointers.
pub const GENERAL_REGISTERS: u32 = 6;
/// Registers that pass floats and vectors.
pub const VECTOR_REGISTERS: u32 = 8;

/// Which part of an argument a leaf is: compilers pass a vector as one value, which has a leaf for every element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// Bytes of the vector before this element; 0 for everything else.
    pub offset: u32,
    /// Bytes of the whole vector, or of the leaf itself.
    pub bytes: u32,
    /// Whether it is an element of a vector.
    pub vector: bool,
}

impl Part {
    /// That of a leaf that is no element of a vector.
    pub fn whole(leaf: Leaf) -> Part {
        Part { offset: 0, bytes: leaf.bytes(), vector: false }
    }
}

/// Where an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In general registers, from this one on.
    General(u32),
    /// In this vector register.
    Vector(u32),
    /// On the stack, so many bytes behind the start of the arguments there.
    Stack(u32),
}

impl Place {
    /// The byte of a register save area where the first register is kept; nothing for the stack.
    pub fn in_save_area(self) -> Option<u32> {
        match self {
            Place::General(register) => Some(8 * register),
            Place::Vector(register) => Some(8 * GENERAL_REGISTERS + 16 * register),
            Place::Stack(_) => None,
        }
    }
}

/// What arguments have taken of the registers and of the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taken {
    /// General registers.
    pub general: u32,
    /// Vector registers.
    pub vector: u32,
    /// Bytes of the stack.
    pub stack: u32,
    /// The largest alignment of what is on the stack.
    pub align: u32,
}

impl Taken {
    /// Passes a further argument. Of a vector this is to be asked once, with its first element.
    pub fn pass(&mut self, leaf: Leaf, part: Part, byval: Option<ByVal>) -> Place {
        if let Some(byval) = byval {
            return self.on_stack(byval.size, byval.align);
        }
        if part.vector {
            return self.in_vector(part.bytes);
        }
        match leaf {
            Leaf::Int(0..=64) | Leaf::Ptr => self.in_general(1, 8),
            Leaf::Int(bits) => self.in_general(bits.div_ceil(64), 16),
            Leaf::Float(FloatFormat::X87) => self.on_stack(16, 16),
            Leaf::Float(format) => self.in_vector(format.bytes()),
        }
    }

    /// Whether the fixed parameters that took this also took what is at a place.
    pub fn covers(&self, place: Place) -> bool {
        match place {
            Place::General(register) => register < self.general,
            Place::Vector(register) => register < self.vector,
            Place::Stack(offset) => offset < self.stack,
        }
    }

    /// An integer is in registers as a whole or not at all.
    fn in_general(&mut self, count: u32, align: u32) -> Place {
        if self.general + count > GENERAL_REGISTERS {
            return self.on_stack(8 * count, align);
        }
        let place = Place::General(self.general);
        self.general += count;
        place
    }

    fn in_vector(&mut self, bytes: u32) -> Place {
        if self.vector == VECTOR_REGISTERS || bytes > 16 {
            return self.on_stack(bytes, bytes.next_power_of_two());
        }
        let place = Place::Vector(self.vector);
        self.vector += 1;
        place
    }

    fn on_stack(&mut self, bytes: u32, align: u32) -> Place {
        let align = align.max(8);
        let offset = self.stack.next_multiple_of(align);
        self.stack = offset + bytes.next_multiple_of(8);
        self.align = self.align.max(align);
        Place::Stack(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(arguments: &[(Leaf, Option<ByVal>)]) -> Vec<Place> {
        let mut taken = Taken::default();
        arguments.iter().map(|&(leaf, byval)| taken.pass(leaf, Part::whole(leaf), byval)).collect()
    }

    #[test]
    fn integers_and_floats_count_on_their_own() {
        let double = Leaf::Float(FloatFormat::Double);
        let arguments = [Leaf::Ptr, double, Leaf::Int(32), double].map(|leaf| (leaf, None));
        let expected = [Place::General(0), Place::Vector(0), Place::General(1), Place::Vector(1)];
        assert_eq!(places(&arguments), expected);
    }

    #[test]
    fn a_wide_integer_is_not_split_and_leaves_the_last_register_to_others() {
        let arguments: Vec<_> = [64, 64, 64, 64, 64, 128, 64, 64].map(|bits| (Leaf::Int(bits), None)).into();
        let last = &places(&arguments)[5..];
        assert_eq!(last, [Place::Stack(0), Place::General(5), Place::Stack(16)]);
    }

    #[test]
    fn long_doubles_and_copies_are_on_the_stack() {
        let byval = Some(ByVal { size: 20, align: 8 });
        let aligned = Some(ByVal { size: 32, align: 32 });
        let arguments = [
            (Leaf::Ptr, byval),
            (Leaf::Float(FloatFormat::X87), None),
            (Leaf::Ptr, aligned),
            (Leaf::Ptr, None),
        ];
        let expected = [Place::Stack(0), Place::Stack(32), Place::Stack(64), Place::General(0)];
        assert_eq!(places(&arguments), expected);
    }

    #[test]
    fn a_vector_takes_one_register() {
        let mut taken = Taken::default();
        let part = Part { offset: 0, bytes: 8, vector: true };
        assert_eq!(taken.pass(Leaf::Float(FloatFormat::Single), part, None), Place::Vector(0));
        assert_eq!(Place::Vector(1).in_save_area(), Some(64));
    }
}
