//! Open files and their contents, as this execution sees them.
//!
//! A file of the host is read when the program first opens it; that and the look at what a path names are the only
//! places where the machine looks outside. From then on the contents are state of the execution. Writing, creating,
//! renaming and deleting happen in an overlay above the host's files and never reach the host. `/proc`, `/sys` and
//! most of `/dev` are hidden: they tell about the host and would make two runs differ.
//!
//! Copies share contents, so a snapshot costs little.

use super::host;
use super::pipes::{End, Pipe};
use super::streams::Stream;
use crate::memory::Pointer;
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
    fn new(bytes: Vec<u8>) -> Arc<Self> {
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

/// What a path leads to.
enum Found {
    Nothing,
    Node(u64),
    /// On the host, not looked into yet.
    Host(Status),
}

/// The files of an execution.
#[derive(Clone)]
pub struct Files {
    /// The current directory, once it was changed.
    directory: Option<Vec<u8>>,
    /// Names that differ from the host's: absolute path to node, or to nothing where it was removed.
    names: BTreeMap<Vec<u8>, Option<u64>>,
    nodes: BTreeMap<u64, Node>,
    opens: BTreeMap<u32, Open>,
    descriptors: Vec<Option<Descriptor>>,
    pub pipes: BTreeMap<u32, Pipe>,
    /// Streams by the address of their `FILE`.
    pub streams: BTreeMap<u64, Stream>,
    /// The `FILE`s of standard input, output and error as they were at the start.
    pub standard: [Pointer; 3],
    /// Addresses of the variables `stdin`, `stdout`, `stderr` where the program has them.
    pub variables: [Option<u64>; 3],
    created: u64,
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
            digest: OnceLock::new(),
        }
    }
}

impl Files {
    /// The files, to be changed: the only way to do so.
    pub fn change(this: &mut Arc<Files>) -> &mut Files {
        let files = Arc::make_mut(this);
        files.digest = OnceLock::new();
        files
    }

    /// Hash of everything that can influence the future.
    pub fn hash(&self) -> u128 {
        *self.digest.get_or_init(|| {
            let mut hasher = xxhash_rust::xxh3::Xxh3::new();
            (&self.directory, &self.names, &self.nodes, &self.opens, &self.descriptors).hash(&mut hasher);
            (&self.pipes, &self.streams, self.created).hash(&mut hasher);
            hasher.digest128()
        })
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

    fn install(&mut self, target: Target, flags: i32) -> Result<i32, Errno> {
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

    /// Whether a byte is among those on their way through the pipe that a descriptor reads from.
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

    // Paths

    /// The current directory.
    pub fn current_directory(&self) -> Vec<u8> {
        self.directory.clone().unwrap_or_else(host::current_directory)
    }

    /// `chdir`.
    pub fn change_directory(&mut self, path: &[u8]) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        match self.status_of(&path)?.mode & libc::S_IFMT == libc::S_IFDIR {
            true => self.directory = Some(path),
            false => return Err(libc::ENOTDIR),
        }
        Ok(())
    }

    /// A path from the root, without `.` and `..`.
    pub fn absolute(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        if path.is_empty() {
            return Err(libc::ENOENT);
        }
        let start = if path[0] == b'/' { Vec::new() } else { self.current_directory() };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in start.split(|&byte| byte == b'/').chain(path.split(|&byte| byte == b'/')) {
            match part {
                b"" | b"." => {}
                b".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let mut result = Vec::new();
        for part in parts {
            result.push(b'/');
            result.extend(part);
        }
        if result.is_empty() {
            result.push(b'/');
        }
        Ok(result)
    }

    fn find(&self, path: &[u8]) -> Result<Found, Errno> {
        // The nearest part of the path that the overlay knows decides.
        for end in (1..=path.len()).rev() {
            if end != path.len() && path[end] != b'/' {
                continue;
            }
            match self.names.get(&path[..end]) {
                None => {}
                Some(&Some(node)) if end == path.len() => return Ok(Found::Node(node)),
                Some(&Some(node)) if self.nodes[&node].content.is_some() => return Err(libc::ENOTDIR),
                // A directory of the overlay has only what the overlay has, as does one that is gone.
                Some(_) => return Ok(Found::Nothing),
            }
        }
        match host::status(path) {
            Ok(status) => Ok(Found::Host(status)),
            Err(libc::ENOENT) => Ok(Found::Nothing),
            Err(errno) => Err(errno),
        }
    }

    /// The status of what an absolute path names.
    pub fn status_of(&self, path: &[u8]) -> Result<Status, Errno> {
        match self.find(path)? {
            Found::Nothing => Err(libc::ENOENT),
            Found::Node(number) => Ok(self.node_status(number)),
            Found::Host(status) => Ok(status),
        }
    }

    /// The status of what a path names, or of a symbolic link itself.
    pub fn path_status(&self, path: &[u8], follow: bool) -> Result<Status, Errno> {
        let path = self.absolute(path)?;
        match (self.find(&path)?, follow) {
            (Found::Host(_), false) => host::link_status(&path),
            _ => self.status_of(&path),
        }
    }

    /// Where a symbolic link leads.
    pub fn link(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        let path = self.absolute(path)?;
        match self.find(&path)? {
            Found::Nothing => Err(libc::ENOENT),
            Found::Node(_) => Err(libc::EINVAL),
            Found::Host(_) => host::link(&path),
        }
    }

    fn node_status(&self, number: u64) -> Status {
        let node = &self.nodes[&number];
        let size = node.content.as_ref().map_or(4096, |content| content.bytes.len() as u64);
        Status { node: number, mode: node.mode, links: node.links, size }
    }

    /// The status of an open file.
    pub fn descriptor_status(&self, descriptor: i32, input: u64) -> Result<Status, Errno> {
        let status = |mode, size| Status { node: 0, mode, links: 1, size };
        Ok(match self.open_file(descriptor)?.target {
            Target::Node(node) => self.node_status(node),
            Target::Input => status(libc::S_IFIFO | 0o600, input),
            Target::Output(_) | Target::Pipe(..) => status(libc::S_IFIFO | 0o600, 0),
            Target::Null | Target::Zero | Target::Random => status(libc::S_IFCHR | 0o666, 0),
        })
    }

    fn parent_must_exist(&self, path: &[u8]) -> Result<(), Errno> {
        let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0).max(1);
        match self.status_of(&path[..end])?.mode & libc::S_IFMT == libc::S_IFDIR {
            true => Ok(()),
            false => Err(libc::ENOTDIR),
        }
    }

    fn create(&mut self, path: &[u8], content: Option<Vec<u8>>, mode: u32) -> u64 {
        self.created += 1;
        let number = self.created;
        let content = content.map(Content::new);
        self.nodes.insert(number, Node { content, mode, links: 1 });
        self.names.insert(path.to_vec(), Some(number));
        number
    }

    /// The node that a path names; what is on the host is taken over now.
    fn take_over(&mut self, path: &[u8]) -> Result<u64, Errno> {
        match self.find(path)? {
            Found::Nothing => Err(libc::ENOENT),
            Found::Node(number) => Ok(number),
            Found::Host(status) if status.mode & libc::S_IFMT == libc::S_IFDIR => {
                // Not entered under its name: the overlay would hide what the host has in it.
                self.created += 1;
                self.nodes.insert(self.created, Node { content: None, mode: status.mode, links: 1 });
                Ok(self.created)
            }
            Found::Host(status) => {
                let content = host::contents(path)?;
                Ok(self.create(path, Some(content), status.mode))
            }
        }
    }

    /// Opens a file.
    pub fn open(&mut self, path: &[u8], flags: i32, mode: u32) -> Result<i32, Errno> {
        let directory_wanted = path.last() == Some(&b'/') || flags & libc::O_DIRECTORY != 0;
        let path = self.absolute(path)?;
        let device = match path.as_slice() {
            b"/dev/null" => Some(Target::Null),
            b"/dev/zero" => Some(Target::Zero),
            b"/dev/random" | b"/dev/urandom" => Some(Target::Random),
            b"/dev/stdin" => return self.duplicate(0, 0, flags & libc::O_CLOEXEC != 0),
            b"/dev/stdout" => return self.duplicate(1, 0, flags & libc::O_CLOEXEC != 0),
            b"/dev/stderr" => return self.duplicate(2, 0, flags & libc::O_CLOEXEC != 0),
            _ => None,
        };
        if let Some(device) = device {
            return self.install(device, flags);
        }
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
        let node = match self.find(&path)? {
            Found::Nothing if flags & libc::O_CREAT != 0 => {
                self.parent_must_exist(&path)?;
                match directory_wanted {
                    true => return Err(libc::EISDIR),
                    false => self.create(&path, Some(Vec::new()), libc::S_IFREG | mode & 0o7777 & !0o022),
                }
            }
            Found::Nothing => return Err(libc::ENOENT),
            _ if flags & libc::O_CREAT != 0 && flags & libc::O_EXCL != 0 => return Err(libc::EEXIST),
            _ => self.take_over(&path)?,
        };
        let opened = match &self.nodes[&node].content {
            None if writes || flags & libc::O_CREAT != 0 => Err(libc::EISDIR),
            Some(_) if directory_wanted => Err(libc::ENOTDIR),
            _ => self.install(Target::Node(node), flags),
        };
        if opened.is_ok() && flags & libc::O_TRUNC != 0 && writes {
            self.resize(node, 0)?;
        }
        if opened.is_err() {
            self.forget_if_unused(node);
        }
        opened
    }

    /// Opens a file that has no name.
    pub fn open_nameless(&mut self) -> Result<i32, Errno> {
        self.created += 1;
        let node = Node { content: Some(Content::new(Vec::new())), mode: libc::S_IFREG | 0o600, links: 0 };
        self.nodes.insert(self.created, node);
        self.install(Target::Node(self.created), libc::O_RDWR)
    }

    fn forget_if_unused(&mut self, node: u64) {
        let named = self.names.values().any(|&name| name == Some(node));
        let open = self.opens.values().any(|open| open.target == Target::Node(node));
        if !named && !open {
            self.nodes.remove(&node);
        }
    }

    fn has_children(&self, path: &[u8]) -> bool {
        let inside =
            |name: &[u8]| name.len() > path.len() && name.starts_with(path) && name[path.len()] == b'/';
        let own = self.names.iter().any(|(name, node)| node.is_some() && inside(name));
        own || host::entries(path).into_iter().any(|name| !matches!(self.names.get(&name), Some(None)))
    }

    /// Removes a name: of a file, or of an empty directory.
    pub fn remove(&mut self, path: &[u8], directory: bool) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        let found = self.find(&path)?;
        let is_directory = self.status_of(&path)?.mode & libc::S_IFMT == libc::S_IFDIR;
        match (is_directory, directory) {
            (true, false) => return Err(libc::EISDIR),
            (false, true) => return Err(libc::ENOTDIR),
            (true, true) if self.has_children(&path) => return Err(libc::ENOTEMPTY),
            _ => {}
        }
        self.names.insert(path, None);
        if let Found::Node(node) = found {
            if let Some(node) = self.nodes.get_mut(&node) {
                node.links -= 1;
            }
            self.forget_if_unused(node);
        }
        Ok(())
    }

    /// `mkdir`.
    pub fn make_directory(&mut self, path: &[u8], mode: u32) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        match self.find(&path)? {
            Found::Nothing => {
                self.parent_must_exist(&path)?;
                self.create(&path, None, libc::S_IFDIR | mode & 0o7777 & !0o022);
                Ok(())
            }
            _ => Err(libc::EEXIST),
        }
    }

    /// `rename`.
    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Errno> {
        let (from, to) = (self.absolute(from)?, self.absolute(to)?);
        let is_directory = |status: Status| status.mode & libc::S_IFMT == libc::S_IFDIR;
        let moved = is_directory(self.status_of(&from)?);
        if from == to {
            return Ok(());
        }
        if moved && to.starts_with(&from) && to[from.len()] == b'/' {
            return Err(libc::EINVAL);
        }
        self.parent_must_exist(&to)?;
        match self.status_of(&to).map(is_directory) {
            Err(libc::ENOENT) => {}
            Err(errno) => return Err(errno),
            Ok(true) if !moved => return Err(libc::EISDIR),
            Ok(false) if moved => return Err(libc::ENOTDIR),
            Ok(directory) => self.remove(&to, directory)?,
        }
        if moved {
            self.take_over_below(&from)?;
        }
        let node = self.take_over(&from)?;
        let below: Vec<_> = self.names.keys().filter(|name| name.starts_with(&from)).cloned().collect();
        for name in below {
            let rest = &name[from.len()..];
            if rest.starts_with(b"/") {
                let node = self.names.insert(name.clone(), None).flatten();
                self.names.insert([&to[..], rest].concat(), node);
            }
        }
        self.names.insert(from, None);
        self.names.insert(to, Some(node));
        Ok(())
    }

    /// Takes over everything that the host has below a directory, before that is moved.
    fn take_over_below(&mut self, path: &[u8]) -> Result<(), Errno> {
        for name in host::entries(path) {
            if self.names.contains_key(&name) {
                continue;
            }
            let status = host::status(&name)?;
            if status.mode & libc::S_IFMT == libc::S_IFDIR {
                self.take_over_below(&name)?;
                self.create(&name, None, status.mode);
            } else {
                self.take_over(&name)?;
            }
        }
        Ok(())
    }

    /// `chmod`.
    pub fn change_mode(&mut self, path: &[u8], mode: u32) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        let node = self.take_over(&path)?;
        self.set_mode(node, mode);
        Ok(())
    }

    /// `fchmod`.
    pub fn change_open_mode(&mut self, descriptor: i32, mode: u32) -> Result<(), Errno> {
        if let Target::Node(node) = self.open_file(descriptor)?.target {
            self.set_mode(node, mode);
        }
        Ok(())
    }

    fn set_mode(&mut self, node: u64, mode: u32) {
        if let Some(node) = self.nodes.get_mut(&node) {
            node.mode = node.mode & libc::S_IFMT | mode & 0o7777;
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

    /// The node that a path names, taken over for changing its length (`truncate`).
    pub fn resize_path(&mut self, path: &[u8], size: u64) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        let node = self.take_over(&path)?;
        self.resize(node, size)
    }
}
