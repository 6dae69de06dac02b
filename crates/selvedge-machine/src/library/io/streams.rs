//! `FILE` streams: their state, and how bytes get in and out.
//!
//! A `FILE` is an opaque object as large as glibc's; it holds nothing but the marks that inlined `feof_unlocked` and
//! `ferror_unlocked` look at, and its empty buffers make inlined `getc_unlocked` and `putc_unlocked` call us. Streams
//! do not buffer: what is written is there at once, in order.

use super::files::{Errno, Files};
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Visibility};
use selvedge_trace::{EventKind, Operation};
use std::sync::Arc;

/// Size of glibc's `FILE`.
const FILE_SIZE: u64 = 216;
const MAGIC: u32 = 0xfbad_0000;
const NO_READS: u32 = 4;
const NO_WRITES: u32 = 8;
const END_SEEN: u32 = 0x10;
const ERROR_SEEN: u32 = 0x20;

/// Stand for the argument that is a stream in functions that always use a standard one.
pub const STDIN: usize = usize::MAX - 2;
/// As `STDIN`.
pub const STDOUT: usize = usize::MAX - 1;
/// As `STDIN`.
pub const STDERR: usize = usize::MAX;

/// What a stream reads from and writes to.
#[derive(Clone, Hash)]
pub enum Backing {
    /// A descriptor.
    Descriptor(i32),
    /// The program's memory (`fmemopen`).
    Memory { buffer: Pointer, size: u64, position: u64, end: u64, append: bool, owned: bool },
    /// A block that grows (`open_memstream`); the program learns of it at flushes.
    Growing { bytes: Arc<Vec<u8>>, position: u64, block: Pointer, block_at: Pointer, size_at: Pointer },
    /// Nothing any more: a standard stream that was closed.
    Closed,
}

/// A stream.
#[derive(Clone, Hash)]
pub struct Stream {
    pub backing: Backing,
    pub readable: bool,
    pub writable: bool,
    /// Bytes that were pushed back; the last is read next.
    pub pushed: Vec<u8>,
    pub end: bool,
    pub error: bool,
    /// The thread that holds it (`flockfile`), and how many times.
    pub lock: Option<(usize, u32)>,
    /// Whether it is one of bytes (-1) or of wide characters (1). A stream of wide characters that is used as one of
    /// bytes is still that: only the opposite fails.
    pub orientation: i8,
}

impl Stream {
    fn new(backing: Backing, readable: bool, writable: bool) -> Self {
        let pushed = Vec::new();
        Stream { backing, readable, writable, pushed, end: false, error: false, lock: None, orientation: 0 }
    }

    fn marks(&self) -> u32 {
        let mark = |condition, mark| if condition { mark } else { 0 };
        MAGIC
            | mark(!self.readable, NO_READS)
            | mark(!self.writable, NO_WRITES)
            | mark(self.end, END_SEEN)
            | mark(self.error, ERROR_SEEN)
    }
}

/// How much a reading function waits for when a stream is on a pipe.
#[derive(Clone, Copy)]
pub struct Need {
    /// So many bytes,
    pub count: usize,
    /// or up to this one.
    pub stop: Option<u8>,
}

/// Visibility of a function that writes to the stream in an argument.
pub const fn stream_output<const N: usize>() -> Visibility {
    Visibility::Always { operation: operation::<N, true>, alternatives: unlocked::<N> }
}

/// Visibility of a function that looks at or changes the stream in an argument without waiting for input.
pub const fn stream_look<const N: usize>() -> Visibility {
    Visibility::Always { operation: operation::<N, false>, alternatives: unlocked::<N> }
}

/// Visibility of a function that reads one byte or a few from the stream in an argument.
pub const fn stream_input<const N: usize>() -> Visibility {
    Visibility::Always { operation: operation::<N, false>, alternatives: has_input::<N> }
}

fn operation<const N: usize, const OUTPUT: bool>(context: &mut Context<'_>) -> Result<Operation, Halt> {
    let kind = if OUTPUT { EventKind::Output } else { EventKind::Input };
    Ok(Operation::sync(kind, stream_argument::<N>(context)?.address))
}

/// The stream that an argument is, or a standard one.
pub fn stream_argument<const N: usize>(context: &mut Context<'_>) -> Result<Pointer, Halt> {
    match N {
        STDIN => context.standard_stream(0),
        STDOUT => context.standard_stream(1),
        STDERR => context.standard_stream(2),
        index => context.pointer(index),
    }
}

fn unlocked<const N: usize>(context: &mut Context<'_>) -> u32 {
    let Ok(stream) = stream_argument::<N>(context) else { return 1 };
    u32::from(context.stream_is_free(stream))
}

fn has_input<const N: usize>(context: &mut Context<'_>) -> u32 {
    let Ok(stream) = stream_argument::<N>(context) else { return 1 };
    u32::from(context.stream_has(stream, Need { count: 1, stop: None }))
}

/// Makes the standard streams, and lets `stdin`, `stdout` and `stderr` point to them where the program has these.
pub fn provide_streams(machine: &mut Machine) -> Result<(), Halt> {
    let program = machine.program.clone();
    for (index, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        let stream = Stream::new(Backing::Descriptor(index as i32), index == 0, index != 0);
        let file = new_file(machine, 0, stream)?;
        machine.memory.share(file.provenance);
        let variable = program.globals_by_name.get(name).map(|&id| &program.globals[id as usize]);
        let address = variable.filter(|global| global.external).map(|global| global.address);
        if let Some(address) = address {
            machine.memory.write(address, 8, file.address, file.provenance);
        }
        let files = Files::change(&mut machine.world.files);
        files.standard[index] = file;
        files.variables[index] = address;
    }
    Ok(())
}

fn new_file(machine: &mut Machine, thread: usize, stream: Stream) -> Result<Pointer, Halt> {
    let file = machine.allocate(thread, FILE_SIZE, 16, ObjectKind::Library, (0, 0));
    let file = file.ok_or_else(|| Halt::unsupported("amount of memory"))?;
    let mut bytes = vec![0; FILE_SIZE as usize];
    bytes[..4].copy_from_slice(&stream.marks().to_le_bytes());
    machine.memory.write_bytes(file.address, &bytes);
    Files::change(&mut machine.world.files).streams.insert(file.address, stream);
    Ok(file)
}

impl Context<'_> {
    /// The standard stream with this number: what the variable holds now, if there is one.
    pub(super) fn standard_stream(&mut self, index: usize) -> Result<Pointer, Halt> {
        match self.files().variables[index] {
            Some(address) => self.read_pointer(Pointer { address, ..Pointer::NULL }),
            None => Ok(self.files().standard[index]),
        }
    }

    /// A new stream.
    pub(super) fn new_stream(
        &mut self,
        backing: Backing,
        readable: bool,
        writable: bool,
    ) -> Result<Pointer, Halt> {
        new_file(self.machine, self.thread, Stream::new(backing, readable, writable))
    }

    /// The stream that a pointer stands for.
    pub(super) fn stream(&mut self, pointer: Pointer) -> Result<&Stream, Halt> {
        if pointer.is_null() {
            return Err(Halt::violation(ViolationKind::Memory, "a null pointer was used as a FILE"));
        }
        self.machine.memory.check(pointer, FILE_SIZE)?;
        self.machine.world.files.streams.get(&pointer.address).ok_or_else(|| {
            Halt::violation(ViolationKind::Memory, "a pointer that is not an open stream was used as a FILE")
        })
    }

    /// Changes a stream, and its marks in memory with it.
    pub(super) fn change_stream<R>(
        &mut self,
        pointer: Pointer,
        change: impl FnOnce(&mut Stream) -> R,
    ) -> Result<R, Halt> {
        self.stream(pointer)?;
        let files = Files::change(&mut self.machine.world.files);
        let Some(stream) = files.streams.get_mut(&pointer.address) else {
            return Err(Halt::unsupported("stream that has vanished"));
        };
        let before = stream.marks();
        let result = change(stream);
        let after = stream.marks();
        if before != after {
            self.machine.memory.write_bytes(pointer.address, &after.to_le_bytes());
        }
        Ok(result)
    }

    /// Notes a failure in the stream and in errno.
    pub(super) fn stream_failed(&mut self, pointer: Pointer, errno: Errno) -> Result<(), Halt> {
        self.change_stream(pointer, |stream| stream.error = true)?;
        self.set_errno(errno)
    }

    /// Whether no other thread holds the stream.
    pub(super) fn stream_is_free(&mut self, pointer: Pointer) -> bool {
        let thread = self.thread;
        self.stream(pointer).map_or(true, |stream| stream.lock.is_none_or(|(owner, _)| owner == thread))
    }

    /// Whether reading would not wait: only for streams on pipes this can be so.
    pub(super) fn stream_has(&mut self, pointer: Pointer, need: Need) -> bool {
        if !self.stream_is_free(pointer) {
            return false;
        }
        let Ok(stream) = self.stream(pointer) else { return true };
        let Backing::Descriptor(descriptor) = stream.backing else { return true };
        let pushed = stream.pushed.clone();
        match self.pipe_input(descriptor) {
            Some((ready, true)) => {
                let stop = |stop| pushed.contains(&stop) || self.files().pipe_contains(descriptor, stop);
                pushed.len() + ready >= need.count || need.stop.is_some_and(stop)
            }
            _ => true,
        }
    }

    /// Makes a stream one of bytes (-1) or of wide characters (1) if it is neither yet; tells whether it is that.
    pub(super) fn orient_stream(&mut self, pointer: Pointer, orientation: i8) -> Result<bool, Halt> {
        match self.stream(pointer)?.orientation {
            0 => self.change_stream(pointer, |stream| stream.orientation = orientation).map(|()| true),
            other => Ok(other == orientation),
        }
    }

    /// Takes bytes from a stream: at most `count`, and none after the first that equals `stop`. Fewer mean the end
    /// or an error; which is marked in the stream.
    pub(super) fn take_from_stream(
        &mut self,
        pointer: Pointer,
        count: usize,
        stop: Option<u8>,
    ) -> Result<Vec<u8>, Halt> {
        self.orient_stream(pointer, -1)?;
        if !self.stream(pointer)?.readable {
            self.stream_failed(pointer, libc::EBADF)?;
            return Ok(Vec::new());
        }
        let mut result = Vec::new();
        let finished =
            |result: &Vec<u8>| result.len() >= count || stop.is_some() && result.last().copied() == stop;
        while !finished(&result) && !self.stream(pointer)?.pushed.is_empty() {
            result.extend(self.change_stream(pointer, |stream| stream.pushed.pop())?);
        }
        while !finished(&result) && !self.stream(pointer)?.end {
            let wanted = match stop {
                Some(_) => (count - result.len()).min(256),
                None => count - result.len(),
            };
            let chunk = match self.fetch(pointer, wanted, stop)? {
                Ok(chunk) => chunk,
                Err(errno) => {
                    self.stream_failed(pointer, errno)?;
                    break;
                }
            };
            if chunk.is_empty() {
                self.change_stream(pointer, |stream| stream.end = true)?;
            }
            result.extend(chunk);
        }
        Ok(result)
    }

    /// Takes bytes from what is behind a stream.
    fn fetch(
        &mut self,
        pointer: Pointer,
        count: usize,
        stop: Option<u8>,
    ) -> Result<Result<Vec<u8>, Errno>, Halt> {
        let used = |bytes: &[u8]| match stop.and_then(|stop| bytes.iter().position(|&byte| byte == stop)) {
            Some(at) => at + 1,
            None => bytes.len(),
        };
        let backing = self.stream(pointer)?.backing.clone();
        Ok(match backing {
            Backing::Closed => Err(libc::EBADF),
            Backing::Descriptor(descriptor) => {
                if let Some((0, true)) = self.pipe_input(descriptor) {
                    return Err(Halt::unsupported(
                        "reading of a stream on a pipe that so far holds only a part",
                    ));
                }
                self.read_descriptor(descriptor, count as u64, None).map(|mut bytes| {
                    let used = used(&bytes);
                    self.files_mut().give_back(descriptor, &bytes[used..]);
                    bytes.truncate(used);
                    self.note_incoming(descriptor, &bytes, None);
                    bytes
                })
            }
            Backing::Memory { buffer, position, end, .. } => {
                let count = end.saturating_sub(position).min(count as u64);
                let mut bytes = self.read(buffer.offset(position as i64), count)?;
                bytes.truncate(used(&bytes));
                let taken = bytes.len() as u64;
                self.change_stream(pointer, |stream| {
                    if let Backing::Memory { position, .. } = &mut stream.backing {
                        *position += taken;
                    }
                })?;
                Ok(bytes)
            }
            Backing::Growing { .. } => Err(libc::EBADF),
        })
    }

    /// Writes bytes to a stream and notes the event; tells whether that went well.
    pub(super) fn put_to_stream(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<bool, Halt> {
        self.orient_stream(pointer, -1)?;
        if !matches!(self.stream(pointer)?.backing, Backing::Descriptor(_)) {
            self.machine.told_to_itself();
        }
        let stream = self.stream(pointer)?;
        let backing = stream.backing.clone();
        let written = match (stream.writable, backing) {
            (false, _) | (_, Backing::Closed) => Err(libc::EBADF),
            (_, Backing::Descriptor(descriptor)) => {
                self.write_descriptor(descriptor, bytes, None).map(|_| ())
            }
            (_, Backing::Memory { .. }) => self.put_to_memory(pointer, bytes)?,
            (_, Backing::Growing { .. }) => {
                self.change_stream(pointer, |stream| {
                    if let Backing::Growing { bytes: all, position, .. } = &mut stream.backing {
                        let start = *position as usize;
                        let all = Arc::make_mut(all);
                        all.resize(all.len().max(start + bytes.len()), 0);
                        all[start..start + bytes.len()].copy_from_slice(bytes);
                        *position += bytes.len() as u64;
                    }
                })?;
                Ok(())
            }
        };
        self.event(EventKind::Output, pointer.address, &[], bytes);
        match written {
            Ok(()) => Ok(true),
            Err(errno) => {
                self.check_broken_pipe(errno)?;
                self.stream_failed(pointer, errno).map(|()| false)
            }
        }
    }

    fn put_to_memory(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<Result<(), Errno>, Halt> {
        let Backing::Memory { buffer, size, position, end, append, .. } = self.stream(pointer)?.backing
        else {
            return Ok(Err(libc::EBADF));
        };
        let terminate = bytes.last() != Some(&0);
        let start = if append { end } else { position };
        let room = size.saturating_sub(start).min(bytes.len() as u64);
        let part = &bytes[..room as usize];
        self.write(buffer.offset(start as i64), part)?;
        let after = start + room;
        if after > end && terminate {
            // The terminator is written if there is room; a full buffer loses its last byte to it.
            if after < size {
                self.write_int(buffer.offset(after as i64), 1, 0)?;
            } else if !append && size > 0 {
                self.write_int(buffer.offset(size as i64 - 1), 1, 0)?;
            }
        }
        self.change_stream(pointer, |stream| {
            if let Backing::Memory { position, end, .. } = &mut stream.backing {
                *position = after;
                *end = after.max(*end);
            }
        })?;
        Ok(if part.len() < bytes.len() { Err(libc::ENOSPC) } else { Ok(()) })
    }

    /// Tells the program where the bytes of a growing stream are now.
    pub(super) fn flush_stream(&mut self, pointer: Pointer) -> Result<(), Halt> {
        self.hand_over(pointer, false)
    }

    fn hand_over(&mut self, pointer: Pointer, closing: bool) -> Result<(), Halt> {
        let Backing::Growing { bytes, position, block, block_at, size_at } =
            self.stream(pointer)?.backing.clone()
        else {
            return Ok(());
        };
        let size = position.min(bytes.len() as u64);
        // At the end glibc cuts the text at the position; before, it leaves what lies behind that.
        let shown = if closing { size as usize } else { bytes.len() };
        let mut all = bytes[..shown].to_vec();
        all.push(0);
        let Some(new) = self.allocate_heap(&all)? else {
            return self.stream_failed(pointer, libc::ENOMEM);
        };
        self.free_heap(block)?;
        self.write_pointer(block_at, new)?;
        self.write_int(size_at, 8, size)?;
        self.change_stream(pointer, |stream| {
            if let Backing::Growing { block, .. } = &mut stream.backing {
                *block = new;
            }
        })
    }

    /// Moves a stream's position.
    pub(super) fn seek_stream(
        &mut self,
        pointer: Pointer,
        by: i64,
        whence: i32,
    ) -> Result<Result<u64, Errno>, Halt> {
        let stream = self.stream(pointer)?;
        let pushed = stream.pushed.len() as i64;
        let backing = stream.backing.clone();
        let by = if whence == libc::SEEK_CUR { by.saturating_sub(pushed) } else { by };
        let moved = |position: u64, end: u64| {
            let base = match whence {
                libc::SEEK_SET => 0,
                libc::SEEK_CUR => position,
                libc::SEEK_END => end,
                _ => return Err(libc::EINVAL),
            };
            u64::try_from(base as i64 + by).map_err(|_| libc::EINVAL)
        };
        let result = match &backing {
            Backing::Closed => Err(libc::EBADF),
            Backing::Descriptor(descriptor) => self.seek_descriptor(*descriptor, by, whence),
            Backing::Memory { position, end, size, .. } => {
                moved(*position, *end).and_then(|to| if to <= *size { Ok(to) } else { Err(libc::EINVAL) })
            }
            Backing::Growing { position, bytes, .. } => moved(*position, bytes.len() as u64),
        };
        if let Ok(to) = result {
            self.change_stream(pointer, |stream| {
                stream.pushed.clear();
                stream.end = false;
                if let Backing::Memory { position, .. } | Backing::Growing { position, .. } =
                    &mut stream.backing
                {
                    *position = to;
                }
            })?;
        }
        Ok(result)
    }

    /// A stream's position.
    pub(super) fn tell_stream(&mut self, pointer: Pointer) -> Result<Result<u64, Errno>, Halt> {
        let stream = self.stream(pointer)?;
        let pushed = stream.pushed.len() as u64;
        let position = match stream.backing.clone() {
            Backing::Closed => Err(libc::EBADF),
            Backing::Descriptor(descriptor) => self.seek_descriptor(descriptor, 0, libc::SEEK_CUR),
            Backing::Memory { position, .. } | Backing::Growing { position, .. } => Ok(position),
        };
        Ok(position.map(|position| position.saturating_sub(pushed)))
    }

    /// Closes what is behind a stream; the stream stays.
    pub(super) fn detach_stream(&mut self, pointer: Pointer) -> Result<Result<(), Errno>, Halt> {
        self.hand_over(pointer, true)?;
        let backing =
            self.change_stream(pointer, |stream| std::mem::replace(&mut stream.backing, Backing::Closed))?;
        match backing {
            Backing::Descriptor(descriptor) => Ok(self.files_mut().close(descriptor)),
            Backing::Memory { buffer, owned: true, .. } => self.free_heap(buffer).map(Ok),
            Backing::Memory { .. } | Backing::Growing { .. } => Ok(Ok(())),
            Backing::Closed => Ok(Err(libc::EBADF)),
        }
    }
}
