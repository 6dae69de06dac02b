//! From modules to a program: links, lowers what is reachable, lays out globals.

use crate::archive::Archives;
use crate::code::{Call, Callee, Function, FunctionId};
use crate::constants::{Image, Scalar};
use crate::fingerprint::fingerprint;
use crate::link::{Linker, is_local};
use crate::llvm::{Value, ValueKind};
use crate::lower::lower;
use crate::{Global, LoadError, PointerTarget, Program, VolatileOrder};
use std::path::Path;

/// A module or an archive in memory.
#[derive(Clone, Copy, Debug)]
pub struct ModuleBytes<'a> {
    /// How to call it in messages.
    pub name: &'a str,
    /// Bitcode, textual IR, or an archive.
    pub bytes: &'a [u8],
}

/// What to load.
pub struct LoadRequest<'a> {
    /// Modules that are always part of the program.
    pub modules: Vec<ModuleBytes<'a>>,
    /// `ar` archives of bitcode: a member becomes part of the program when something reachable refers to one of
    /// its symbols that is not defined otherwise.
    pub archives: Vec<ModuleBytes<'a>>,
    /// Functions that the machine models: never taken from archives. A module's own definition wins.
    pub modelled: &'a dyn Fn(&str) -> bool,
    /// Further functions that the machine finds by name, where they exist.
    pub roots: &'a [&'a str],
    /// The folder of the user's files.
    pub user_root: Option<&'a Path>,
    /// What volatile accesses are taken for, if they count as atomic.
    pub volatile: Option<VolatileOrder>,
    /// Keep where the variables of functions are, and their values as long as the functions run. What the program does is
    /// the same, but frames are larger.
    pub keep_variables: bool,
}

/// Version of the LLVM library in use, such as `22.1.8`.
pub fn llvm_version() -> String {
    crate::llvm::version()
}

/// Reads a module as [`load`] would, and writes it anew as bitcode.
///
/// LLVM's reader is not made for damaged files: some of them crash it, and with it the process, or only the next time.
/// A caller that does not know where a module comes from calls this in a process of its own first, and loads what it
/// writes.
pub fn rewrite(module: &ModuleBytes) -> Result<Vec<u8>, LoadError> {
    crate::link::rewrite(module)
}

/// Loads and lowers a program.
pub fn load(request: &LoadRequest) -> Result<Program, LoadError> {
    let archives = Archives::new(&request.archives)?;
    let mut linker = Linker::new(request, &archives)?;
    build(request, &mut linker)
}

fn build(request: &LoadRequest, linker: &mut Linker) -> Result<Program, LoadError> {
    let entry = linker.function_named("main").ok_or(LoadError::NoMain)?;
    let mut program = Program { entry, ..Program::default() };
    for root in request.roots {
        linker.function_named(root);
    }
    let mut constructors = Vec::new();
    let mut destructors = Vec::new();
    let mut modules = 0;
    loop {
        // Members that were pulled in have constructors, which are reachable then.
        while modules < linker.module_count() {
            collect_startup(linker, modules, &mut constructors, &mut destructors);
            modules += 1;
        }
        if program.functions.len() < linker.functions.len() {
            let id = program.functions.len();
            let function = linker.functions[id];
            program.functions.push(lower(linker, function, id as FunctionId));
        } else if program.globals.len() < linker.globals.len() {
            let global = lay_out(linker, program.globals.len());
            program.globals.push(global);
        } else {
            break;
        }
        if let Some(error) = linker.failure.take() {
            return Err(error);
        }
    }
    constructors.sort_by_key(|&(priority, _)| priority);
    destructors.sort_by_key(|&(priority, _)| priority);
    program.constructors = constructors.into_iter().map(|(_, function)| function).collect();
    program.destructors = destructors.into_iter().rev().map(|(_, function)| function).collect();
    program.externals = std::mem::take(&mut linker.externals);
    for (id, &value) in linker.functions.iter().enumerate() {
        if !is_local(value) {
            program.functions_by_name.insert(value.name().into(), id as u32);
        }
    }
    for (id, global) in linker.globals.iter().enumerate() {
        if !is_local(global.value) {
            program.globals_by_name.insert(global.value.name().into(), id as u32);
        }
    }
    mark_exact_calls(&mut program);
    program.name_points();
    program.positions = std::mem::take(&mut linker.positions.positions);
    program.files = std::mem::take(&mut linker.positions.files);
    program.function_names = std::mem::take(&mut linker.positions.function_names);
    program.shapes = std::mem::take(&mut linker.positions.described.shapes);
    program.fingerprint = fingerprint(&program);
    Ok(program)
}

/// Finds the calls whose callee is known to have just the caller's idea of its type.
fn mark_exact_calls(program: &mut Program) {
    let mut functions = std::mem::take(&mut program.functions);
    let is_exact = |functions: &[Function], call: &Call| {
        let Callee::Function(callee) = call.callee else { return false };
        let callee = &functions[callee as usize];
        let fixed = callee.variadic.is_none() && call.fixed as usize == call.args.len();
        fixed && callee.takes(call) && callee.results == call.result
    };
    for caller in 0..functions.len() {
        let mut calls = std::mem::take(&mut functions[caller].calls);
        calls.iter_mut().for_each(|call| call.exact = is_exact(&functions, call));
        functions[caller].calls = calls;
    }
    program.functions = functions;
}

/// Functions to run before and after main, with their priorities.
fn collect_startup(
    linker: &mut Linker,
    module: usize,
    constructors: &mut Vec<(u32, FunctionId)>,
    destructors: &mut Vec<(u32, FunctionId)>,
) {
    let globals: Vec<Value> = linker.module(module).globals().collect();
    for global in globals {
        let Some(initial) = global.initializer() else { continue };
        match global.name() {
            "llvm.global_ctors" => collect_structors(linker, initial, constructors),
            "llvm.global_dtors" => collect_structors(linker, initial, destructors),
            _ => {
                let section = global.section();
                if let Some(suffix) = section.strip_prefix(".init_array") {
                    let priority = suffix.trim_start_matches('.').parse().unwrap_or(u32::from(u16::MAX));
                    let mut scalars = Vec::new();
                    if linker.flatten(initial, &mut scalars).is_ok() {
                        constructors.extend(scalars.iter().filter_map(function_of).map(|id| (priority, id)));
                    }
                }
            }
        }
    }
}

fn function_of(scalar: &Scalar) -> Option<FunctionId> {
    match scalar {
        Scalar::Pointer { target: Some(PointerTarget::Function(id)), .. } => Some(*id),
        _ => None,
    }
}

/// An array of { priority, function, associated data }.
fn collect_structors(linker: &mut Linker, array: Value, into: &mut Vec<(u32, FunctionId)>) {
    if array.kind() != ValueKind::LLVMConstantArrayValueKind {
        return;
    }
    for entry in array.operands() {
        let (Some(priority), Some(function)) = (entry.aggregate_element(0), entry.aggregate_element(1))
        else {
            continue;
        };
        // A constructor of something that another module defines is that module's business.
        let elsewhere = |owner: Value| linker.is_superseded(owner);
        if entry.aggregate_element(2).is_some_and(elsewhere) {
            continue;
        }
        if let Ok(scalar) = linker.evaluate(function)
            && let Some(id) = function_of(&scalar)
        {
            into.push((priority.int() as u32, id));
        }
    }
}

fn lay_out(linker: &mut Linker, index: usize) -> Global {
    let linked = &linker.globals[index];
    let (value, address, size, align) = (linked.value, linked.address, linked.size, linked.align);
    let (display, position, shape) = linker.positions.of_global(&linker.context, value);
    let mut image = Image::default();
    let external = value.is_declaration();
    if let Some(initial) = value.initializer().filter(|_| !external) {
        match initial.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind | ValueKind::LLVMConstantPointerNullValueKind => {}
            _ => {
                image.bytes = vec![0; size as usize];
                linker.write(initial, 0, &mut image);
                if image.bytes.iter().all(|&byte| byte == 0) {
                    image.bytes.clear();
                }
            }
        }
    }
    image.pointers.sort_by_key(|&(offset, _)| offset);
    image.undefined.sort_unstable();
    Global {
        name: value.name().into(),
        display: display.into(),
        address,
        size,
        align,
        bytes: image.bytes.into(),
        pointers: image.pointers.into(),
        undefined: image.undefined.into(),
        constant: value.is_constant_global(),
        thread_local: value.is_thread_local(),
        external,
        position,
        shape,
    }
}
