//! Models of the functions that open, close, position and ask about `FILE` streams.

use super::streams::{Backing, STDERR, stream_argument, stream_look, stream_output};
use super::transfer::{always_possible, native};
use crate::halt::Halt;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Trait::{Prints, Tries};
use selvedge_trace::{EventKind, Operation, SyncObject};
use std::sync::Arc;

const CHANGE: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Output, 0)),
    alternatives: always_possible,
};
const LOCK: Visibility = Visibility::Always {
    operation: |context| Ok(Operation::sync(EventKind::MutexLock, context.pointer(0)?.address)),
    alternatives: |context| {
        let stream = context.pointer(0).unwrap_or(Pointer::NULL);
        u32::from(context.stream_is_free(stream))
    },
};
const TRY_LOCK: Visibility = Visibility::Always {
    operation: |context| Ok(Operation::sync(EventKind::MutexTryLock, context.pointer(0)?.address)),
    alternatives: always_possible,
};
const UNLOCK: Visibility = Visibility::Always {
    operation: |context| Ok(Operation::sync(EventKind::MutexUnlock, context.pointer(0)?.address)),
    alternatives: always_possible,
};

pub static NATIVES: &[Native] = &[
    native("fopen", CHANGE, fopen),
    native("fopen64", CHANGE, fopen),
    native("fdopen", CHANGE, fdopen),
    native("freopen", CHANGE, freopen),
    native("freopen64", CHANGE, freopen),
    native("tmpfile", CHANGE, tmpfile),
    native("tmpfile64", CHANGE, tmpfile),
    native("fmemopen", CHANGE, fmemopen),
    native("open_memstream", CHANGE, open_memstream),
    native("fclose", stream_output::<0>(), fclose),
    native("fflush", CHANGE, fflush).with(&[Prints]),
    native("fflush_unlocked", CHANGE, fflush).with(&[Prints]),
    native("fseek", stream_output::<0>(), fseek),
    native("fseeko", stream_output::<0>(), fseek),
    native("fseeko64", stream_output::<0>(), fseek),
    native("ftell", stream_look::<0>(), ftell),
    native("ftello", stream_look::<0>(), ftell),
    native("ftello64", stream_look::<0>(), ftell),
    native("rewind", stream_output::<0>(), rewind),
    native("fgetpos", stream_look::<0>(), fgetpos),
    native("fgetpos64", stream_look::<0>(), fgetpos),
    native("fsetpos", stream_output::<0>(), fsetpos),
    native("fsetpos64", stream_output::<0>(), fsetpos),
    native("feof", stream_look::<0>(), feof),
    native("feof_unlocked", stream_look::<0>(), feof),
    native("ferror", stream_look::<0>(), ferror),
    native("ferror_unlocked", stream_look::<0>(), ferror),
    native("clearerr", stream_output::<0>(), clearerr),
    native("clearerr_unlocked", stream_output::<0>(), clearerr),
    native("fileno", stream_look::<0>(), fileno),
    native("fileno_unlocked", stream_look::<0>(), fileno),
    native("setvbuf", stream_output::<0>(), set_buffer),
    native("setbuf", stream_output::<0>(), set_buffer),
    native("setbuffer", stream_output::<0>(), set_buffer),
    native("setlinebuf", stream_output::<0>(), set_buffer),
    native("fwide", stream_output::<0>(), fwide),
    native("flockfile", LOCK, flockfile).on(SyncObject::Stream),
    native("ftrylockfile", TRY_LOCK, ftrylockfile).on(SyncObject::Stream).with(&[Tries]),
    native("funlockfile", UNLOCK, funlockfile).on(SyncObject::Stream),
    native("perror", stream_output::<STDERR>(), perror).with(&[Prints]),
];

/// What a mode such as "r+" asks for.
struct Mode {
    flags: i32,
    readable: bool,
    writable: bool,
}

fn parse_mode(mode: &[u8]) -> Option<Mode> {
    let update = mode.contains(&b'+');
    let (first, readable, writable) = match mode.first()? {
        b'r' => (0, true, update),
        b'w' => (libc::O_CREAT | libc::O_TRUNC, update, true),
        b'a' => (libc::O_CREAT | libc::O_APPEND, update, true),
        _ => return None,
    };
    let access = match (readable, writable) {
        (true, true) => libc::O_RDWR,
        (true, false) => libc::O_RDONLY,
        _ => libc::O_WRONLY,
    };
    let option = |letter, flag| if mode.contains(&letter) { flag } else { 0 };
    let flags = first | access | option(b'x', libc::O_EXCL) | option(b'e', libc::O_CLOEXEC);
    Some(Mode { flags, readable, writable })
}

fn note(context: &mut Context<'_>) {
    context.event(EventKind::Output, 0, &[], &[]);
}

fn fopen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, mode) = (context.path(0)?, context.path(1)?);
    note(context);
    let Some(mode) = parse_mode(&mode) else { return context.fail_null(libc::EINVAL) };
    match context.files_mut().open(&path, mode.flags, 0o666) {
        Ok(descriptor) => {
            let stream = context.new_stream(Backing::Descriptor(descriptor), mode.readable, mode.writable)?;
            context.return_pointer(stream)
        }
        Err(errno) => context.fail_null(errno),
    }
}

fn fdopen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, mode) = (context.int32(0)?, context.path(1)?);
    note(context);
    let Some(mode) = parse_mode(&mode) else { return context.fail_null(libc::EINVAL) };
    match context.files().open_file(descriptor).map(|open| (open.readable(), open.writable())) {
        Err(errno) => context.fail_null(errno),
        Ok((readable, writable)) if mode.readable && !readable || mode.writable && !writable => {
            context.fail_null(libc::EINVAL)
        }
        Ok(_) => {
            if mode.flags & libc::O_APPEND != 0
                && let Ok(open) = context.files_mut().open_file_mut(descriptor)
            {
                open.flags |= libc::O_APPEND;
            }
            let stream = context.new_stream(Backing::Descriptor(descriptor), mode.readable, mode.writable)?;
            context.return_pointer(stream)
        }
    }
}

fn freopen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    if context.pointer(0)?.is_null() {
        return Err(Halt::unsupported("freopen without a path"));
    }
    let (path, mode, stream) = (context.path(0)?, context.path(1)?, context.pointer(2)?);
    note(context);
    let Some(mode) = parse_mode(&mode) else { return context.fail_null(libc::EINVAL) };
    let old = match context.stream(stream)?.backing {
        Backing::Descriptor(descriptor) => Some(descriptor),
        _ => None,
    };
    // What was open is closed even if the new file cannot be opened.
    let _ = context.detach_stream(stream)?;
    let opened = context.files_mut().open(&path, mode.flags, 0o666).and_then(|new| match old {
        Some(old) if old != new => {
            let files = context.files_mut();
            files.duplicate_to(new, old, mode.flags & libc::O_CLOEXEC != 0)?;
            files.close(new)?;
            Ok(old)
        }
        _ => Ok(new),
    });
    match opened {
        Ok(descriptor) => {
            context.change_stream(stream, |stream| {
                stream.backing = Backing::Descriptor(descriptor);
                (stream.readable, stream.writable) = (mode.readable, mode.writable);
                (stream.end, stream.error) = (false, false);
                stream.pushed.clear();
            })?;
            context.return_pointer(stream)
        }
        Err(errno) => context.fail_null(errno),
    }
}

fn tmpfile(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context);
    match context.files_mut().open_nameless() {
        Ok(descriptor) => {
            let stream = context.new_stream(Backing::Descriptor(descriptor), true, true)?;
            context.return_pointer(stream)
        }
        Err(errno) => context.fail_null(errno),
    }
}

fn fmemopen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (given, size, mode) = (context.pointer(0)?, context.int(1)?, context.path(2)?);
    note(context);
    let Some(mode) = parse_mode(&mode) else { return context.fail_null(libc::EINVAL) };
    let owned = given.is_null();
    let append = mode.flags & libc::O_APPEND != 0;
    let truncate = mode.flags & libc::O_TRUNC != 0;
    let buffer = match owned {
        true => match context.allocate(size, 16, ObjectKind::Library) {
            Some(buffer) => {
                context.write(buffer, &vec![0; size as usize])?;
                buffer
            }
            None => return context.fail_null(libc::ENOMEM),
        },
        false => given,
    };
    if truncate && mode.readable && size > 0 {
        context.write_int(buffer, 1, 0)?;
    }
    let end = match (truncate, append) {
        (true, _) => 0,
        (_, true) => context.read_string(buffer, Some(size))?.len() as u64,
        _ if owned => 0,
        _ => size,
    };
    let position = if append { end } else { 0 };
    let backing = Backing::Memory { buffer, size, position, end, append, owned };
    let stream = context.new_stream(backing, mode.readable, mode.writable)?;
    context.return_pointer(stream)
}

fn open_memstream(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (block_at, size_at) = (context.pointer(0)?, context.pointer(1)?);
    note(context);
    let backing =
        Backing::Growing { bytes: Arc::default(), position: 0, block: Pointer::NULL, block_at, size_at };
    let stream = context.new_stream(backing, false, true)?;
    context.flush_stream(stream)?;
    context.return_pointer(stream)
}

fn fclose(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let result = context.detach_stream(stream)?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    // The standard streams may be closed and still be flushed at exit: they stay, closed.
    if !context.files().standard.contains(&stream) {
        context.files_mut().streams.remove(&stream.address);
        context.free_heap(stream)?;
    }
    context.finish(result.map(|()| 0))
}

fn fflush(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    note(context);
    match stream.is_null() {
        true => {
            let growing = |(&address, stream): (&u64, &super::streams::Stream)| {
                matches!(stream.backing, Backing::Growing { .. })
                    .then_some(Pointer { address, ..Pointer::NULL })
            };
            let all: Vec<Pointer> = context.files().streams.iter().filter_map(growing).collect();
            all.into_iter().try_for_each(|stream| context.flush_stream(stream))?;
        }
        false => context.flush_stream(stream)?,
    }
    context.return_int(0)
}

fn fseek(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (stream, by, whence) = (context.pointer(0)?, context.int(1)? as i64, context.int32(2)?);
    let result = context.seek_stream(stream, by, whence)?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.finish(result.map(|_| 0))
}

fn ftell(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let result = context.tell_stream(stream)?;
    context.event(EventKind::Input, stream.address, &[], &[]);
    context.finish(result)
}

fn rewind(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    if let Err(errno) = context.seek_stream(stream, 0, libc::SEEK_SET)? {
        context.set_errno(errno)?;
    }
    context.change_stream(stream, |stream| stream.error = false)?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.return_int(0)
}

fn fgetpos(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (stream, position) = (context.pointer(0)?, context.pointer(1)?);
    let result = context.tell_stream(stream)?;
    context.event(EventKind::Input, stream.address, &[], &[]);
    if let Ok(offset) = result {
        context.write_int(position, 8, offset)?;
        context.write_int(position.offset(8), 8, 0)?;
    }
    context.finish(result.map(|_| 0))
}

fn fsetpos(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (stream, position) = (context.pointer(0)?, context.pointer(1)?);
    let offset = context.read_int(position, 8)? as i64;
    let result = context.seek_stream(stream, offset, libc::SEEK_SET)?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.finish(result.map(|_| 0))
}

fn feof(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let end = context.stream(stream)?.end;
    context.event(EventKind::Input, stream.address, &[u8::from(end)], &[]);
    context.return_int(u64::from(end))
}

fn ferror(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let error = context.stream(stream)?.error;
    context.event(EventKind::Input, stream.address, &[u8::from(error)], &[]);
    context.return_int(u64::from(error))
}

fn clearerr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    context.change_stream(stream, |stream| (stream.end, stream.error) = (false, false))?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.return_int(0)
}

fn fileno(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let result = match context.stream(stream)?.backing {
        Backing::Descriptor(descriptor) => Ok(descriptor as u64),
        _ => Err(libc::EBADF),
    };
    context.event(EventKind::Input, stream.address, &[], &[]);
    context.finish(result)
}

/// Streams do not buffer, so there is nothing to set.
fn set_buffer(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    context.stream(stream)?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.return_int(0)
}

fn fwide(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (stream, mode) = (context.pointer(0)?, context.int32(1)?);
    let orientation = context.change_stream(stream, |stream| {
        if stream.orientation == 0 {
            stream.orientation = mode.signum() as i8;
        }
        stream.orientation
    })?;
    context.event(EventKind::Output, stream.address, &[], &[]);
    context.return_int(i64::from(orientation) as u64)
}

fn lock(context: &mut Context<'_>, stream: Pointer) -> Result<(), Halt> {
    let thread = context.thread;
    context.change_stream(stream, |stream| {
        let count = stream.lock.map_or(0, |(_, count)| count);
        stream.lock = Some((thread, count + 1));
    })
}

fn flockfile(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    context.drain();
    lock(context, stream)?;
    context.event(EventKind::MutexLock, stream.address, &[], &[]);
    context.return_int(0)
}

fn ftrylockfile(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let free = context.stream_is_free(stream);
    context.drain();
    if free {
        lock(context, stream)?;
    }
    let result: &[u8] = if free { &[] } else { &[1] };
    context.event(EventKind::MutexTryLock, stream.address, result, &[]);
    context.return_int(u64::from(!free))
}

fn funlockfile(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(0)?;
    let thread = context.thread;
    context.drain();
    let held = context.change_stream(stream, |stream| match stream.lock {
        Some((owner, count)) if owner == thread => {
            stream.lock = (count > 1).then_some((owner, count - 1));
            true
        }
        _ => false,
    })?;
    if !held {
        let message = "funlockfile was called by a thread that does not hold the stream";
        return Err(Halt::violation(crate::halt::ViolationKind::Misuse, message));
    }
    context.event(EventKind::MutexUnlock, stream.address, &[], &[]);
    context.return_int(0)
}

fn perror(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = stream_argument::<STDERR>(context)?;
    let pointer = context.pointer(0)?;
    let mut text = match pointer.is_null() {
        true => Vec::new(),
        false => context.read_string(pointer, None)?,
    };
    if !text.is_empty() {
        text.extend(b": ");
    }
    text.extend(context.error_text()?.bytes());
    text.push(b'\n');
    context.put_to_stream(stream, &text)?;
    context.return_int(0)
}
