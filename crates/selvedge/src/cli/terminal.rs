//! The process's own streams and signals.

use super::code;
use crate::run::execute::{Captured, Output};
use selvedge_report::Style;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A failure of our own becomes one line that asks for a report, and an exit code of its own.
pub fn report_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message").replace('\n', " ");
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        say(&format!(
            "selvedge: internal error: {message}{}. This is a bug of Selvedge: please report it with the program \
             and the command\n",
            place.unwrap_or_default()
        ));
        std::process::exit(i32::from(code::BUG));
    }));
}

/// Prints on standard error; a closed one is nothing to fail for.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints on standard output; a closed one is nothing to fail for.
pub fn print(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// An error in one paragraph.
pub fn complain(error: &dyn std::fmt::Display) -> u8 {
    say(&format!("selvedge: {}\n", error.to_string().trim_end()));
    code::USAGE
}

/// How reports on standard error are shown.
pub fn style() -> Style {
    style_of(&io::stderr())
}

/// How reports on one of the streams are shown.
pub fn style_of(stream: &(impl IsTerminal + AsFd)) -> Style {
    let colour = stream.is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|value| value != "dumb");
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0));
    let width = asked.or_else(terminal).unwrap_or(Style::default().width).max(40);
    Style { colour, width }
}

/// Everything on standard input, unless a person sits there: a program that never reads must not wait for one.
pub fn stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !io::stdin().is_terminal() {
        io::stdin().lock().read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Set when the user presses Ctrl-C or asks the process to end. The second time the process ends at once.
pub fn interruptions() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let code = i32::from(code::INTERRUPTED);
        let _ = signal_hook::flag::register_conditional_shutdown(signal, code, flag.clone());
        let _ = signal_hook::flag::register(signal, flag.clone());
    }
    crate::drivers::end_when(flag.clone());
    flag
}

/// The process's own standard output and standard error.
pub struct Streams {
    /// Keeps a copy of everything.
    pub captured: Option<Captured>,
}

impl Output for Streams {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> io::Result<()> {
        if let Some(captured) = &mut self.captured {
            captured.write(descriptor, bytes)?;
        }
        let write = |stream: &mut dyn Write| stream.write_all(bytes).and_then(|()| stream.flush());
        match descriptor {
            1 => write(&mut io::stdout().lock()),
            _ => write(&mut io::stderr().lock()),
        }
    }
}
