//! The register code that a function is lowered to.
//!
//! A frame is an array of 64-bit slots. Every scalar of up to 64 bits occupies one slot and is kept
//! zero-extended; floats are kept as their bits; a pointer occupies two slots (address, provenance); integers
//! wider than 64 bits occupy as many slots as they need, least significant first; `x86_fp80` and `fp128`
//! occupy two. Vectors and aggregates are the concatenation of their scalar leaves, so that extracting a
//! member costs nothing. Code is not in SSA form: a slot may be written many times (promoted locals, phis).
//!
//! Hot operations are variants of [`Op`] with their operands inline (16 bytes each); rare ones keep their
//! operands in a side table of the function and carry an index. Nothing here knows LLVM.

mod registers;
mod tables;

pub use registers::*;
pub use tables::*;

/// Index of a 64-bit register slot in a frame.
pub type Slot = u32;
/// Index of an operation in its function's code.
pub type Target = u32;
/// Index of a function in [`crate::Program::functions`].
pub type FunctionId = u32;
/// Index of a global in [`crate::Program::globals`].
pub type GlobalId = u32;
/// Index of an external function in [`crate::Program::externals`].
pub type ExternalId = u32;

/// Integer operations that are not common enough for a variant of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Wrapping multiplication.
    Mul,
    /// Unsigned division; a zero divisor is an error.
    UDiv,
    /// Signed division; a zero divisor and the overflowing quotient are errors.
    SDiv,
    /// Unsigned remainder; a zero divisor is an error.
    URem,
    /// Signed remainder; a zero divisor and the overflowing quotient are errors.
    SRem,
    /// Shift left; a shift of at least the width gives an undefined value.
    Shl,
    /// Logical shift right; a shift of at least the width gives an undefined value.
    LShr,
    /// Arithmetic shift right; a shift of at least the width gives an undefined value.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Integer comparisons. Those that do not look at a sign work for every width, since slots are zero-extended;
/// operands of another width than 32 or 64 are sign-extended to 64 bits before a signed comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt32,
    Sle32,
    Sgt32,
    Sge32,
    Slt64,
    Sle64,
    Sgt64,
    Sge64,
}

/// Floating-point comparisons, as LLVM names them (o: false on NaN, u: true on NaN).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatComparison {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Arithmetic on `float` and `double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// The floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    Half,
    BFloat,
    Single,
    Double,
    X87,
    Quad,
}

/// Memory orders, as in the bitcode. `NotAtomic` is a plain access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    NotAtomic,
    Unordered,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// One operation: 16 bytes. `dst`, `a`, `b`, ... are slots unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
pub enum Op {
    // --- moving values ---
    /// dst = value.
    Const {
        dst: Slot,
        value: u64,
    },
    /// dst = src (one slot).
    Move {
        dst: Slot,
        src: Slot,
    },
    /// Copies `count` slots; the ranges may overlap (copied as if through a temporary).
    MoveMany {
        dst: Slot,
        src: Slot,
        count: u32,
    },
    /// If cond is not zero, copies `count` slots.
    MoveIf {
        count: u8,
        dst: Slot,
        cond: Slot,
        src: Slot,
    },
    /// The slots hold no defined value from here on (`undef`, `poison`, a local that was never assigned).
    Undefined {
        dst: Slot,
        count: u32,
    },
    /// LLVM's `freeze`: undefined slots become zero, defined ones stay.
    Freeze {
        dst: Slot,
        src: Slot,
        count: u32,
    },

    // --- integers: 32 and 64 bits inline, everything else through Binary; the result is zero-extended ---
    Add32 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Add64 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Sub32 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Sub64 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Mul32 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Mul64 {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    And {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Or {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Xor {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// The immediate is sign-extended to 64 bits, then cut to the width of the operation.
    AddImm32 {
        dst: Slot,
        a: Slot,
        imm: i32,
    },
    AddImm64 {
        dst: Slot,
        a: Slot,
        imm: i32,
    },
    MulImm32 {
        dst: Slot,
        a: Slot,
        imm: i32,
    },
    MulImm64 {
        dst: Slot,
        a: Slot,
        imm: i32,
    },
    /// dst = a & imm, imm zero-extended (also used for truncation).
    AndImm {
        dst: Slot,
        a: Slot,
        imm: u32,
    },
    /// Shifts by a constant below the width.
    ShlImm32 {
        dst: Slot,
        a: Slot,
        amount: u8,
    },
    ShlImm64 {
        dst: Slot,
        a: Slot,
        amount: u8,
    },
    /// Works for every width (slots are zero-extended).
    LShrImm {
        dst: Slot,
        a: Slot,
        amount: u8,
    },
    AShrImm32 {
        dst: Slot,
        a: Slot,
        amount: u8,
    },
    AShrImm64 {
        dst: Slot,
        a: Slot,
        amount: u8,
    },
    /// Any operation of a width of 1..=64 bits.
    Binary {
        op: BinaryOp,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// dst = sign extension of the `from` low bits of a to `to` bits (to <= 64).
    SignExtend {
        from: u8,
        to: u8,
        dst: Slot,
        a: Slot,
    },
    /// `*.with.overflow` (Add, Sub, Mul only): dst = result, dst+1 = 1 on overflow.
    Overflowing {
        op: BinaryOp,
        signed: bool,
        width: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// dst = 1 if the comparison holds, else 0. Pointers compare by address.
    Compare {
        kind: Comparison,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Compares with the immediate sign-extended to 64 bits and cut to `width` bits.
    CompareImm {
        kind: Comparison,
        width: u8,
        dst: Slot,
        a: Slot,
        imm: i32,
    },

    // --- float (single = true) and double ---
    Float {
        op: FloatOp,
        single: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FloatNegate {
        single: bool,
        dst: Slot,
        a: Slot,
    },
    FloatCompare {
        kind: FloatComparison,
        single: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Between integers of up to 64 bits and float/double; out-of-range gives an undefined value.
    FloatToInt {
        signed: bool,
        single: bool,
        width: u8,
        dst: Slot,
        a: Slot,
    },
    IntToFloat {
        signed: bool,
        single: bool,
        width: u8,
        dst: Slot,
        a: Slot,
    },
    /// double -> float and float -> double.
    FloatTruncate {
        dst: Slot,
        a: Slot,
    },
    FloatExtend {
        dst: Slot,
        a: Slot,
    },

    // --- pointers (two slots) ---
    /// dst = &global + offset. Never a thread-local one.
    GlobalAddress {
        dst: Slot,
        global: GlobalId,
        offset: i32,
    },
    /// dst = the running thread's copy of a thread-local global.
    ThreadLocalAddress {
        dst: Slot,
        global: GlobalId,
    },
    FunctionAddress {
        dst: Slot,
        function: FunctionId,
    },
    ExternalAddress {
        dst: Slot,
        external: ExternalId,
    },
    /// dst = base + a (64-bit integer slot).
    PtrAdd {
        dst: Slot,
        base: Slot,
        a: Slot,
    },
    PtrAddImm {
        dst: Slot,
        base: Slot,
        imm: i32,
    },
    /// dst = base + a * scale (a: 64-bit signed).
    PtrIndex {
        scale: u16,
        dst: Slot,
        base: Slot,
        a: Slot,
    },
    /// dst (one slot) = address. `expose`: the integer may travel, so the object counts as escaped.
    PtrToInt {
        expose: bool,
        dst: Slot,
        src: Slot,
    },
    /// dst (two slots) = pointer with no known provenance.
    IntToPtr {
        dst: Slot,
        src: Slot,
    },

    // --- memory; `ptr` is the first slot of a pointer; all of these are plain accesses ---
    /// Loads 1, 2, 4 or 8 bytes (or an odd number below 8), zero-extended.
    Load {
        bytes: u8,
        dst: Slot,
        ptr: Slot,
        offset: i32,
    },
    /// Loads a pointer (or an i64 that may carry one) with its provenance: two slots.
    LoadPtr {
        dst: Slot,
        ptr: Slot,
        offset: i32,
    },
    Store {
        bytes: u8,
        src: Slot,
        ptr: Slot,
        offset: i32,
    },
    StorePtr {
        src: Slot,
        ptr: Slot,
        offset: i32,
    },
    /// An atomic access or a fence: [`Function::atomics`].
    Atomic {
        index: u32,
    },
    /// A plain access with several leaves (aggregate, vector, wide integer, x87): [`Function::accesses`].
    LoadMany {
        index: u32,
    },
    StoreMany {
        index: u32,
    },
    /// memcpy and memmove: the ranges may overlap.
    MemCopy {
        dst: Slot,
        src: Slot,
        len: Slot,
    },
    MemSet {
        dst: Slot,
        value: Slot,
        len: Slot,
    },
    /// dst = a new stack object: [`Function::allocas`].
    Alloca {
        dst: Slot,
        index: u32,
    },
    /// dst (two slots) = mark of the stack; `StackRestore` frees what was allocated in this frame after the mark.
    StackSave {
        dst: Slot,
    },
    StackRestore {
        src: Slot,
    },

    // --- rare operations with their operands in side tables ---
    Wide {
        index: u32,
    },
    ExtendedFloat {
        index: u32,
    },
    Repack {
        index: u32,
    },
    Intrinsic {
        index: u32,
    },

    // --- control ---
    Jump {
        target: Target,
    },
    /// Jumps if cond is not zero, else falls through.
    BranchIf {
        cond: Slot,
        target: Target,
    },
    /// Jumps if cond is zero, else falls through.
    BranchUnless {
        cond: Slot,
        target: Target,
    },
    /// Jumps if the comparison holds, else falls through.
    BranchCompare {
        kind: Comparison,
        a: Slot,
        b: Slot,
        target: Target,
    },
    /// As `CompareImm`, for immediates of 32 bits.
    BranchCompareImm {
        kind: Comparison,
        width: u8,
        a: Slot,
        imm: i32,
        target: Target,
    },
    /// [`Function::switches`]; values of up to 64 bits.
    Switch {
        index: u32,
    },
    /// Computed goto; the pointer holds the address of a block ([`Function::blocks_taken`]).
    IndirectBranch {
        ptr: Slot,
    },
    /// dst (two slots) = address of a block of this function, an index into `blocks_taken`.
    BlockAddress {
        dst: Slot,
        index: u32,
    },
    /// [`Function::calls`]; falls through on return. Invokes too: they name a landing pad.
    Call {
        index: u32,
    },
    /// Returns `count` slots.
    Return {
        src: Slot,
        count: u32,
    },
    /// [`Function::landing_pads`]: receives an exception.
    LandingPad {
        index: u32,
    },
    /// Goes on with unwinding; `src` is the exception pointer (two slots) followed by the selector.
    Resume {
        src: Slot,
    },
    Unreachable,
    /// Something that the lowering could not translate: [`Function::unsupported`] says what. Executing it ends
    /// the run with `unknown`.
    Unsupported {
        index: u32,
    },
}
