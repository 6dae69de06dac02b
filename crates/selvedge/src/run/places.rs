//! Source positions as the user would name them.

use selvedge_machine::Machine;
use selvedge_program::{FileKind, Program};
use selvedge_report::{Place, StackLine};
use std::path::{Path, PathBuf};

/// Names places of one program.
pub struct Places<'a> {
    program: &'a Program,
    folder: PathBuf,
}

impl<'a> Places<'a> {
    /// Paths below the working directory are named relative to it.
    pub fn new(program: &'a Program) -> Self {
        Places { program, folder: std::env::current_dir().unwrap_or_default() }
    }

    /// The place of a position; nothing when the position is unknown.
    pub fn place(&self, position: u32) -> Option<Place> {
        let position = self.program.positions.get(position as usize)?;
        let file = self.program.files.get(position.file as usize)?;
        if position.line == 0 && file.path.is_empty() {
            return None;
        }
        let function = self.program.function_names.get(position.function as usize);
        Some(Place {
            file: self.file(&file.path),
            line: position.line,
            column: position.column,
            function: function.map(|name| name.to_string()).unwrap_or_default(),
        })
    }

    /// A path as the user would type it.
    pub fn file(&self, path: &str) -> String {
        match Path::new(path).strip_prefix(&self.folder) {
            Ok(relative) if !self.folder.as_os_str().is_empty() => relative.display().to_string(),
            _ => path.strip_prefix("./").unwrap_or(path).to_owned(),
        }
    }

    /// Whether a position lies in a library.
    pub fn is_library(&self, position: u32) -> bool {
        let position = self.program.positions.get(position as usize);
        let file = position.and_then(|position| self.program.files.get(position.file as usize));
        file.is_none_or(|file| file.path.is_empty() || file.kind == FileKind::Library)
    }

    /// The calls that a thread is in, innermost first; inlined calls are calls.
    pub fn stack(&self, machine: &Machine, thread: usize) -> Vec<StackLine> {
        let mut lines = Vec::new();
        for frame in machine.threads()[thread].frames.iter().rev() {
            let function = &self.program.functions[frame.function as usize];
            let mut at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
            if at == 0 {
                let place =
                    Place { file: "?".into(), line: 0, column: 0, function: function.display.to_string() };
                lines.push(StackLine { place, library: true });
            }
            while at != 0 {
                lines.extend(self.place(at).map(|place| StackLine { place, library: self.is_library(at) }));
                at = self.program.positions[at as usize].inlined_at;
            }
        }
        // The C runtime below main is of no interest to users.
        while lines.last().is_some_and(|line| line.library) {
            lines.pop();
        }
        lines
    }
}

/// A thread's name, with the title that the program gave it.
pub fn thread_name(machine: &Machine, thread: usize) -> String {
    let Some(thread) = machine.threads().get(thread) else { return "?".to_owned() };
    match thread.title.as_str() {
        "" => thread.name.to_string(),
        title => format!("{} \"{title}\"", thread.name),
    }
}
