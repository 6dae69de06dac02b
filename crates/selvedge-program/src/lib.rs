//! Loads LLVM bitcode and lowers it to a [`Program`]: compact register code with source positions.
//!
//! This is the only crate that links LLVM. Nothing of LLVM shows in its interface: modules come in as bytes,
//! a plain data structure comes out, and the LLVM objects are gone by then.

pub mod code;
mod disassemble;
mod liveness;
mod operands;
mod program;
mod validate;

pub use disassemble::disassemble;
pub use liveness::{Liveness, SlotSet};
pub use operands::{OperandClass, Signature, Use};
pub use program::*;
pub use validate::validate;
