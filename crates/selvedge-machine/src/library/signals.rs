//! Signals: dispositions are kept, nothing is ever delivered. Raising a signal that is not ignored ends the
//! execution.

use super::globals::{MARKS, handout, use_unseen};
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;
use crate::traits::Trait::TellsThreadsApart;

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("signal", signal),
    model("bsd_signal", signal),
    model("__sysv_signal", signal),
    model("sigaction", sigaction),
    model("sigaltstack", sigaltstack),
    model("sigemptyset", sigemptyset),
    model("sigfillset", sigfillset),
    model("sigaddset", sigaddset),
    model("sigdelset", sigdelset),
    model("sigismember", sigismember),
    model("sigprocmask", sigprocmask),
    model("pthread_sigmask", sigprocmask).with(&[TellsThreadsApart]),
    model("sigpending", sigpending),
    model("raise", raise),
    model("kill", kill),
];

/// The functions that need the table of dispositions.
pub const USERS: &[&str] = &["signal", "bsd_signal", "__sysv_signal", "sigaction", "raise", "kill"];

const SIGNALS: i32 = 65;
/// `struct sigaction`: handler, mask, flags, restorer.
const ACTION: u64 = 152;
/// `sigset_t`.
const SET: u64 = 128;

/// The table: a `struct sigaction` for each signal, and which threads use them.
pub fn make_table(machine: &mut Machine) -> Result<Pointer, Halt> {
    let (actions, marks) = (ACTION as usize * SIGNALS as usize, MARKS * SIGNALS as usize);
    machine.library_bytes(0, &vec![0; actions + marks])
}

/// Where the disposition of a signal is kept, which is looked at or changed.
fn entry(context: &mut Context<'_>, signal: i32, writes: bool) -> Result<Option<Pointer>, Halt> {
    let table = handout(context, "signals")?;
    if (1..SIGNALS).contains(&signal) {
        let marks = table.offset(ACTION as i64 * i64::from(SIGNALS) + MARKS as i64 * i64::from(signal));
        use_unseen(context, marks, writes, "what is done about a signal,")?;
    }
    Ok((1..SIGNALS).contains(&signal).then(|| table.offset(ACTION as i64 * i64::from(signal))))
}

fn changeable(signal: i32) -> bool {
    signal != libc::SIGKILL && signal != libc::SIGSTOP
}

fn signal(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (number, handler) = (context.int32(0)?, context.pointer(1)?);
    match entry(context, number, true)? {
        Some(entry) if changeable(number) => {
            let old = context.read_pointer(entry)?;
            context.write_pointer(entry, handler)?;
            context.return_pointer(old)
        }
        _ => context.fail(libc::EINVAL),
    }
}

fn sigaction(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (number, new, old) = (context.int32(0)?, context.pointer(1)?, context.pointer(2)?);
    let entry = entry(context, number, !new.is_null())?;
    let Some(entry) = entry.filter(|_| new.is_null() || changeable(number)) else {
        return context.fail(libc::EINVAL);
    };
    if !old.is_null() {
        context.copy(old, entry, ACTION)?;
        let untouched = context.read_int(entry, 8)? == libc::SIG_DFL as u64;
        if new.is_null() && untouched && matches!(number, libc::SIGSEGV | libc::SIGBUS) {
            // The machine sees wrong accesses before any handler could. A runtime that asks whether it should
            // watch for them itself (Rust's, at the cost of a lock at the start and end of every thread) need not.
            context.write_int(old, 8, libc::SIG_IGN as u64)?;
        }
    }
    if !new.is_null() {
        context.copy(entry, new, ACTION)?;
    }
    context.return_int(0)
}

fn sigaltstack(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let old = context.pointer(1)?;
    if !old.is_null() {
        context.write_int(old, 8, 0)?;
        context.write_int(old.offset(8), 8, libc::SS_DISABLE as u64)?;
        context.write_int(old.offset(16), 8, 0)?;
    }
    context.return_int(0)
}

fn sigemptyset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let set = context.pointer(0)?;
    context.write(set, &[0; SET as usize])?;
    context.return_int(0)
}

fn sigfillset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let set = context.pointer(0)?;
    context.write(set, &[0xff; SET as usize])?;
    context.return_int(0)
}

/// The word of a set that a signal is in, and its bit there.
fn member(context: &Context<'_>) -> Result<Option<(Pointer, u64)>, Halt> {
    let (set, number) = (context.pointer(0)?, context.int32(1)?);
    Ok((1..SIGNALS).contains(&number).then(|| {
        let bit = number as u64 - 1;
        (set.offset(bit as i64 / 64 * 8), 1 << (bit % 64))
    }))
}

fn sigaddset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let Some((word, bit)) = member(context)? else { return context.fail(libc::EINVAL) };
    let old = context.read_int(word, 8)?;
    context.write_int(word, 8, old | bit)?;
    context.return_int(0)
}

fn sigdelset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let Some((word, bit)) = member(context)? else { return context.fail(libc::EINVAL) };
    let old = context.read_int(word, 8)?;
    context.write_int(word, 8, old & !bit)?;
    context.return_int(0)
}

fn sigismember(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let Some((word, bit)) = member(context)? else { return context.fail(libc::EINVAL) };
    let value = context.read_int(word, 8)?;
    context.return_int(u64::from(value & bit != 0))
}

fn sigprocmask(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let old = context.pointer(2)?;
    if !old.is_null() {
        context.write(old, &[0; SET as usize])?;
    }
    context.return_int(0)
}

fn sigpending(context: &mut Context<'_>) -> Result<Flow, Halt> {
    sigemptyset(context)
}

/// Whether the program ignores a signal.
pub fn ignored(context: &mut Context<'_>, number: i32) -> Result<bool, Halt> {
    if !context.machine.world.handouts.contains_key("signals") {
        return Ok(false);
    }
    let Some(entry) = entry(context, number, false)? else { return Ok(false) };
    Ok(context.read_pointer(entry)?.address as usize == libc::SIG_IGN)
}

fn deliver(context: &mut Context<'_>, number: i32) -> Result<Flow, Halt> {
    let Some(entry) = entry(context, number, false)? else { return context.fail(libc::EINVAL) };
    let handler = context.read_pointer(entry)?.address;
    let harmless = matches!(number, libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH | libc::SIGCONT);
    match handler as usize {
        libc::SIG_IGN => context.return_int(0),
        libc::SIG_DFL if harmless => context.return_int(0),
        libc::SIG_DFL => {
            Err(Halt::violation(ViolationKind::Abort, format!("the program raised signal {number}")))
        }
        _ => Err(Halt::unsupported(format!("delivery of a signal (signal {number})"))),
    }
}

fn raise(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let number = context.int32(0)?;
    deliver(context, number)
}

fn kill(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (process, number) = (context.int32(0)?, context.int32(1)?);
    if process as u64 != super::process::PROCESS {
        return Err(Halt::unsupported("signal to another process (kill)"));
    }
    if number == 0 { context.return_int(0) } else { deliver(context, number) }
}
