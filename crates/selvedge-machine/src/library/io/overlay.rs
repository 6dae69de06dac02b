//! Paths: what they name in the program's view, which is an overlay above the host's files.

use super::files::{Content, Errno, Files, Node, Status, Target};
use super::host;

/// What a path leads to.
enum Found {
    Nothing,
    Node(u64),
    /// On the host, not looked into yet.
    Host(Status),
}

impl Files {
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

    pub(super) fn node_status(&self, number: u64) -> Status {
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
            Target::Counter { .. } => status(0o600, 0),
        })
    }

    fn parent_must_exist(&self, path: &[u8]) -> Result<(), Errno> {
        let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0).max(1);
        match self.status_of(&path[..end])?.mode & libc::S_IFMT == libc::S_IFDIR {
            true => Ok(()),
            false => Err(libc::ENOTDIR),
        }
    }

    pub(super) fn create(&mut self, path: &[u8], content: Option<Vec<u8>>, mode: u32) -> u64 {
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

    pub(super) fn forget_if_unused(&mut self, node: u64) {
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

    /// The node that a path names, taken over for changing its length (`truncate`).
    pub fn resize_path(&mut self, path: &[u8], size: u64) -> Result<(), Errno> {
        let path = self.absolute(path)?;
        let node = self.take_over(&path)?;
        self.resize(node, size)
    }
}
