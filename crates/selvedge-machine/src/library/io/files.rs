//! Open files and their contents, as this execution sees them.
//!
//! A file of the host is read when the program first opens it; that and the look at what a path names are the only
//! places where the machine looks outside. From then on the contents are state of the execution. Writing, creating,
//! renaming and deleting happen in an overlay above the host's files and never reach the host. `/proc`, `/sys` and
//! most of `/dev` are hidden: they tell about the host and would make two runs differ.
//!
//! Copies share contents, so a snapshot costs little.

use super::pipes::{End, Pipe};
use super::streams::Stream;
use crate::memory::Pointer;
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// An error number of the C library.
pub type Errno = i32;

/// Descriptors that may be open at once, as under the usual `ulimit -n`.
const MOST_DESCRIPTORS: usize = 1024;

/// The contents of a file. The digest is computed at most once for each version.
#[derive(Default)]
pub struct Content {
    pub bytes: Vec<u8>,
    digest: OnceLock<u128>,
}

impl Content {
    pub(super) fn new(bytes: Vec<u8>) -> Arc<Self> {
        Arc::new(Content { bytes, digest: OnceLock::new() })
    }
}

impl Clone for Content {
    fn clone(&self) -> Self {
        Content { bytes: self.bytes.clone(), digest: OnceLock::new() }
    }
}

impl Hash for Content {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.get_or_init(|| xxhash_rust::xxh3::xxh3_128(&self.bytes)).hash(state);
    }
}

/// A file or directory, under whatever names.
#[derive(Clone, Hash)]
pub struct Node {
    /// `None`: a directory.
    pub content: Option<Arc<Content>>,
    pub mode: u32,
    /// Number of names.
    pub links: u32,
}

/// What an open file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Standard input.
    Input,
    /// Standard output (1) or standard error (2).
    Output(i32),
    /// A file or directory, by its node's number.
    Node(u64),
    Pipe(u32, End),
    /// A counter that threads wait at and add to (`eventfd`); as a semaphore it gives one at a time.
    Counter {
        value: u64,
        semaphore: bool,
    },
    /// `/dev/null`.
    Null,
    /// `/dev/zero`.
    Zero,
    /// `/dev/random` and `/dev/urandom`.
    Random,
}

/// An open file: what several descriptors may share.
#[derive(Clone, Hash)]
pub struct Open {
    pub target: Target,
    pub offset: u64,
    /// As given to `open`: access mode, `O_APPEND`, `O_NONBLOCK`.
    pub flags: i32,
    descriptors: u32,
}

impl Open {
    pub fn readable(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_WRONLY
    }

    pub fn writable(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_RDONLY
    }
}

/// A descriptor: which open file, and whether `exec` would close it.
#[derive(Clone, Copy, Hash)]
pub struct Descriptor {
    pub open: u32,
    pub close_on_exec: bool,
}

/// What `stat` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub node: u64,
    pub mode: u32,
    pub links: u32,
    pub size: u64,
}

/// The files of an execution.
#[derive(Clone)]
pub struct Files {
    /// The current directory, once it was changed.
    pub(super) directory: Option<Vec<u8>>,
    /// Names that differ from the host's: absolute path to node, or to nothing where it was removed.
    pub(super) names: BTreeMap<Vec<u8>, Option<u64>>,
    pub(super) nodes: BTreeMap<u64, Node>,
    pub(super) opens: BTreeMap<u32, Open>,
    descriptors: Vec<Option<Descriptor>>,
    pub pipes: BTreeMap<u32, Pipe>,
    /// Streams by the address of their `FILE`.
    pub streams: BTreeMap<u64, Stream>,
    /// The `FILE`s of standard input, output and error as they were at the start.
    pub standard: [Pointer; 3],
    /// Addresses of the variables `stdin`, `stdout`, `stderr` where the program has them.
    pub variables: [Option<u64>; 3],
    pub(super) created: u64,
    /// Files whose contents were given, by node, as long as the program has not written to them.
    given: BTreeMap<u64, String>,
    /// Of everything, once it was asked for since the last change.
    digest: OnceLock<u128>,
}

impl Default for Files {
    fn default() -> Self {
        let standard = [
            (Target::Input, libc::O_RDONLY),
            (Target::Output(1), libc::O_WRONLY),
            (Target::Output(2), libc::O_WRONLY),
        ];
        let opens = standard.map(|(target, flags)| Open { target, offset: 0, flags, descriptors: 1 });
        Files {
            directory: None,
            names: BTreeMap::new(),
            nodes: BTreeMap::new(),
            opens: (0..).zip(opens).collect(),
            descriptors: (0..3).map(|open| Some(Descriptor { open, close_on_exec: false })).collect(),
            pipes: BTreeMap::new(),
            streams: BTreeMap::new(),
            standard: [Pointer::NULL; 3],
            variables: [None; 3],
            created: 0,
            given: BTreeMap::new(),
            digest: OnceLock::new(),
        }
    }
}

impl Files {
    /// The files at the start: the program finds these contents, whatever the host has.
    pub fn with_contents(contents: &BTreeMap<String, Vec<u8>>) -> Self {
        let mut files = Files::default();
        for (name, bytes) in contents {
            if let Ok(path) = files.absolute(name.as_bytes()) {
                let node = files.create(&path, Some(bytes.clone()), libc::S_IFREG | 0o644);
                files.given.insert(node, name.clone());
            }
        }
        files
    }

    /// A file is about to be written to; whether its contents were given.
    pub(super) fn is_given_no_more(&mut self, node: u64) -> bool {
        self.given.remove(&node).is_some()
    }

    /// The name under which a file's contents were given.
    pub(super) fn given_file(&self, node: u64) -> Option<String> {
        self.given.get(&node).cloned()
    }

    /// The files, to be changed: nothing else changes them.
    pub fn change(this: &mut Arc<Files>) -> &mut Files {
        let files = Arc::make_mut(this);
        files.digest = OnceLock::new();
        files
    }

    /// Hash of everything that can influence the rest of an execution.
    pub fn hash(&self) -> u128 {
        *self.digest.get_or_init(|| {
            let mut hasher = xxhash_rust::xxh3::Xxh3::new();
            self.feed(&mut hasher);
            hasher.digest128()
        })
    }

    /// Hash of how far everything has been read and written; not of what is in it.
    pub fn positions(&self) -> u64 {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        (&self.opens, &self.descriptors, &self.pipes, &self.streams, self.created).hash(&mut hasher);
        hasher.digest()
    }

    fn feed(&self, hasher: &mut impl Hasher) {
        (&self.directory, &self.names, &self.nodes, &self.opens, &self.descriptors).hash(hasher);
        (&self.pipes, &self.streams, self.created).hash(hasher);
    }

    /// Everything that can influence the rest of an execution.
    pub fn parts(&self, parts: &mut Parts<'_>) {
        match parts {
            Parts::Sum(sum) => *sum = sum.wrapping_add(self.hash()),
            Parts::Bytes(visit) => {
                let mut words = Words::new(0);
                self.feed(&mut words);
                visit(PartKind::Files as u8, words.bytes());
                // Of what is in the files the words have only hashes.
                for (number, node) in &self.nodes {
                    if let Some(content) = &node.content {
                        let bytes = [&number.to_le_bytes()[..], &content.bytes].concat();
                        visit(PartKind::Content as u8, &bytes);
                    }
                }
            }
        }
    }

    // Descriptors

    /// The open file behind a descriptor.
    pub fn open_file(&self, descriptor: i32) -> Result<&Open, Errno> {
        let entry = self.descriptor(descriptor)?;
        self.opens.get(&entry.open).ok_or(libc::EBADF)
    }

    /// The open file behind a descriptor.
    pub fn open_file_mut(&mut self, descriptor: i32) -> Result<&mut Open, Errno> {
        let entry = self.descriptor(descriptor)?;
        self.opens.get_mut(&entry.open).ok_or(libc::EBADF)
    }

    /// A descriptor's entry.
    pub fn descriptor(&self, descriptor: i32) -> Result<Descriptor, Errno> {
        let entry = usize::try_from(descriptor).ok().and_then(|index| self.descriptors.get(index));
        entry.copied().flatten().ok_or(libc::EBADF)
    }

    /// Says whether `exec` would close a descriptor.
    pub fn set_close_on_exec(&mut self, descriptor: i32, close_on_exec: bool) -> Result<(), Errno> {
        let entry = Descriptor { close_on_exec, ..self.descriptor(descriptor)? };
        self.descriptors[descriptor as usize] = Some(entry);
        Ok(())
    }

    pub(super) fn install(&mut self, target: Target, flags: i32) -> Result<i32, Errno> {
        let open = (0..).find(|number| !self.opens.contains_key(number)).unwrap_or(u32::MAX);
        let close_on_exec = flags & libc::O_CLOEXEC != 0;
        let descriptor = self.lowest_free(0)?;
        let kept = flags & (libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK);
        self.opens.insert(open, Open { target, offset: 0, flags: kept, descriptors: 1 });
        self.put(descriptor, Descriptor { open, close_on_exec });
        Ok(descriptor as i32)
    }

    fn lowest_free(&self, from: usize) -> Result<usize, Errno> {
        let free = |&index: &usize| self.descriptors.get(index).is_none_or(Option::is_none);
        (from..MOST_DESCRIPTORS).find(free).ok_or(libc::EMFILE)
    }

    fn put(&mut self, index: usize, descriptor: Descriptor) {
        if self.descriptors.len() <= index {
            self.descriptors.resize(index + 1, None);
        }
        self.descriptors[index] = Some(descriptor);
    }

    /// `dup` and `F_DUPFD`: another descriptor for the same open file, at least `from`.
    pub fn duplicate(&mut self, descriptor: i32, from: i32, close_on_exec: bool) -> Result<i32, Errno> {
        let open = self.descriptor(descriptor)?.open;
        let from = usize::try_from(from).ok().filter(|&from| from < MOST_DESCRIPTORS).ok_or(libc::EINVAL)?;
        let index = self.lowest_free(from)?;
        self.put(index, Descriptor { open, close_on_exec });
        self.count(open, 1);
        Ok(index as i32)
    }

    /// `dup2`: makes `to` a descriptor of what `from` is one of.
    pub fn duplicate_to(&mut self, from: i32, to: i32, close_on_exec: bool) -> Result<i32, Errno> {
        let open = self.descriptor(from)?.open;
        let index = usize::try_from(to).ok().filter(|&to| to < MOST_DESCRIPTORS).ok_or(libc::EBADF)?;
        if from != to {
            self.count(open, 1);
            if self.descriptor(to).is_ok() {
                self.close(to)?;
            }
            self.put(index, Descriptor { open, close_on_exec });
        }
        Ok(to)
    }

    fn count(&mut self, open: u32, more: u32) {
        if let Some(open) = self.opens.get_mut(&open) {
            open.descriptors += more;
        }
    }

    /// Closes a descriptor, and with the last one the open file.
    pub fn close(&mut self, descriptor: i32) -> Result<(), Errno> {
        let entry = self.descriptor(descriptor)?;
        self.descriptors[descriptor as usize] = None;
        let Some(open) = self.opens.get_mut(&entry.open) else { return Ok(()) };
        open.descriptors -= 1;
        if open.descriptors > 0 {
            return Ok(());
        }
        let target = open.target;
        self.opens.remove(&entry.open);
        match target {
            Target::Node(node) => self.forget_if_unused(node),
            Target::Pipe(pipe, end) => self.close_end(pipe, end),
            _ => {}
        }
        Ok(())
    }

    fn close_end(&mut self, number: u32, end: End) {
        let Some(pipe) = self.pipes.get_mut(&number) else { return };
        pipe.close(end);
        if pipe.is_abandoned() {
            self.pipes.remove(&number);
        }
    }

    /// Makes a pipe: the descriptors to read from and to write to.
    pub fn pipe(&mut self, flags: i32) -> Result<(i32, i32), Errno> {
        let number = (0..).find(|number| !self.pipes.contains_key(number)).unwrap_or(u32::MAX);
        let flags = flags & (libc::O_CLOEXEC | libc::O_NONBLOCK);
        self.pipes.insert(number, Pipe::new());
        let reader = self.install(Target::Pipe(number, End::Read), flags | libc::O_RDONLY);
        let writer =
            reader.and_then(|_| self.install(Target::Pipe(number, End::Write), flags | libc::O_WRONLY));
        match (reader, writer) {
            (Ok(reader), Ok(writer)) => Ok((reader, writer)),
            (reader, _) => {
                if let Ok(reader) = reader {
                    self.close(reader)?;
                }
                self.pipes.remove(&number);
                Err(libc::EMFILE)
            }
        }
    }

    /// Whether a byte is among those in the pipe that a descriptor reads from.
    pub fn pipe_contains(&self, descriptor: i32, byte: u8) -> bool {
        match self.open_file(descriptor).map(|open| open.target) {
            Ok(Target::Pipe(pipe, End::Read)) => {
                self.pipes.get(&pipe).is_some_and(|pipe| pipe.bytes.contains(&byte))
            }
            _ => false,
        }
    }

    /// Undoes the reading of the last bytes.
    pub fn give_back(&mut self, descriptor: i32, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let Ok(open) = self.open_file_mut(descriptor) else { return };
        match open.target {
            Target::Pipe(pipe, _) => {
                if let Some(pipe) = self.pipes.get_mut(&pipe) {
                    bytes.iter().rev().for_each(|&byte| pipe.bytes.push_front(byte));
                }
            }
            _ => open.offset = open.offset.saturating_sub(bytes.len() as u64),
        }
    }

    // Contents

    /// The bytes of a file; `EISDIR` for a directory.
    pub fn bytes(&self, node: u64) -> Result<&[u8], Errno> {
        let content = self.nodes.get(&node).and_then(|node| node.content.as_ref());
        content.map(|content| content.bytes.as_slice()).ok_or(libc::EISDIR)
    }

    fn bytes_mut(&mut self, node: u64) -> Result<&mut Vec<u8>, Errno> {
        let content = self.nodes.get_mut(&node).and_then(|node| node.content.as_mut()).ok_or(libc::EISDIR)?;
        let content = Arc::make_mut(content);
        content.digest = OnceLock::new();
        Ok(&mut content.bytes)
    }

    /// Changes the length of a file.
    pub fn resize(&mut self, node: u64, size: u64) -> Result<(), Errno> {
        let size = usize::try_from(size).ok().filter(|&size| size < 1 << 32).ok_or(libc::EFBIG)?;
        self.bytes_mut(node)?.resize(size, 0);
        Ok(())
    }

    /// Writes to a file, which grows as needed.
    pub fn write_at(&mut self, node: u64, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        let end = offset.checked_add(bytes.len() as u64).ok_or(libc::EFBIG)?;
        if self.bytes(node)?.len() < end as usize {
            self.resize(node, end)?;
        }
        self.bytes_mut(node)?[offset as usize..end as usize].copy_from_slice(bytes);
        Ok(())
    }
}
