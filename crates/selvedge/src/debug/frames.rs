//! Where threads are: stacks of calls, inlined ones too.

use crate::run::places::thread_name;
use selvedge_machine::{Machine, Status};
use selvedge_program::{FileKind, Position, Program};
use std::path::{Path, PathBuf};

/// A call that a thread is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of its frame in the thread.
    pub frame: usize,
    /// So many inlined calls lie between it and the innermost one of its frame.
    pub inlined: usize,
    /// An index into [`Program::positions`]; 0 where there is no debug information.
    pub position: u32,
    pub function: String,
    /// It lies in a library.
    pub library: bool,
}

/// Where the running code of a thread is, as far as stepping goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Calls that it is in.
    pub depth: usize,
    /// File and line, in the user's own code.
    pub line: Option<(u32, u32)>,
    /// Function and operation.
    pub operation: (u32, u32),
}

/// The calls of a thread, the innermost first.
pub fn calls(machine: &Machine, thread: usize) -> Vec<Call> {
    let program = machine.inspect().program();
    let mut calls = Vec::new();
    let Some(thread) = machine.threads().get(thread) else { return calls };
    for (index, frame) in thread.frames.iter().enumerate().rev() {
        let function = &program.functions[frame.function as usize];
        let mut at = position(program, frame.function, frame.pc);
        if at == 0 {
            let function = function.display.to_string();
            calls.push(Call { frame: index, inlined: 0, position: 0, function, library: true });
        }
        let mut inlined = 0;
        while at != 0 {
            let position = &program.positions[at as usize];
            let function = program.function_names[position.function as usize].to_string();
            let library = !is_users(program, position);
            calls.push(Call { frame: index, inlined, position: at, function, library });
            (at, inlined) = (position.inlined_at, inlined + 1);
        }
    }
    // The C runtime below main is of no interest to users.
    while calls.len() > 1 && calls.last().is_some_and(|call| call.library) {
        calls.pop();
    }
    calls
}

/// Where a thread is. A thread that has ended is nowhere.
pub fn spot(machine: &Machine, thread: usize) -> Spot {
    let program = machine.inspect().program();
    let Some(frames) = machine.threads().get(thread).map(|thread| &thread.frames) else {
        return Spot::default();
    };
    let Some(top) = frames.last() else { return Spot::default() };
    let at = position(program, top.function, top.pc);
    let position = &program.positions[at as usize];
    let mut inlined = 0;
    let mut outer = position.inlined_at;
    while outer != 0 {
        inlined += 1;
        outer = program.positions[outer as usize].inlined_at;
    }
    let line = (position.line != 0 && is_users(program, position)).then_some((position.file, position.line));
    Spot { depth: frames.len() + inlined, line, operation: (top.function, top.pc) }
}

/// The position of an operation.
pub fn position(program: &Program, function: u32, operation: u32) -> u32 {
    program.functions[function as usize].positions.get(operation as usize).copied().unwrap_or(0)
}

fn is_users(program: &Program, position: &Position) -> bool {
    let file = &program.files[position.file as usize];
    file.kind == FileKind::User && !file.path.is_empty()
}

/// The whole path of a source file.
pub fn path_of(program: &Program, file: u32, source_root: &Path) -> PathBuf {
    let path = Path::new(&*program.files[file as usize].path);
    let below = source_root.join(path);
    match path.is_absolute() || below.exists() {
        true => below,
        // As it was given to the compiler.
        false => std::env::current_dir().unwrap_or_default().join(path),
    }
}

/// A thread's name, and whether it goes on.
pub fn title(machine: &Machine, thread: usize) -> String {
    let name = thread_name(machine, thread);
    match machine.threads()[thread].status {
        Status::Waiting(_) => format!("{name} (waits)"),
        Status::Finished => format!("{name} (ended)"),
        Status::Starting | Status::Ready(_) => name,
    }
}
