//! Loads LLVM bitcode and lowers it to a [`Program`]: compact register code with source positions.
//!
//! This is the only crate that links LLVM. Nothing of LLVM shows in its interface: modules come in as bytes,
//! a plain data structure comes out, and the LLVM objects are gone by then.

pub mod code;
mod program;

pub use program::*;
