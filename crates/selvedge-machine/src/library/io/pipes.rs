//! Pipes.

use std::collections::VecDeque;

/// Bytes that fit into a pipe, as on Linux.
pub const CAPACITY: usize = 65536;

/// An end of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Read,
    Write,
}

/// A pipe: what is in it, and which of its ends are open.
#[derive(Clone, Hash)]
pub struct Pipe {
    /// The bytes that are written and not read.
    pub bytes: VecDeque<u8>,
    has_reader: bool,
    has_writer: bool,
}

impl Pipe {
    /// An empty pipe with both ends open.
    pub fn new() -> Self {
        Pipe { bytes: VecDeque::new(), has_reader: true, has_writer: true }
    }

    /// Closes an end.
    pub fn close(&mut self, end: End) {
        match end {
            End::Read => self.has_reader = false,
            End::Write => self.has_writer = false,
        }
    }

    /// Whether both ends are closed.
    pub fn is_abandoned(&self) -> bool {
        !self.has_reader && !self.has_writer
    }

    /// Whether any descriptor can still read what is written.
    pub fn has_reader(&self) -> bool {
        self.has_reader
    }

    /// Whether more bytes can still come.
    pub fn has_writer(&self) -> bool {
        self.has_writer
    }

    /// Bytes that can be written now.
    pub fn room(&self) -> usize {
        CAPACITY.saturating_sub(self.bytes.len())
    }
}
