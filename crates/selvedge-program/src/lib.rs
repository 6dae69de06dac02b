//! Loads LLVM bitcode and lowers it to a [`Program`]: compact register code with source positions.
//!
//! This is the only crate that links LLVM. Nothing of LLVM shows in its interface: modules come in as bytes,
//! a plain data structure comes out, and the LLVM objects are gone by then.

mod archive;
pub mod code;
mod constants;
pub mod dependence;
mod described;
mod disassemble;
mod error;
mod fingerprint;
mod link;
mod liveness;
mod llvm;
mod load;
mod lower;
mod operands;
mod orders;
mod outline;
mod points;
mod positions;
mod program;
mod promote;
pub mod shapes;
mod spinning;
mod symbols;
mod types;
mod validate;
pub mod variables;
mod volatile;

pub use disassemble::disassemble;
pub use error::LoadError;
pub use link::without_crate_number;
pub use liveness::{Liveness, SlotSet};
pub use load::{LoadRequest, ModuleBytes, llvm_version, load, rewrite};
pub use lower::PARK;
pub use operands::{OperandClass, Signature, Use};
pub use orders::SourceOrder;
pub use outline::{FunctionOutline, outline};
pub use points::{NoPoint, ProgramPoint, Site};
pub use program::*;
pub use spinning::spin_counters;
pub use validate::validate;
pub use volatile::VolatileOrder;
