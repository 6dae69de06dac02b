//! Evaluates constants: all addresses are fixed when a program is loaded, so that every constant is a number, an
//! address with the object that it belongs to, or undefined.

use crate::BLOCK_BASE;
use crate::code::{FloatFormat, Leaf};
use crate::link::Linker;
use crate::llvm::{Opcode, Type, TypeKind, Value, ValueKind};
use crate::{CODE_BASE, PointerTarget};

/// A constant scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// An integer or a float of up to 64 bits, zero-extended; also a pointer without an object.
    Int(u64),
    /// Something wider, least significant word first.
    Wide(Box<[u64]>),
    /// An address and the object it is derived from (a pointer, or an integer made from one).
    Pointer { target: Option<PointerTarget>, address: u64 },
    /// `undef` and `poison`.
    Undefined,
}

impl Scalar {
    /// The address of an object.
    pub fn pointer(target: PointerTarget, address: u64) -> Self {
        Scalar::Pointer { target: Some(target), address }
    }

    /// The number, if it has up to 64 bits; undefined counts as zero.
    pub fn number(&self) -> u64 {
        match self {
            Scalar::Int(value) => *value,
            Scalar::Wide(words) => words[0],
            Scalar::Pointer { address, .. } => *address,
            Scalar::Undefined => 0,
        }
    }

    /// All words of a value of so many slots.
    pub fn words(&self, count: u32) -> Vec<u64> {
        let mut words = match self {
            Scalar::Wide(words) => words.to_vec(),
            other => vec![other.number()],
        };
        words.resize(count as usize, 0);
        words
    }
}

/// The initial value of a global.
#[derive(Default)]
pub struct Image {
    pub bytes: Vec<u8>,
    pub pointers: Vec<(u64, PointerTarget)>,
    pub undefined: Vec<(u64, u64)>,
}

/// Zeroes the bits above a width.
pub fn truncate(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// Sign-extends the low bits.
pub fn sign_extend(value: u64, bits: u32) -> i64 {
    if bits >= 64 { value as i64 } else { ((value << (64 - bits)) as i64) >> (64 - bits) }
}

/// Is the value a constant (and not an instruction or an argument)?
pub fn is_constant(value: Value) -> bool {
    !matches!(value.kind(), ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind)
}

impl Linker<'_> {
    /// Evaluates a constant of a scalar type. On failure says what it is.
    pub fn evaluate(&mut self, value: Value) -> Result<Scalar, String> {
        Ok(match value.kind() {
            ValueKind::LLVMConstantIntValueKind => int_constant(value),
            ValueKind::LLVMConstantFPValueKind => float_constant(value)?,
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantTokenNoneValueKind
            | ValueKind::LLVMConstantTargetNoneValueKind => Scalar::Int(0),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Scalar::Undefined,
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind => self.resolve(value),
            ValueKind::LLVMBlockAddressValueKind => self.block_address(value),
            ValueKind::LLVMConstantExprValueKind => self.expression(value)?,
            _ => return Err(format!("constant {}", value.print())),
        })
    }

    /// The address of a block: see [`BLOCK_BASE`].
    fn block_address(&mut self, value: Value) -> Scalar {
        let (function, block) = value.block_address();
        let address = self.resolve(function).number();
        let taken = function.blocks().filter(|block| block.address_taken());
        let index = taken.take_while(|&other| other != block).count() as u64;
        let id = (address - CODE_BASE) / 16;
        Scalar::Int(BLOCK_BASE + ((id << 16) | index) * 16)
    }

    fn expression(&mut self, value: Value) -> Result<Scalar, String> {
        let unsupported = || Err(format!("constant expression {}", value.print()));
        let opcode = value.constant_opcode();
        if value.ty().is_vector() {
            return unsupported();
        }
        let bits = match self.types.scalar(value.ty()) {
            Some(Leaf::Ptr) => 64,
            Some(Leaf::Int(bits)) => bits,
            _ => 64,
        };
        let first = match opcode {
            Opcode::LLVMGetElementPtr => return self.constant_gep(value),
            Opcode::LLVMBitCast if value.operand(0).ty().is_vector() => {
                let words = self.packed(value.operand(0))?;
                return Ok(if words.len() == 1 { Scalar::Int(words[0]) } else { Scalar::Wide(words.into()) });
            }
            _ => self.evaluate(value.operand(0))?,
        };
        Ok(match opcode {
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => first,
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMIntToPtr if bits == 64 => first,
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMTrunc if bits <= 64 => {
                Scalar::Int(truncate(first.number(), bits))
            }
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMXor | Opcode::LLVMMul if bits <= 64 => {
                let second = self.evaluate(value.operand(1))?;
                if first == Scalar::Undefined || second == Scalar::Undefined {
                    return Ok(Scalar::Undefined);
                }
                let (a, b) = (first.number(), second.number());
                let result = match opcode {
                    Opcode::LLVMAdd => a.wrapping_add(b),
                    Opcode::LLVMSub => a.wrapping_sub(b),
                    Opcode::LLVMMul => a.wrapping_mul(b),
                    _ => a ^ b,
                };
                match (first, second) {
                    // An integer stays tied to the object while only a number is added to it.
                    (Scalar::Pointer { target, .. }, Scalar::Int(_)) if bits == 64 => {
                        Scalar::Pointer { target, address: result }
                    }
                    _ => Scalar::Int(truncate(result, bits)),
                }
            }
            _ => return unsupported(),
        })
    }

    fn constant_gep(&mut self, value: Value) -> Result<Scalar, String> {
        let base = self.evaluate(value.operand(0))?;
        let mut offset = 0_i64;
        let mut ty = value.gep_source_type();
        for position in 1..value.operand_count() {
            let index = value.operand(position);
            let bits = self.data_bits(index.ty());
            let number = sign_extend(self.evaluate(index)?.number(), bits);
            offset = offset.wrapping_add(self.step(&mut ty, position == 1, number));
        }
        Ok(match base {
            Scalar::Pointer { target, address } => {
                Scalar::Pointer { target, address: address.wrapping_add_signed(offset) }
            }
            Scalar::Undefined => Scalar::Undefined,
            other => Scalar::Int(other.number().wrapping_add_signed(offset)),
        })
    }

    fn data_bits(&self, ty: Type) -> u32 {
        self.types.data().bits(ty) as u32
    }

    /// Bytes that one constant index of a GEP adds; descends into the type (except for the first index).
    pub fn step(&self, ty: &mut Type, first: bool, index: i64) -> i64 {
        let data = self.types.data();
        if first {
            return index.wrapping_mul(data.size(*ty) as i64);
        }
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let offset = data.offset(*ty, index as u32) as i64;
                *ty = ty.member(index as u32);
                offset
            }
            _ => {
                *ty = ty.element();
                index.wrapping_mul(data.size(*ty) as i64)
            }
        }
    }

    /// The scalars of a constant of any type, in the order of the type's leaves.
    pub fn flatten(&mut self, value: Value, into: &mut Vec<Scalar>) -> Result<(), String> {
        let ty = value.ty();
        let count = match ty.kind() {
            TypeKind::LLVMStructTypeKind => ty.member_count(),
            TypeKind::LLVMArrayTypeKind => ty.array_length() as u32,
            TypeKind::LLVMVectorTypeKind => ty.vector_length(),
            _ => {
                into.push(self.evaluate(value)?);
                return Ok(());
            }
        };
        if value.kind() == ValueKind::LLVMConstantExprValueKind
            && value.constant_opcode() == Opcode::LLVMBitCast
            && ty.is_vector()
        {
            return self.flatten_bitcast(value, into);
        }
        for index in 0..count {
            match value.aggregate_element(index) {
                Some(element) => self.flatten(element, into)?,
                None => return Err(format!("constant {}", value.print())),
            }
        }
        Ok(())
    }

    /// All bits of a constant without pointers, lowest first. Undefined ones may be anything: zero.
    fn packed(&mut self, value: Value) -> Result<Vec<u64>, String> {
        let mut scalars = Vec::new();
        self.flatten(value, &mut scalars)?;
        let layout = self.types.layout(value.ty());
        let mut words = vec![0_u64; self.types.data().bits(value.ty()).div_ceil(64) as usize];
        let mut at = 0;
        for (leaf, scalar) in layout.leaves.iter().zip(&scalars) {
            let bits = match leaf.leaf {
                Leaf::Int(bits) => bits,
                other => other.bytes() * 8,
            } as usize;
            let source = scalar.words(leaf.leaf.slots());
            for bit in (0..bits).filter(|bit| source[bit / 64] >> (bit % 64) & 1 == 1) {
                words[(at + bit) / 64] |= 1 << ((at + bit) % 64);
            }
            at += bits;
        }
        Ok(words)
    }

    /// The elements of a vector that is other bits, reinterpreted.
    fn flatten_bitcast(&mut self, value: Value, into: &mut Vec<Scalar>) -> Result<(), String> {
        let words = self.packed(value.operand(0))?;
        let bits = self.data_bits(value.ty().element()) as usize;
        if bits > 64 {
            return Err(format!("constant {}", value.print()));
        }
        for index in 0..value.ty().vector_length() as usize {
            let set = (0..bits)
                .filter(|bit| words[(index * bits + bit) / 64] >> ((index * bits + bit) % 64) & 1 == 1);
            into.push(Scalar::Int(set.fold(0, |number, bit| number | 1 << bit)));
        }
        Ok(())
    }

    /// Writes a constant at an offset of a global's initial bytes.
    pub fn write(&mut self, value: Value, offset: u64, image: &mut Image) {
        let data = self.types.data();
        let ty = value.ty();
        match value.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind | ValueKind::LLVMConstantPointerNullValueKind => {}
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                image.undefined.push((offset, data.store_size(ty)));
            }
            ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
                let raw = value.raw_data();
                image.bytes[offset as usize..offset as usize + raw.len()].copy_from_slice(raw);
            }
            ValueKind::LLVMConstantStructValueKind => {
                for (index, member) in value.operands().enumerate() {
                    let place = offset + data.offset(ty, index as u32);
                    self.write(member, place, image);
                }
            }
            ValueKind::LLVMConstantArrayValueKind => {
                let size = data.size(ty.element());
                for (index, element) in value.operands().enumerate() {
                    self.write(element, offset + index as u64 * size, image);
                }
            }
            ValueKind::LLVMConstantVectorValueKind => self.write_vector(value, offset, image),
            _ => self.write_scalar(value, offset, image),
        }
    }

    fn write_scalar(&mut self, value: Value, offset: u64, image: &mut Image) {
        let bytes = self.types.data().store_size(value.ty());
        let scalar = self.evaluate(value).unwrap_or(Scalar::Undefined);
        match scalar {
            Scalar::Undefined => image.undefined.push((offset, bytes)),
            Scalar::Pointer { target: Some(target), .. } if bytes == 8 => {
                image.pointers.push((offset, target))
            }
            _ => {}
        }
        let words = scalar.words(bytes.div_ceil(8) as u32);
        let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let place = offset as usize;
        image.bytes[place..place + bytes as usize].copy_from_slice(&all[..bytes as usize]);
    }

    fn write_vector(&mut self, value: Value, offset: u64, image: &mut Image) {
        let bits = u64::from(self.data_bits(value.ty().element()));
        for (index, element) in value.operands().enumerate() {
            let bit = index as u64 * bits;
            if bits.is_multiple_of(8) {
                self.write(element, offset + bit / 8, image);
                continue;
            }
            // Elements that are not whole bytes are packed from the lowest bit on.
            let number = self.evaluate(element).unwrap_or(Scalar::Undefined).number();
            for low in (0..bits).filter(|low| number >> low & 1 == 1) {
                let at = bit + low;
                image.bytes[(offset + at / 8) as usize] |= 1 << (at % 8);
            }
        }
    }
}

fn int_constant(value: Value) -> Scalar {
    let bits = value.ty().int_bits();
    if bits <= 64 {
        return Scalar::Int(value.int());
    }
    // The C interface hands out the low word only: read the digits that LLVM prints.
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or("0");
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    let mut words = vec![0_u64; bits.div_ceil(64) as usize];
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            let sum = u128::from(*word) * 10 + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            let (sum, over) = (!*word).overflowing_add(u64::from(carry));
            *word = sum;
            carry = over;
        }
    }
    let last = words.len() - 1;
    words[last] = truncate(words[last], bits - last as u32 * 64);
    Scalar::Wide(words.into())
}

fn float_constant(value: Value) -> Result<Scalar, String> {
    let number = value.double();
    match value.ty().kind() {
        TypeKind::LLVMDoubleTypeKind if !number.is_nan() => return Ok(Scalar::Int(number.to_bits())),
        TypeKind::LLVMFloatTypeKind if !number.is_nan() => {
            return Ok(Scalar::Int(u64::from((number as f32).to_bits())));
        }
        _ => {}
    }
    parse_float(value).ok_or_else(|| format!("constant {}", value.print()))
}

/// Reads the hexadecimal form in which LLVM prints the formats that no host type holds, and NaNs.
fn parse_float(value: Value) -> Option<Scalar> {
    let text = value.print();
    let digits = text.rsplit(' ').next()?.strip_prefix("0x");
    let kind = value.ty().kind();
    let Some(digits) = digits else {
        // Small numbers print as decimals in every format.
        let number = value.double();
        return match kind {
            TypeKind::LLVMDoubleTypeKind => Some(Scalar::Int(number.to_bits())),
            TypeKind::LLVMFloatTypeKind => Some(Scalar::Int(u64::from((number as f32).to_bits()))),
            _ => None,
        };
    };
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(match kind {
        TypeKind::LLVMHalfTypeKind => Scalar::Int(hex(digits.strip_prefix('H')?)?),
        TypeKind::LLVMBFloatTypeKind => Scalar::Int(hex(digits.strip_prefix('R')?)?),
        TypeKind::LLVMX86_FP80TypeKind => {
            let digits = digits.strip_prefix('K')?;
            Scalar::Wide([hex(digits.get(4..)?)?, hex(digits.get(..4)?)?].into())
        }
        TypeKind::LLVMFP128TypeKind => {
            let digits = digits.strip_prefix('L')?;
            Scalar::Wide([hex(digits.get(..16)?)?, hex(digits.get(16..)?)?].into())
        }
        TypeKind::LLVMDoubleTypeKind => Scalar::Int(hex(digits)?),
        TypeKind::LLVMFloatTypeKind => {
            // A single NaN is printed as the double that it widens to.
            let wide = hex(digits)?;
            let sign = (wide >> 63) << 31;
            let payload = (wide >> 29) & 0x7f_ffff;
            Scalar::Int(sign | 0x7f80_0000 | payload)
        }
        _ => return None,
    })
}

/// The format of a float type.
pub fn float_format(leaf: Leaf) -> Option<FloatFormat> {
    match leaf {
        Leaf::Float(format) => Some(format),
        _ => None,
    }
}
