//! What a module holds, by the names that program points have: how a point is found in the bitcode itself.

use crate::link::{is_local, parse};
use crate::llvm::{Context, Value};
use crate::{LoadError, ModuleBytes};

/// A function that a module defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOutline {
    /// Its name in program points, but for the number behind it where modules of one source file have it in common.
    pub function: String,
    /// The instructions of each block, as LLVM's language calls their operations.
    pub blocks: Vec<Vec<String>>,
}

/// The functions that a module defines, in its order.
pub fn outline(module: &ModuleBytes) -> Result<Vec<FunctionOutline>, LoadError> {
    let mut context = Context::new();
    let loaded = parse(&mut context, module, false)?;
    let defined = loaded.module.functions().filter(|function| !function.is_declaration());
    Ok(defined
        .map(|function| FunctionOutline { function: unique_name(function), blocks: blocks(function) })
        .collect())
}

fn blocks(function: Value) -> Vec<Vec<String>> {
    let opcode = |value: Value| format!("{:?}", value.opcode()).trim_start_matches("LLVM").to_lowercase();
    function.blocks().map(|block| block.instructions().map(opcode).collect()).collect()
}

/// The function's name among those of all modules, but for modules of the same source file.
pub fn unique_name(function: Value) -> String {
    match is_local(function) {
        true => format!("{}:{}", function.source_file(), function.name()),
        false => function.name().to_owned(),
    }
}
