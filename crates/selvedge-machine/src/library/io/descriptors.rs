//! Models of the functions on file descriptors.

use super::files::Target;
use super::pipes::CAPACITY;
use super::status::write_stat;
use super::transfer::{COUNTER_BYTES, MOST_COUNTED, always_possible, native};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Access::{Value, Writes};
use crate::traits::Trait::{FillsSecond, Fixed, Plain, Prints};
use selvedge_trace::{EventKind, Operation};

const INPUT: Visibility = Visibility::Always {
    operation: |context| Ok(context.descriptor_operation(EventKind::Input, context.int32(0)?)),
    alternatives: can_read,
};
const OUTPUT: Visibility = Visibility::Always {
    operation: |context| Ok(context.descriptor_operation(EventKind::Output, context.int32(0)?)),
    alternatives: can_write,
};
const OUTPUT_PARTS: Visibility = Visibility::Always {
    operation: |context| Ok(context.descriptor_operation(EventKind::Output, context.int32(0)?)),
    alternatives: can_write_parts,
};
/// Adds a number to a counter.
const OUTPUT_COUNT: Visibility = Visibility::Always {
    operation: |context| Ok(context.descriptor_operation(EventKind::Output, context.int32(0)?)),
    alternatives: always_possible,
};
/// Changes what descriptors mean.
const CHANGE: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Output, 0)),
    alternatives: always_possible,
};
/// Asks about a descriptor.
const LOOK: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Input, 0)),
    alternatives: always_possible,
};

pub static NATIVES: &[Native] = &[
    native("read", INPUT, read).with(&[FillsSecond]),
    native("__read_chk", INPUT, read).with(&[FillsSecond]),
    native("pread", INPUT, pread).with(&[FillsSecond]),
    native("__pread_chk", INPUT, pread).with(&[FillsSecond]),
    native("__pread64_chk", INPUT, pread).with(&[FillsSecond]),
    native("pread64", INPUT, pread).with(&[FillsSecond]),
    native("readv", INPUT, readv).reaching_anything(),
    native("write", OUTPUT, write).with(&[Plain, Fixed, Prints]),
    native("pwrite", OUTPUT, pwrite),
    native("pwrite64", OUTPUT, pwrite),
    native("writev", OUTPUT_PARTS, writev).reaching_anything().with(&[Prints]),
    native("lseek", CHANGE, lseek),
    native("lseek64", CHANGE, lseek),
    native("close", CHANGE, close),
    native("fsync", LOOK, fsync),
    native("fdatasync", LOOK, fsync),
    native("ftruncate", CHANGE, ftruncate),
    native("ftruncate64", CHANGE, ftruncate),
    native("fstat", LOOK, fstat),
    native("fstat64", LOOK, fstat),
    native("isatty", LOOK, isatty),
    native("fcntl", CHANGE, fcntl),
    native("fcntl64", CHANGE, fcntl),
    native("ioctl", CHANGE, ioctl),
    native("dup", CHANGE, dup),
    native("dup2", CHANGE, dup2),
    native("dup3", CHANGE, dup3),
    native("pipe", CHANGE, pipe),
    native("pipe2", CHANGE, pipe),
    native("eventfd", CHANGE, eventfd),
    native("eventfd_read", INPUT, eventfd_read).touching(&[Value, Writes]),
    native("eventfd_write", OUTPUT_COUNT, eventfd_write).with(&[Prints]),
    native("copy_file_range", LOOK, not_offered),
    native("sendfile", LOOK, not_offered),
    native("sendfile64", LOOK, not_offered),
];

fn can_read(context: &mut Context<'_>) -> u32 {
    let Ok(descriptor) = context.int32(0) else { return 1 };
    context.pipe_input(descriptor).map_or(1, |(ready, more)| u32::from(ready > 0 || !more))
}

fn can_write(context: &mut Context<'_>) -> u32 {
    let (Ok(descriptor), Ok(count)) = (context.int32(0), context.int(2)) else { return 1 };
    u32::from(context.output_ready(descriptor, count))
}

fn can_write_parts(context: &mut Context<'_>) -> u32 {
    let (Ok(descriptor), Ok(parts)) = (context.int32(0), parts(context)) else { return 1 };
    u32::from(context.output_ready(descriptor, parts.iter().map(|&(_, len)| len).sum()))
}

/// `write` to a pipe that has no room for all of it can be cut into parts by others; up to the capacity we wait
/// until everything fits. Nothing waits until there is room in a counter.
fn check_write(context: &mut Context<'_>, descriptor: i32, bytes: &[u8]) -> Result<(), Halt> {
    let Ok(open) = context.files().open_file(descriptor) else { return Ok(()) };
    let more = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    match open.target {
        Target::Pipe(..) if bytes.len() > CAPACITY => {
            Err(Halt::unsupported("write of more than 65536 bytes to a pipe at once"))
        }
        Target::Counter { value, .. }
            if open.flags & libc::O_NONBLOCK == 0
                && more != u64::MAX
                && value.checked_add(more).is_none_or(|sum| sum > MOST_COUNTED) =>
        {
            Err(Halt::unsupported("waiting until an eventfd has room"))
        }
        _ => Ok(()),
    }
}

/// `eventfd`: a counter behind a descriptor.
fn eventfd(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (value, flags) = (context.int32(0)? as u32, context.int32(1)?);
    let result = match flags & !(libc::EFD_SEMAPHORE | libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) {
        0 => {
            let semaphore = flags & libc::EFD_SEMAPHORE != 0;
            let target = Target::Counter { value: value.into(), semaphore };
            let kept = flags & (libc::O_CLOEXEC | libc::O_NONBLOCK) | libc::O_RDWR;
            context.files_mut().install(target, kept).map(|descriptor| descriptor as u64)
        }
        _ => Err(libc::EINVAL),
    };
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn eventfd_read(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, to) = (context.int32(0)?, context.pointer(1)?);
    match context.read_descriptor(descriptor, COUNTER_BYTES as u64, None) {
        Ok(bytes) if bytes.len() == COUNTER_BYTES => {
            context.write(to, &bytes)?;
            context.event(EventKind::Input, 0, &bytes, &[]);
            context.return_int(0)
        }
        Ok(_) => context.fail(libc::EINVAL),
        Err(errno) => context.fail(errno),
    }
}

fn eventfd_write(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, bytes) = (context.int32(0)?, context.int(1)?.to_le_bytes());
    check_write(context, descriptor, &bytes)?;
    match context.write_descriptor(descriptor, &bytes, None) {
        Ok(_) => {
            context.event(EventKind::Output, 0, &[], &bytes);
            context.return_int(0)
        }
        Err(errno) => context.fail(errno),
    }
}

fn read_at(context: &mut Context<'_>, at: Option<u64>) -> Result<Flow, Halt> {
    let (descriptor, buffer, count) = (context.int32(0)?, context.pointer(1)?, context.int(2)?);
    let address = context.descriptor_address(descriptor);
    match context.read_descriptor(descriptor, count, at) {
        Ok(bytes) => {
            context.note_incoming(descriptor, &bytes, at);
            context.write(buffer, &bytes)?;
            context.event(EventKind::Input, address, &bytes, &[]);
            context.return_int(bytes.len() as u64)
        }
        Err(errno) => context.fail(errno),
    }
}

fn read(context: &mut Context<'_>) -> Result<Flow, Halt> {
    read_at(context, None)
}

fn pread(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = context.int(3)?;
    read_at(context, Some(at))
}

fn put(context: &mut Context<'_>, bytes: &[u8], at: Option<u64>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    check_write(context, descriptor, bytes)?;
    let address = context.descriptor_address(descriptor);
    let result = context.write_descriptor(descriptor, bytes, at);
    context.event(EventKind::Output, address, &[], bytes);
    if let Err(errno) = result {
        context.check_broken_pipe(errno)?;
    }
    context.finish(result)
}

fn write(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, count) = (context.pointer(1)?, context.int(2)?);
    // Structures are written with the gaps between their members, which never get a value.
    let bytes = context.read_for_outside(buffer, count)?;
    put(context, &bytes, None)
}

fn pwrite(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, count, at) = (context.pointer(1)?, context.int(2)?, context.int(3)?);
    let bytes = context.read_for_outside(buffer, count)?;
    put(context, &bytes, Some(at))
}

/// The parts that a `struct iovec` array describes.
fn parts(context: &mut Context<'_>) -> Result<Vec<(Pointer, u64)>, Halt> {
    let (array, count) = (context.pointer(1)?, context.int32(2)?);
    let mut parts = Vec::new();
    for index in 0..i64::from(count) {
        let base = context.read_pointer(array.offset(16 * index))?;
        let len = context.read_int(array.offset(16 * index + 8), 8)?;
        parts.push((base, len));
    }
    Ok(parts)
}

fn readv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let address = context.descriptor_address(descriptor);
    let parts = parts(context)?;
    let total = parts.iter().map(|&(_, len)| len).sum();
    let bytes = match context.read_descriptor(descriptor, total, None) {
        Ok(bytes) => bytes,
        Err(errno) => return context.fail(errno),
    };
    context.note_incoming(descriptor, &bytes, None);
    let mut rest = bytes.as_slice();
    for (base, len) in parts {
        let (part, after) = rest.split_at(rest.len().min(len as usize));
        context.write(base, part)?;
        rest = after;
    }
    context.event(EventKind::Input, address, &bytes, &[]);
    context.return_int(bytes.len() as u64)
}

fn writev(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let mut bytes = Vec::new();
    for (base, len) in parts(context)? {
        bytes.extend(context.read_for_outside(base, len)?);
    }
    put(context, &bytes, None)
}

fn lseek(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, by, whence) = (context.int32(0)?, context.int(1)? as i64, context.int32(2)?);
    let result = context.seek_descriptor(descriptor, by, whence);
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn close(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    // A thread that reads from a pipe finds its end.
    if let Ok(target) = context.files().open_file(descriptor).map(|open| open.target) {
        context.drain_at_pipe(target);
    }
    let result = context.files_mut().close(descriptor);
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result.map(|()| 0))
}

fn fsync(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let result = match context.files().open_file(descriptor).map(|open| open.target) {
        Ok(Target::Node(_)) => Ok(0),
        Ok(_) => Err(libc::EINVAL),
        Err(errno) => Err(errno),
    };
    context.event(EventKind::Input, 0, &[], &[]);
    context.finish(result)
}

fn ftruncate(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, size) = (context.int32(0)?, context.int(1)?);
    let files = context.files_mut();
    let result = match files.open_file(descriptor).map(|open| (open.target, open.writable())) {
        Ok((Target::Node(node), true)) => files.resize(node, size).map(|()| 0),
        Ok(_) => Err(libc::EINVAL),
        Err(errno) => Err(errno),
    };
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn fstat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, buffer) = (context.int32(0)?, context.pointer(1)?);
    let input = context.machine.world.inputs.stdin.len() as u64;
    let result = context.files().descriptor_status(descriptor, input);
    context.event(EventKind::Input, 0, &[], &[]);
    write_stat(context, buffer, result)
}

fn isatty(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let errno = context.files().descriptor(descriptor).err().unwrap_or(libc::ENOTTY);
    context.set_errno(errno)?;
    context.event(EventKind::Input, 0, &[], &[]);
    context.return_int(0)
}

fn fcntl(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, command) = (context.int32(0)?, context.int32(1)?);
    let argument = context.optional(2)? as i32;
    let files = context.files_mut();
    let result = match command {
        libc::F_DUPFD => files.duplicate(descriptor, argument, false).map(|new| new as u64),
        libc::F_DUPFD_CLOEXEC => files.duplicate(descriptor, argument, true).map(|new| new as u64),
        libc::F_GETFD => files.descriptor(descriptor).map(|entry| u64::from(entry.close_on_exec)),
        libc::F_SETFD => files.set_close_on_exec(descriptor, argument & libc::FD_CLOEXEC != 0).map(|()| 0),
        libc::F_GETFL => files.open_file(descriptor).map(|open| open.flags as u64),
        libc::F_SETFL => files.open_file_mut(descriptor).map(|open| {
            let changeable = libc::O_APPEND | libc::O_NONBLOCK;
            open.flags = open.flags & !changeable | argument & changeable;
            0
        }),
        command => return Err(Halt::unsupported(format!("command {command} of fcntl"))),
    };
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn ioctl(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, request) = (context.int32(0)?, context.int(1)?);
    context.event(EventKind::Output, 0, &[], &[]);
    if let Err(errno) = context.files().descriptor(descriptor) {
        return context.fail(errno);
    }
    let result = match request {
        libc::TIOCGWINSZ | libc::TCGETS | libc::TIOCGPGRP => Err(libc::ENOTTY),
        libc::FIOCLEX => context.files_mut().set_close_on_exec(descriptor, true).map(|()| 0),
        libc::FIONCLEX => context.files_mut().set_close_on_exec(descriptor, false).map(|()| 0),
        libc::FIONBIO => {
            let at = context.pointer(2)?;
            let on = context.read_int(at, 4)? != 0;
            context.files_mut().open_file_mut(descriptor).map(|open| {
                open.flags = open.flags & !libc::O_NONBLOCK | if on { libc::O_NONBLOCK } else { 0 };
                0
            })
        }
        request => return Err(Halt::unsupported(format!("request {request:#x} of ioctl"))),
    };
    context.finish(result)
}

fn dup(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let result = context.files_mut().duplicate(descriptor, 0, false).map(|new| new as u64);
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn dup2(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, to) = (context.int32(0)?, context.int32(1)?);
    let result = context.files_mut().duplicate_to(from, to, false).map(|new| new as u64);
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn dup3(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, to, flags) = (context.int32(0)?, context.int32(1)?, context.int32(2)?);
    let result = match from == to {
        true => Err(libc::EINVAL),
        false => {
            context.files_mut().duplicate_to(from, to, flags & libc::O_CLOEXEC != 0).map(|new| new as u64)
        }
    };
    context.event(EventKind::Output, 0, &[], &[]);
    context.finish(result)
}

fn pipe(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (ends, flags) = (context.pointer(0)?, context.optional(1)? as i32);
    let result = context.files_mut().pipe(flags);
    context.event(EventKind::Output, 0, &[], &[]);
    if let Ok((reader, writer)) = result {
        context.write_int(ends, 4, reader as u64)?;
        context.write_int(ends.offset(4), 4, writer as u64)?;
    }
    context.finish(result.map(|_| 0))
}

/// Callers of these do without when the system lacks them.
fn not_offered(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.event(EventKind::Input, 0, &[], &[]);
    context.fail(libc::ENOSYS)
}
