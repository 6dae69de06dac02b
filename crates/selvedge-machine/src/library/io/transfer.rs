//! Moving bytes between the program and its open files; what the models of descriptors and streams share.

use super::files::{Errno, Files, Open, Target};
use super::pipes::{CAPACITY, End};
use crate::halt::{Halt, ViolationKind};
use crate::library::signals::ignored;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use selvedge_terms::Source;
use selvedge_trace::{EventKind, Operation};

/// An entry of a table of models: what is always visible touches at most what its arguments point to.
pub const fn native(
    name: &'static str,
    visibility: Visibility,
    run: fn(&mut Context<'_>) -> Result<Flow, Halt>,
) -> Native {
    let reach = match visibility {
        Visibility::Always { .. } => Reach::Arguments(&[]),
        Visibility::IfShared | Visibility::Private => Reach::Anything,
    };
    Native::visible(name, visibility, reach, run)
}

/// Bytes that are read from a counter and written to one.
pub const COUNTER_BYTES: usize = 8;
/// What a counter can hold.
pub const MOST_COUNTED: u64 = u64::MAX - 1;

/// Operations that are always possible.
pub fn always_possible(_: &mut Context<'_>) -> u32 {
    1
}

impl Context<'_> {
    /// The files of this execution.
    pub(super) fn files(&self) -> &Files {
        &self.machine.world.files
    }

    /// The files of this execution, to be changed.
    pub(super) fn files_mut(&mut self) -> &mut Files {
        Files::change(&mut self.machine.world.files)
    }

    /// What operations on a descriptor are about, for the scheduler: the standard stream behind it, or 0 for the
    /// file system as a whole.
    pub(super) fn descriptor_address(&self, descriptor: i32) -> u64 {
        let standard = self.files().standard;
        match self.files().open_file(descriptor).map(|open| open.target) {
            Ok(Target::Input) => standard[0].address,
            Ok(Target::Output(1)) => standard[1].address,
            Ok(Target::Output(_)) => standard[2].address,
            _ => 0,
        }
    }

    /// The operation of a model that reads from or writes to a descriptor.
    pub(super) fn descriptor_operation(&self, kind: EventKind, descriptor: i32) -> Operation {
        Operation::sync(kind, self.descriptor_address(descriptor))
    }

    /// Bytes that can be read from a pipe or counter now, and whether more can come; `None` for anything else.
    pub(super) fn pipe_input(&self, descriptor: i32) -> Option<(usize, bool)> {
        let open = self.files().open_file(descriptor).ok()?;
        match open.target {
            Target::Pipe(pipe, End::Read) => {
                let waits = open.flags & libc::O_NONBLOCK == 0;
                self.files().pipes.get(&pipe).map(|pipe| (pipe.bytes.len(), pipe.has_writer() && waits))
            }
            Target::Counter { value, .. } => {
                Some((if value > 0 { COUNTER_BYTES } else { 0 }, open.flags & libc::O_NONBLOCK == 0))
            }
            _ => None,
        }
    }

    /// Whether writing so many bytes would not wait.
    pub(super) fn output_ready(&self, descriptor: i32, count: u64) -> bool {
        let Ok(open) = self.files().open_file(descriptor) else { return true };
        match open.target {
            Target::Pipe(pipe, End::Write) if open.flags & libc::O_NONBLOCK == 0 => {
                let wanted = count.min(CAPACITY as u64) as usize;
                self.files().pipes.get(&pipe).is_none_or(|pipe| !pipe.has_reader() || pipe.room() >= wanted)
            }
            _ => true,
        }
    }

    /// Reads at most `count` bytes from a descriptor, at its offset or at a given one.
    pub(super) fn read_descriptor(
        &mut self,
        descriptor: i32,
        count: u64,
        at: Option<u64>,
    ) -> Result<Vec<u8>, Errno> {
        let open = self.files().open_file(descriptor)?.clone();
        if !open.readable() {
            return Err(libc::EBADF);
        }
        self.drain_at_pipe(open.target);
        let part = |all: &[u8]| {
            let start = at.unwrap_or(open.offset).min(all.len() as u64) as usize;
            let end = all.len().min(start.saturating_add(count as usize));
            all[start..end].to_vec()
        };
        let bytes = match open.target {
            Target::Input if at.is_some() => return Err(libc::ESPIPE),
            Target::Input => part(&self.machine.world.inputs.stdin),
            Target::Node(node) => part(self.files().bytes(node)?),
            Target::Null => Vec::new(),
            Target::Zero => vec![0; count as usize],
            Target::Random => self.next_random_bytes(count),
            Target::Output(_) | Target::Pipe(_, End::Write) => return Err(libc::EBADF),
            Target::Pipe(..) | Target::Counter { .. } if at.is_some() => return Err(libc::ESPIPE),
            Target::Pipe(pipe, End::Read) => return self.read_pipe(pipe, count, &open),
            Target::Counter { value, semaphore } => {
                return self.take_from_counter(descriptor, count, value, semaphore);
            }
        };
        if at.is_none() && !bytes.is_empty() {
            self.files_mut().open_file_mut(descriptor)?.offset += bytes.len() as u64;
        }
        Ok(bytes)
    }

    /// The kernel takes the lock of a pipe for whatever is done with it: what the thread has stored is visible then.
    pub(super) fn drain_at_pipe(&mut self, target: Target) {
        if matches!(target, Target::Pipe(..) | Target::Counter { .. }) {
            self.drain();
        }
    }

    /// Bytes have been read from a descriptor, at its offset (which is behind them now) or at a given one: they are symbols
    /// where what is behind it is symbolic.
    pub(super) fn note_incoming(&mut self, descriptor: i32, bytes: &[u8], at: Option<u64>) {
        if self.machine.concolic.is_none() || bytes.is_empty() {
            return;
        }
        let Ok(open) = self.files().open_file(descriptor).cloned() else { return };
        let source = match open.target {
            Target::Input => Some(Source::StandardInput),
            Target::Node(node) => self.files().given_file(node).map(Source::File),
            _ => None,
        };
        let start = at.unwrap_or(open.offset.saturating_sub(bytes.len() as u64));
        if let Some(source) = source {
            self.machine.concolic_incoming(&source, start, bytes);
        }
    }

    /// Takes from a counter: all of it, or one.
    fn take_from_counter(
        &mut self,
        descriptor: i32,
        count: u64,
        value: u64,
        semaphore: bool,
    ) -> Result<Vec<u8>, Errno> {
        if count < COUNTER_BYTES as u64 {
            return Err(libc::EINVAL);
        }
        let taken = match (value, semaphore) {
            (0, _) => return Err(libc::EAGAIN),
            (_, true) => 1,
            (all, false) => all,
        };
        self.files_mut().open_file_mut(descriptor)?.target =
            Target::Counter { value: value - taken, semaphore };
        Ok(taken.to_le_bytes().to_vec())
    }

    /// Adds to a counter. There has to be room.
    fn add_to_counter(
        &mut self,
        descriptor: i32,
        bytes: &[u8],
        value: u64,
        semaphore: bool,
    ) -> Result<u64, Errno> {
        let more = bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)).ok_or(libc::EINVAL)?;
        let value = match value.checked_add(more).filter(|&sum| sum <= MOST_COUNTED) {
            Some(sum) => sum,
            None if more == u64::MAX => return Err(libc::EINVAL),
            None => return Err(libc::EAGAIN),
        };
        self.files_mut().open_file_mut(descriptor)?.target = Target::Counter { value, semaphore };
        Ok(COUNTER_BYTES as u64)
    }

    fn read_pipe(&mut self, pipe: u32, count: u64, open: &Open) -> Result<Vec<u8>, Errno> {
        let pipe = self.files_mut().pipes.get_mut(&pipe).ok_or(libc::EBADF)?;
        if pipe.bytes.is_empty() && pipe.has_writer() && open.flags & libc::O_NONBLOCK != 0 {
            return Err(libc::EAGAIN);
        }
        let count = pipe.bytes.len().min(count as usize);
        Ok(pipe.bytes.drain(..count).collect())
    }

    /// Writes bytes to a descriptor, at its offset or at a given one.
    pub(super) fn write_descriptor(
        &mut self,
        descriptor: i32,
        bytes: &[u8],
        at: Option<u64>,
    ) -> Result<u64, Errno> {
        let open = self.files().open_file(descriptor)?.clone();
        if !open.writable() {
            return Err(libc::EBADF);
        }
        if !matches!(open.target, Target::Output(_) | Target::Null) {
            self.machine.told_to_itself();
        }
        // The kernel moves bytes into a file under a lock, too; reading them may do without.
        if matches!(open.target, Target::Pipe(..) | Target::Node(_) | Target::Counter { .. }) {
            self.drain();
        }
        match open.target {
            Target::Output(_) | Target::Pipe(..) | Target::Counter { .. } if at.is_some() => {
                return Err(libc::ESPIPE);
            }
            Target::Counter { value, semaphore } => {
                return self.add_to_counter(descriptor, bytes, value, semaphore);
            }
            Target::Output(number) => self.put_out(number, bytes),
            Target::Node(node) => {
                if self.files_mut().is_given_no_more(node) {
                    self.machine.beyond("files that are symbolic at first and written to later");
                }
                let files = self.files_mut();
                let end = files.bytes(node)?.len() as u64;
                let append = open.flags & libc::O_APPEND != 0;
                let offset = if append { end } else { at.unwrap_or(open.offset) };
                files.write_at(node, offset, bytes)?;
                if at.is_none() {
                    files.open_file_mut(descriptor)?.offset = offset + bytes.len() as u64;
                }
            }
            Target::Pipe(pipe, End::Write) => {
                let pipe = self.files_mut().pipes.get_mut(&pipe).ok_or(libc::EBADF)?;
                if !pipe.has_reader() {
                    return Err(libc::EPIPE);
                }
                if pipe.room() < bytes.len() && open.flags & libc::O_NONBLOCK != 0 {
                    return Err(libc::EAGAIN);
                }
                pipe.bytes.extend(bytes);
            }
            Target::Null | Target::Zero | Target::Random => {}
            Target::Input | Target::Pipe(_, End::Read) => return Err(libc::EBADF),
        }
        Ok(bytes.len() as u64)
    }

    /// What a failed write does besides failing: on a pipe without a reader a signal ends the program.
    pub(super) fn check_broken_pipe(&mut self, errno: Errno) -> Result<(), Halt> {
        if errno == libc::EPIPE && !ignored(self, libc::SIGPIPE)? {
            let message = "the program wrote to a pipe that nobody reads, and SIGPIPE ended it";
            return Err(Halt::violation(ViolationKind::Abort, message));
        }
        Ok(())
    }

    fn put_out(&mut self, number: i32, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.machine.world.output.write(number, bytes);
    }

    /// Moves a descriptor's offset; tells the new one.
    pub(super) fn seek_descriptor(&mut self, descriptor: i32, by: i64, whence: i32) -> Result<u64, Errno> {
        let open = self.files().open_file(descriptor)?;
        let base = match (open.target, whence) {
            (Target::Input | Target::Output(_) | Target::Pipe(..) | Target::Counter { .. }, _) => {
                return Err(libc::ESPIPE);
            }
            (_, libc::SEEK_SET) => 0,
            (_, libc::SEEK_CUR) => open.offset as i64,
            (Target::Node(node), libc::SEEK_END) => {
                self.files().bytes(node).map_or(0, |bytes| bytes.len() as i64)
            }
            (_, libc::SEEK_END) => 0,
            _ => return Err(libc::EINVAL),
        };
        let offset = base.checked_add(by).ok_or(libc::EOVERFLOW)?;
        let offset = u64::try_from(offset).map_err(|_| libc::EINVAL)?;
        self.files_mut().open_file_mut(descriptor)?.offset = offset;
        Ok(offset)
    }

    /// Ends a model whose result is a number, or -1 and errno.
    pub(super) fn finish(&mut self, result: Result<u64, Errno>) -> Result<Flow, Halt> {
        match result {
            Ok(value) => self.return_int(value),
            Err(errno) => self.fail(errno),
        }
    }

    /// Ends a model with errno and a null pointer.
    pub(super) fn fail_null(&mut self, errno: Errno) -> Result<Flow, Halt> {
        self.set_errno(errno)?;
        self.return_pointer(Pointer::NULL)
    }

    /// A path argument.
    pub(super) fn path(&mut self, index: usize) -> Result<Vec<u8>, Halt> {
        let pointer = self.pointer(index)?;
        self.read_string(pointer, None)
    }

    /// An argument that a variadic function may have been given.
    pub(super) fn optional(&self, index: usize) -> Result<u64, Halt> {
        if index < self.arguments() { self.int(index) } else { Ok(0) }
    }

    /// Allocates a block that the program frees, and fills it. `None` when memory is exhausted.
    pub(super) fn allocate_heap(&mut self, bytes: &[u8]) -> Result<Option<Pointer>, Halt> {
        let Some(block) = self.allocate(bytes.len() as u64, 16, ObjectKind::Heap) else { return Ok(None) };
        self.write(block, bytes)?;
        Ok(Some(block))
    }

    /// Frees a block that the program owns, as `realloc` does.
    pub(super) fn free_heap(&mut self, block: Pointer) -> Result<(), Halt> {
        if !block.is_null() {
            self.machine.memory.object_at_start(block)?;
            let position = self.machine.inspect().user_position(self.thread);
            self.machine.free_object(self.thread, block, position);
        }
        Ok(())
    }
}
