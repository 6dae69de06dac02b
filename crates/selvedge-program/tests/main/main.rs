//! Tests of loading and lowering, on small modules written as textual IR.

mod errors;
mod linking;
mod lowering;

use selvedge_program::code::{Function, Op};
use selvedge_program::{LoadError, LoadRequest, ModuleBytes, Program, load};

const HEADER: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
     target triple = \"x86_64-pc-linux-gnu\"\n";

/// Loads modules given as text; the header is added.
fn try_load(texts: &[&str]) -> Result<Program, LoadError> {
    let texts: Vec<String> = texts.iter().map(|text| format!("{HEADER}{text}")).collect();
    let names: Vec<String> = (0..texts.len()).map(|index| format!("module{index}.ll")).collect();
    let modules =
        texts.iter().zip(&names).map(|(text, name)| ModuleBytes { name, bytes: text.as_bytes() }).collect();
    load(&LoadRequest {
        modules,
        archives: Vec::new(),
        modelled: &|_| false,
        roots: &[],
        user_root: None,
        volatile: None,
        keep_variables: false,
    })
}

fn load_text(text: &str) -> Program {
    try_load(&[text]).unwrap_or_else(|error| panic!("{error}"))
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.functions.iter().find(|function| &*function.name == name).expect("the function is in the program")
}

/// Code of the function `main` of a module.
fn main_code(text: &str) -> Vec<Op> {
    function(&load_text(text), "main").code.to_vec()
}
