//! Operands of rare operations, in side tables of their function; and the function that has them.

use super::*;

/// What an atomic operation does.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum AtomicKind {
    /// dst = *ptr.
    Load { dst: Slot },
    /// *ptr = src.
    Store { src: Slot },
    /// dst = old value; *ptr = new value.
    ReadModifyWrite { op: RmwOp, dst: Slot, src: Slot },
    /// dst = old value, dst + slots = 1 on success.
    CompareExchange { dst: Slot, expected: Slot, desired: Slot, weak: bool, failure: Order },
    /// A fence; has no pointer and no size.
    Fence,
}

/// The read-modify-write operations of `atomicrmw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
}

/// Operands of [`Op::Atomic`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Atomic {
    /// What it does.
    pub kind: AtomicKind,
    /// First slot of the pointer; unused for a fence.
    pub ptr: Slot,
    /// Size of the access in bytes: 1, 2, 4, 8 or 16; 0 for a fence.
    pub bytes: u8,
    /// Width of the value in bits (an i1 is stored in a byte).
    pub width: u32,
    /// The value is a pointer, or an i64 that may carry one: its slots are (address, provenance).
    pub pointer: bool,
    /// The format, if the value is a float (for FAdd and its like).
    pub float: Option<FloatFormat>,
    /// The order (success order of a compare-exchange).
    pub order: Order,
    /// `syncscope("singlethread")`: a compiler fence only.
    pub single_thread: bool,
}

/// The class of a scalar leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// An integer of so many bits in ceil(bits/64) slots.
    Int(u32),
    /// A pointer: two slots, 8 bytes.
    Ptr,
    /// A float; X87 and Quad take two slots.
    Float(FloatFormat),
}

impl Leaf {
    /// Number of slots that the leaf occupies.
    pub fn slots(self) -> u32 {
        match self {
            Leaf::Int(bits) => bits.div_ceil(64).max(1),
            Leaf::Ptr | Leaf::Float(FloatFormat::X87 | FloatFormat::Quad) => 2,
            Leaf::Float(_) => 1,
        }
    }

    /// Number of bytes that hold its value in memory (10 for x87).
    pub fn bytes(self) -> u32 {
        match self {
            Leaf::Int(bits) => bits.div_ceil(8).max(1),
            Leaf::Ptr => 8,
            Leaf::Float(format) => format.bytes(),
        }
    }
}

impl FloatFormat {
    /// Number of bytes of the value itself (10 for x87, which is padded to 16 in memory).
    pub fn bytes(self) -> u32 {
        match self {
            FloatFormat::Half | FloatFormat::BFloat => 2,
            FloatFormat::Single => 4,
            FloatFormat::Double => 8,
            FloatFormat::X87 => 10,
            FloatFormat::Quad => 16,
        }
    }
}

/// Operands of [`Op::LoadMany`] and [`Op::StoreMany`]: one access of `bytes` bytes at `ptr + offset`.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Access {
    /// First slot of the pointer.
    pub ptr: Slot,
    /// Constant offset added to it.
    pub offset: i32,
    /// Whole size in bytes.
    pub bytes: u32,
    /// (byte offset within the access, class, first slot) of every leaf. For vectors of integers that are not
    /// whole bytes (`<8 x i1>`) the lowering loads an integer and repacks it.
    pub leaves: Box<[(u32, Leaf, Slot)]>,
}

/// Operands of [`Op::Alloca`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Alloca {
    /// Bytes of one element.
    pub size: u64,
    /// Slot with the number of elements, for variable-length arrays.
    pub count: Option<Slot>,
    /// Alignment in bytes.
    pub align: u32,
    /// The source variable's name, or empty.
    pub name: Box<str>,
    /// What it is made of.
    pub shape: crate::shapes::ShapeId,
}

/// Integers wider than 64 bits.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum WideOp {
    Binary(BinaryOp),
    /// Compares; dst is one slot. The 32/64 in the comparison's name is ignored: the width is the operation's.
    Compare(Comparison),
    /// a has `from` bits, dst has `width` bits (either may be 64 or fewer).
    ZeroExtend {
        from: u32,
    },
    SignExtend {
        from: u32,
    },
    Truncate {
        from: u32,
    },
    /// As [`Op::Overflowing`]: the flag follows the value's slots.
    Overflowing {
        op: BinaryOp,
        signed: bool,
    },
    ToFloat {
        signed: bool,
        format: FloatFormat,
    },
    /// a is a float of the format, dst an integer of `width` bits.
    FromFloat {
        signed: bool,
        format: FloatFormat,
    },
}

/// Operands of [`Op::Wide`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Wide {
    pub op: WideOp,
    pub width: u32,
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
}

/// Floats other than float and double, and conversions between formats.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum ExtendedFloatOp {
    Arithmetic(FloatOp),
    Negate,
    Compare(FloatComparison),
    /// From another format to `format`.
    ConvertFrom(FloatFormat),
    /// Integer of so many bits (one or more slots) to `format`.
    FromInt {
        signed: bool,
        width: u32,
    },
    /// `format` to an integer of so many bits.
    ToInt {
        signed: bool,
        width: u32,
    },
}

/// Operands of [`Op::ExtendedFloat`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct ExtendedFloat {
    pub op: ExtendedFloatOp,
    pub format: FloatFormat,
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
}

/// Operands of [`Op::Repack`]: a bitcast between values with different leaves. The source leaves' bits are
/// concatenated (first leaf lowest, each leaf with its exact width in bits, a pointer 64) and cut into the
/// destination's leaves. A pointer made from bits has no known provenance.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Repack {
    pub src: Box<[(Leaf, Slot)]>,
    pub dst: Box<[(Leaf, Slot)]>,
}

/// Operations on scalars that LLVM has as intrinsics (vectors are lowered lane by lane).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntrinsicKind {
    // integers of any width (slots as Leaf::Int(width) says)
    CountLeadingZeros,
    CountTrailingZeros,
    PopulationCount,
    ByteSwap,
    BitReverse,
    FunnelShiftLeft,
    FunnelShiftRight,
    Abs,
    SMax,
    SMin,
    UMax,
    UMin,
    USubSat,
    UAddSat,
    SSubSat,
    SAddSat,
    UShlSat,
    SShlSat,
    /// Three-way comparisons: the result has `result_width` bits (2..=64).
    UCompare,
    SCompare,
    // floats (format in `format`)
    Sqrt,
    Fma,
    FAbs,
    CopySign,
    Floor,
    Ceil,
    Trunc,
    Rint,
    NearbyInt,
    Round,
    RoundEven,
    Sin,
    Cos,
    Tan,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Pow,
    /// pow with an i32 exponent.
    PowI,
    MinNum,
    MaxNum,
    Minimum,
    Maximum,
    /// ldexp with an i32 exponent.
    LdExp,
    /// Saturating conversions to an integer of `width` bits.
    FloatToIntSatSigned,
    FloatToIntSatUnsigned,
    /// args: the float, the class mask as an i32; dst: i1.
    IsFpClass,
    // the rest
    Trap,
    DebugTrap,
    /// args: condition.
    Assume,
    /// llvm.eh.typeid.for; args: pointer to the type information. dst: i32.
    TypeIdFor,
    VaStart,
    VaEnd,
    VaCopy,
    FrameAddress,
    ReturnAddress,
    /// The processor's pause: a hint that the thread spins.
    Pause,
    /// dst: i64, time stamp counter.
    ReadCycleCounter,
    ThreadPointer,
    /// args: pointer to the jump buffer; dst: i32 (0 first, later longjmp's value). Only for calls of `setjmp`
    /// and its like, which must be an operation because they return twice.
    SetJump,
    /// llvm.lifetime.start/end: args: pointer to the object. The object's bytes become undefined.
    LifetimeStart,
    LifetimeEnd,
}

/// Operands of [`Op::Intrinsic`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Intrinsic {
    pub kind: IntrinsicKind,
    /// Width of the integer operands.
    pub width: u32,
    /// Width of an integer result where it differs from `width`.
    pub result_width: u32,
    /// Format of the float operands.
    pub format: FloatFormat,
    /// First slot of the result.
    pub dst: Slot,
    /// First slots of the arguments.
    pub args: Box<[Slot]>,
}

/// Operands of [`Op::Switch`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Switch {
    pub value: Slot,
    /// (case, target), sorted by case.
    pub cases: Box<[(u64, Target)]>,
    /// Where to go otherwise.
    pub default: Target,
}

/// The function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function of the program.
    Function(FunctionId),
    /// A function that the machine must model.
    External(ExternalId),
    /// Through a pointer (two slots).
    Pointer(Slot),
}

/// One argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// First slot.
    pub slot: Slot,
    /// Its class. Aggregates and vectors passed as first-class values are several arguments, one per leaf.
    pub leaf: Leaf,
    /// Passed as `byval`: the slot holds a pointer to so many bytes which the callee gets a copy of.
    pub byval: Option<ByVal>,
    /// Which part of a vector it is.
    pub part: Part,
}

impl Argument {
    /// A scalar that is passed as it is.
    pub fn scalar(slot: Slot, leaf: Leaf) -> Argument {
        Argument { slot, leaf, byval: None, part: Part::whole(leaf) }
    }
}

/// Size and alignment of an argument that is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByVal {
    pub size: u32,
    pub align: u32,
}

/// Operands of [`Op::Call`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Call {
    /// The function that is called.
    pub callee: Callee,
    /// The arguments, fixed ones first. The callee's frame starts with its parameters' slots in order.
    pub args: Box<[Argument]>,
    /// The same, flat, slot by slot, for the fixed arguments: what the machine copies if the callee has just these
    /// parameters.
    pub slots: Box<[Slot]>,
    /// Number of fixed arguments in `args` (the rest are variadic).
    pub fixed: u32,
    /// First slot of the result.
    pub dst: Slot,
    /// The result's leaves (empty for void).
    pub result: Box<[Leaf]>,
    /// Landing pad of an invoke: index of its first operation (moves for phis, then `LandingPad`).
    pub unwind: Option<Target>,
    /// `musttail`: the caller's frame is gone when the callee runs; the result is the caller's result.
    pub tail: bool,
    /// The callee is a function of the program that is not variadic, takes the leaves of the arguments and returns
    /// those of the result.
    pub exact: bool,
}

/// One clause of a landing pad.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Clause {
    /// catch: type information (a global), or everything (None).
    Catch(Option<GlobalId>),
    /// filter: only these types may pass.
    Filter(Box<[Option<GlobalId>]>),
}

/// Operands of [`Op::LandingPad`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct LandingPad {
    /// Three slots: exception pointer (two) and selector.
    pub dst: Slot,
    /// The clauses in order.
    pub clauses: Box<[Clause]>,
    /// It must run in any case.
    pub cleanup: bool,
}

impl Function {
    /// Whether a call passes what the function takes.
    pub fn takes(&self, call: &Call) -> bool {
        let given = match self.variadic {
            Some(_) => call.args.get(..self.parameters.len()),
            None => Some(&*call.args),
        };
        given.is_some_and(|given| {
            given.iter().map(|argument| argument.leaf).eq(self.parameters.iter().copied())
        })
    }
}

/// A lowered function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Symbol name, as linked.
    pub name: Box<str>,
    /// Name among all functions of the program, as [`crate::ProgramPoint`]s have it.
    pub unique: Box<str>,
    /// Name for people (demangled, from debug info where there is some).
    pub display: Box<str>,
    /// Address, for pointers to it.
    pub address: u64,
    /// Slots that the parameters occupy: 0..parameter_slots, in order.
    pub parameter_slots: u32,
    /// The parameters' leaves.
    pub parameters: Box<[Leaf]>,
    /// Slots of the result.
    pub result_slots: u32,
    /// The result's leaves.
    pub results: Box<[Leaf]>,
    /// If it is variadic: what its fixed parameters take.
    pub variadic: Option<Taken>,
    /// Slots of a frame.
    pub frame_slots: u32,
    pub code: Box<[Op]>,
    /// For each operation its source position, an index into [`crate::Program::positions`].
    pub positions: Box<[u32]>,
    /// For each operation the instruction that it was made from.
    pub sites: Box<[crate::Site]>,
    /// Its variables, if they were asked for.
    pub variables: Option<Box<crate::variables::Variables>>,
    pub atomics: Box<[Atomic]>,
    pub accesses: Box<[Access]>,
    pub allocas: Box<[Alloca]>,
    pub wides: Box<[Wide]>,
    pub extended_floats: Box<[ExtendedFloat]>,
    pub repacks: Box<[Repack]>,
    pub intrinsics: Box<[Intrinsic]>,
    pub switches: Box<[Switch]>,
    pub calls: Box<[Call]>,
    pub landing_pads: Box<[LandingPad]>,
    /// Operations whose address is taken (computed goto), in the order of [`Op::BlockAddress`].
    pub blocks_taken: Box<[Target]>,
    /// What [`Op::Unsupported`] stands for.
    pub unsupported: Box<[Box<str>]>,
}
