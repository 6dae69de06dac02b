//! What can be wrong with the modules of a program.

use thiserror::Error;

/// Why a program could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error(
        "{name} is neither LLVM bitcode nor textual LLVM IR ({detail}). Give a source file, or bitcode as \
         `clang -c -emit-llvm` and `rustc --emit=llvm-bc,link` write it."
    )]
    NotBitcode { name: String, detail: String },
    #[error("{name} is truncated or damaged bitcode ({detail}). Compile it again.")]
    Damaged { name: String, detail: String },
    #[error(
        "{name} was written by {producer}, which is newer than the LLVM {reader} that Selvedge is built with and \
         cannot be read. Compile it with a clang or rustc that uses LLVM {reader} or older, for instance \
         clang-22 from the package of that name."
    )]
    NewerLlvm { name: String, producer: String, reader: String },
    #[error(
        "{name} is compiled for {target}, but Selvedge executes 64-bit little-endian x86 code only. Compile it \
         with `--target=x86_64-linux-gnu`."
    )]
    WrongTarget { name: String, target: String },
    #[error(
        "`{symbol}` is defined twice, in {first} and in {second}. Remove one of the definitions, or make it \
         static."
    )]
    DuplicateSymbol { symbol: String, first: String, second: String },
    #[error("the program has no `main` function. Add the file that defines it.")]
    NoMain,
    #[error("{name} cannot be used as an archive of bitcode ({detail}). Make it with `llvm-ar rcs`.")]
    BadArchive { name: String, detail: String },
}
