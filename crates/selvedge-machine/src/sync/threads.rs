//! Threads: `pthread_create`, `pthread_join` and their like.

use super::object::{self, own_handle, thread_with_handle};
use super::time::Deadline;
use super::{always, attributes, blocking, if_shared, note, on_first, private};
use crate::halt::{Halt, ViolationKind};
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{
    Ambiguous, CreatesThread, LooksAtNames, TakesUndefined, TellsThreadsApart, Timed, Tries, Unordered,
};
use crate::traits::uses;
use libc::{CLOCK_REALTIME, EBUSY, EDEADLK, EINVAL, ERANGE, ESRCH, ETIMEDOUT};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SyncObject};

pub const NATIVES: &[Native] = &[
    always("pthread_create", create_operation, |c| {
        let (attributes, function, argument) = (c.pointer(1)?, c.pointer(2)?, c.pointer(3)?);
        let detached = !attributes.is_null() && attributes::detached(c, attributes)?;
        let start = c.start();
        create(c, "__selvedge_thread_start", function, argument, detached)?;
        c.machine.graph_started(start);
        c.return_int(0)
    })
    .touching(&[Value, Reads, Value, Value])
    .with(&[CreatesThread]),
    blocking(
        "pthread_join",
        |c| on_first(c, EventKind::ThreadJoin),
        join_alternatives,
        |c| {
            let ended = join_waiting(c, EBUSY)?;
            give_result(c, ended)
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Thread),
    always(
        "pthread_tryjoin_np",
        |c| on_first(c, EventKind::ThreadJoin),
        |c| {
            let ended = join(c, EBUSY)?;
            c.see_result(ended.err().unwrap_or(0));
            give_result(c, ended)
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Thread)
    .with(&[Tries, Ambiguous, TellsThreadsApart]),
    always(
        "pthread_timedjoin_np",
        |c| on_first(c, EventKind::ThreadJoin),
        |c| timed_join(c, Deadline::new(2)),
    )
    .touching(&[Value, Writes, Reads])
    .on(SyncObject::Thread)
    .with(&[Timed, Ambiguous, TellsThreadsApart]),
    always(
        "pthread_clockjoin_np",
        |c| on_first(c, EventKind::ThreadJoin),
        |c| timed_join(c, Deadline::on_clock(2, 3)),
    )
    .touching(&[Value, Writes, Value, Reads])
    .on(SyncObject::Thread)
    .with(&[Timed, Ambiguous, TellsThreadsApart]),
    always(
        "pthread_detach",
        |c| on_first(c, EventKind::ThreadDetach),
        |c| {
            let code = detach(c)?;
            c.return_int(code as u64)
        },
    )
    .on(SyncObject::Thread)
    .with(&[TellsThreadsApart]),
    private("pthread_self", |c| {
        let handle = own_handle(c);
        c.return_int(u64::from(handle))
    }),
    private("pthread_equal", |c| {
        let equal = c.int(0)? == c.int(1)?;
        c.return_int(u64::from(equal))
    }),
    always("__selvedge_thread_exit", exit_operation, exit).with(&[TakesUndefined]),
    if_shared("pthread_setname_np", |c| {
        let name = c.pointer(1)?;
        let name = c.read_string(name, None)?;
        let code = match thread_with_handle(c.machine, c.int(0)?) {
            _ if name.len() > LONGEST_NAME => ERANGE,
            None => ESRCH,
            Some(index) if index != c.thread && looks_at_names(c) => {
                return Err(Halt::unsupported("name for another thread, in a program that looks at names"));
            }
            Some(index) => {
                c.machine.thread_mut(index).title = String::from_utf8_lossy(&name).into_owned();
                0
            }
        };
        c.return_int(code as u64)
    })
    .with(&[Unordered, TellsThreadsApart]),
    if_shared("pthread_getname_np", |c| {
        let (buffer, len) = (c.pointer(1)?, c.int(2)?);
        let Some(index) = thread_with_handle(c.machine, c.int(0)?) else { return c.return_int(ESRCH as u64) };
        // Threads give themselves names without being seen to.
        if index != c.thread {
            return Err(Halt::unsupported("name of another thread (pthread_getname_np)"));
        }
        let mut name = match c.machine.threads[index].title.as_str() {
            "" => c.machine.config.program_name.clone().into_bytes(),
            title => title.as_bytes().to_vec(),
        };
        name.truncate(LONGEST_NAME);
        name.push(0);
        if (len as usize) < name.len() {
            return c.return_int(ERANGE as u64);
        }
        c.write(buffer, &name)?;
        c.return_int(0)
    })
    .with(&[Unordered, Ambiguous, LooksAtNames, TellsThreadsApart]),
    // Another thread may detach it.
    always(
        "pthread_getattr_np",
        |c| on_first(c, EventKind::LibraryCall),
        |c| {
            let (handle, at) = (c.int(0)?, c.pointer(1)?);
            let known = thread_with_handle(c.machine, handle);
            if let Some(index) = known {
                let thread = &c.machine.threads[index];
                let (arena, detached) = (thread.arena, thread.detached);
                attributes::describe_thread(c, at, arena, detached)?;
            }
            c.event(EventKind::LibraryCall, handle, &[], &[]);
            c.return_int(if known.is_some() { 0 } else { ESRCH as u64 })
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Thread)
    .with(&[Unordered, TellsThreadsApart]),
];

/// Characters of a thread's name, without the zero.
const LONGEST_NAME: usize = 15;

/// Whether the program looks at names anywhere. If not it does not matter when they are given.
fn looks_at_names(context: &Context<'_>) -> bool {
    uses(&context.machine.program, |traits| traits.has(LooksAtNames)).is_some()
}

/// Creation writes the new thread's handle to where the first argument points.
pub fn create_operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation { size: 8, ..on_first(context, EventKind::ThreadCreate)? })
}

/// Creates a thread that runs `start(function, argument)`, where `start` is a function of the C runtime.
pub fn create(
    context: &mut Context<'_>,
    start: &str,
    function: Pointer,
    argument: Pointer,
    detached: bool,
) -> Result<(), Halt> {
    let handle_at = context.pointer(0)?;
    let machine = &mut *context.machine;
    if machine.function_at(function.address).is_none() && machine.external_at(function.address).is_none() {
        let name = machine.inspect().name_of(function.address);
        let message = format!("a thread is to be started at {name}, which is not a function");
        return Err(Halt::violation(ViolationKind::Memory, message));
    }
    let start = machine.program.functions_by_name.get(start).copied();
    let start = start.ok_or_else(|| Halt::unsupported("creation of a thread without the C runtime"))?;
    context.drain();
    context.machine.share(context.thread, argument.provenance)?;
    let slots = [function.address, function.provenance.0, argument.address, argument.provenance.0];
    let index = context.machine.spawn(Some(context.thread), start, &slots)?;
    context.machine.thread_mut(index).detached = detached;
    let handle = u64::from(object::handle_of(context.machine, index));
    object::publish(context, handle_at, &handle.to_le_bytes())?;
    if context.machine.records() && context.machine.memory.check(handle_at, 8)?.shared {
        let bytes = handle.to_le_bytes();
        context.machine.concolic_write(context.thread, handle_at.address, &bytes, MemoryOrder::NotAtomic);
    }
    context.machine.concolic_fork(context.thread, index);
    context.event(EventKind::ThreadCreate, handle_at.address, &[], &handle.to_le_bytes());
    Ok(())
}

/// Joining waits until the thread has ended, unless it is an error.
pub fn join_alternatives(context: &mut Context<'_>) -> u32 {
    let Ok(handle) = context.int(0) else { return 1 };
    match thread_with_handle(context.machine, handle) {
        Some(index) if index != context.thread => {
            let thread = &context.machine.threads[index];
            u32::from(thread.is_finished() || thread.detached || thread.joined)
        }
        _ => 1,
    }
}

/// Joins the thread that the first argument names, as the functions do that wait: which one may not be the calling thread, nor
/// one that was detached.
pub fn join_waiting(context: &mut Context<'_>, running: i32) -> Result<Result<Option<Pointer>, i32>, Halt> {
    let handle = context.int(0)?;
    let joined = thread_with_handle(context.machine, handle);
    if let Some(index) = joined {
        let thread = &context.machine.threads[index];
        let message = match index == context.thread {
            true => Some(format!("thread {} joins itself", thread.name)),
            false if thread.detached && !thread.joined => {
                Some(format!("thread {} is joined after it was detached", thread.name))
            }
            false => None,
        };
        if let Some(message) = message {
            return Err(Halt::violation(ViolationKind::Misuse, message));
        }
    }
    join(context, running)
}

/// Joins the thread that the first argument names: its result, or an error code (`running` if it has not ended).
pub fn join(context: &mut Context<'_>, running: i32) -> Result<Result<Option<Pointer>, i32>, Halt> {
    let handle = context.int(0)?;
    context.drain();
    let ended = match thread_with_handle(context.machine, handle) {
        None => Err(ESRCH),
        Some(index) if index == context.thread => Err(EDEADLK),
        Some(index) => {
            let thread = &context.machine.threads[index];
            match (thread.joined, thread.detached, thread.is_finished()) {
                (true, ..) => {
                    let message = format!("thread {} is joined a second time", thread.name);
                    return Err(Halt::violation(ViolationKind::Misuse, message));
                }
                (_, true, _) => Err(EINVAL),
                (.., false) => Err(running),
                (.., true) => {
                    let (result, joined) = (thread.result, thread.arena);
                    let own = context.this().arena;
                    context.machine.memory.join_arenas(own, joined);
                    let thread = context.machine.thread_mut(index);
                    (thread.joined, thread.panicked) = (true, false);
                    context.this_mut().joins += 1;
                    if context.machine.has_joined_all(own) {
                        context.machine.memory.join_all(own);
                    }
                    Ok(result)
                }
            }
        }
    };
    note(context, EventKind::ThreadJoin, handle, ended.err().unwrap_or(0));
    Ok(ended)
}

fn timed_join(context: &mut Context<'_>, deadline: Deadline) -> Result<Flow, Halt> {
    let ended = join(context, ETIMEDOUT)?;
    context.see_result(ended.err().unwrap_or(0));
    if ended == Err(ETIMEDOUT) {
        deadline.reach(context, CLOCK_REALTIME)?;
    }
    give_result(context, ended)
}

fn give_result(context: &mut Context<'_>, ended: Result<Option<Pointer>, i32>) -> Result<Flow, Halt> {
    let to = context.pointer(1)?;
    match ended {
        Ok(None) if !to.is_null() => context.write_undefined(to, 8)?,
        Ok(Some(result)) if !to.is_null() => {
            let handle = context.int(0)?;
            let terms = context.machine.concolic_taken(context.thread, handle, to);
            context.write_pointer(to, result)?;
            context.machine.set_byte_terms(to.address, &terms);
        }
        Ok(_) => {}
        Err(code) => return context.return_int(code as u64),
    }
    context.return_int(0)
}

/// Detaches the thread that the first argument names.
pub fn detach(context: &mut Context<'_>) -> Result<i32, Halt> {
    let handle = context.int(0)?;
    let code = match thread_with_handle(context.machine, handle) {
        None => ESRCH,
        Some(index) if context.machine.threads[index].joined => {
            let message =
                format!("thread {} is detached after it was joined", context.machine.threads[index].name);
            return Err(Halt::violation(ViolationKind::Misuse, message));
        }
        Some(index) if context.machine.threads[index].detached => {
            let message = format!("thread {} is detached a second time", context.machine.threads[index].name);
            return Err(Halt::violation(ViolationKind::Misuse, message));
        }
        Some(index) => {
            context.machine.thread_mut(index).detached = true;
            0
        }
    };
    note(context, EventKind::ThreadDetach, handle, code);
    Ok(code)
}

fn exit_operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::ThreadExit, u64::from(own_handle(context))))
}

fn exit(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let result = context.pointer(0)?;
    let result = context.is_defined(0)?.then_some(result);
    context.drain();
    let handle = own_handle(context);
    if let Some(result) = result {
        context.machine.concolic_left(context.thread, u64::from(handle), result);
    }
    note(context, EventKind::ThreadExit, u64::from(handle), 0);
    context.machine.finish_thread(context.thread, result);
    match context.machine.live {
        0 => Ok(Flow::ProcessEnd(0)),
        _ => Ok(Flow::ThreadEnd),
    }
}
