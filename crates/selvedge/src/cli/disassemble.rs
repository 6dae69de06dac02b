//! `selvedge disassemble`.

use super::code;
use super::program::ProgramArguments;
use super::terminal::{self, complain, print, say};
use crate::run::prepare::prepare;
use clap::Args;
use selvedge_program::disassemble as listing;
use std::sync::atomic::Ordering;

/// Show the code that is executed: functions as they are after lowering, with their source positions.
///
/// One line an operation: its index, what it writes, its name, its operands. `r3` is a slot of the frame, `[r3 + 8]`
/// memory at the pointer in slots 3 and 4, `-> 7` a target.
#[derive(Args)]
pub struct DisassembleArguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// Only functions whose names contain this; the program's own `main` without it
    #[arg(long, value_name = "NAME", help_heading = "Report")]
    function: Option<String>,
}

/// Runs the command; the exit code.
pub fn disassemble(arguments: &DisassembleArguments) -> u8 {
    let interrupted = terminal::interruptions();
    let prepared = match prepare(&arguments.program.request()) {
        Ok(_) | Err(_) if interrupted.load(Ordering::Relaxed) => {
            say("selvedge: interrupted while compiling\n");
            return code::INTERRUPTED;
        }
        Ok(prepared) => prepared,
        Err(error) => return complain(&error),
    };
    let wanted = |name: &str| match &arguments.function {
        Some(part) => name.contains(part.as_str()),
        None => name == "main",
    };
    let functions = prepared.program.functions.iter().filter(|function| wanted(&function.name));
    let texts: Vec<String> = functions.map(|function| listing(&prepared.program, function)).collect();
    if texts.is_empty() {
        let part = arguments.function.as_deref().unwrap_or("main");
        return complain(&format!(
            "no function of the program has a name with `{part}` in it. Names are those of the bitcode: mangled, and \
             only functions that something reachable calls are there"
        ));
    }
    print(&texts.join("\n"));
    0
}
