//! The edges of a graph of states, in little room: they are written once, and read when a round is over.
//!
//! There are several for each state, so they are kept as differences, a few bytes each, in blocks; blocks can be put
//! away to where there is more room than in memory.

use crate::states::graph::Edge;
use serde::de::Error as _;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Room outside of memory.
pub trait Spill: Send + Sync + fmt::Debug {
    /// Puts bytes away; where they are found again.
    fn put(&self, bytes: &[u8]) -> std::io::Result<u64>;
    /// Reads bytes that were put away.
    fn get(&self, at: u64, into: &mut [u8]) -> std::io::Result<()>;
}

/// Bytes of a block.
const BLOCK: usize = 1 << 16;

enum Block {
    Here(Vec<u8>),
    Away { at: u64, len: usize },
}

impl Block {
    /// What is in it, perhaps read into the buffer.
    fn bytes<'a>(
        &'a self,
        spill: Option<&dyn Spill>,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Unreadable> {
        match self {
            Block::Here(bytes) => Ok(bytes),
            Block::Away { at, len } => {
                buffer.resize(*len, 0);
                let spill = spill.ok_or(Unreadable)?;
                spill.get(*at, buffer).map_err(|_| Unreadable)?;
                Ok(buffer)
            }
        }
    }
}

/// What was put away could not be read.
#[derive(Debug)]
pub struct Unreadable;

/// Edges that are written as they are, wherever they are.
pub struct Written<'a> {
    edges: &'a Edges,
    spill: Option<&'a dyn Spill>,
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A list with the number of edges, the open block and then the others.
        let Edges { blocks, open, count, .. } = self.edges;
        let mut list = serializer.serialize_seq(Some(blocks.len() + 2))?;
        list.serialize_element(&count.to_le_bytes()[..])?;
        list.serialize_element(open)?;
        let mut buffer = Vec::new();
        for block in blocks {
            let bytes = block.bytes(self.spill, &mut buffer);
            list.serialize_element(bytes.map_err(|_| S::Error::custom("edges that cannot be read"))?)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Edges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut blocks = Vec::<Vec<u8>>::deserialize(deserializer)?.into_iter();
        let mut next = || blocks.next().unwrap_or_default();
        let (count, open) = (next(), next());
        let count = count.try_into().map_err(|_| D::Error::custom("no number of edges"))?;
        let blocks = blocks.chain([open]).filter(|block| !block.is_empty()).map(Block::Here).collect();
        Ok(Edges { blocks, count: usize::from_le_bytes(count), ..Edges::default() })
    }
}

/// A list of edges.
#[derive(Default)]
pub struct Edges {
    blocks: Vec<Block>,
    open: Vec<u8>,
    /// Where the last edge of the open block begins.
    last: u32,
    count: usize,
}

impl Edges {
    /// One more.
    pub fn push(&mut self, edge: Edge) {
        write(&mut self.open, difference(self.last, edge.from));
        write(&mut self.open, difference(edge.from, edge.to));
        write(&mut self.open, u64::from(edge.act));
        self.last = edge.from;
        self.count += 1;
        if self.open.len() >= BLOCK {
            self.seal();
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// All of another list.
    pub fn append(&mut self, mut other: Edges) {
        self.seal();
        other.seal();
        self.count += other.count;
        self.blocks.append(&mut other.blocks);
    }

    fn seal(&mut self) {
        let mut block = std::mem::take(&mut self.open);
        self.last = 0;
        if !block.is_empty() {
            block.shrink_to_fit();
            self.blocks.push(Block::Here(block));
        }
    }

    /// As they are written into a checkpoint.
    pub fn written<'a>(&'a self, spill: Option<&'a dyn Spill>) -> Written<'a> {
        Written { edges: self, spill }
    }

    /// Puts away what can be; what cannot stays here.
    pub fn put_away(&mut self, spill: &dyn Spill) {
        for block in self.blocks.iter_mut().rev() {
            match block {
                Block::Away { .. } => return,
                Block::Here(bytes) => {
                    let Ok(at) = spill.put(bytes) else { return };
                    *block = Block::Away { at, len: bytes.len() };
                }
            }
        }
    }

    /// Visits all edges, in the order in which they came.
    pub fn each(&self, spill: Option<&dyn Spill>, visit: &mut dyn FnMut(Edge)) -> Result<(), Unreadable> {
        let mut buffer = Vec::new();
        for block in &self.blocks {
            read_block(block.bytes(spill, &mut buffer)?, visit)?;
        }
        read_block(&self.open, visit)
    }
}

fn read_block(mut bytes: &[u8], visit: &mut dyn FnMut(Edge)) -> Result<(), Unreadable> {
    let mut last = 0;
    while !bytes.is_empty() {
        let mut next = || read(&mut bytes).ok_or(Unreadable);
        let from = moved(last, next()?);
        let to = moved(from, next()?);
        let act = u16::try_from(next()?).map_err(|_| Unreadable)?;
        visit(Edge { from, to, act });
        last = from;
    }
    Ok(())
}

/// The difference between two numbers: small if they are near each other.
fn difference(from: u32, to: u32) -> u64 {
    let difference = i64::from(to) - i64::from(from);
    (difference << 1 ^ difference >> 63) as u64
}

/// The number that a difference leads to.
fn moved(from: u32, encoded: u64) -> u32 {
    let difference = (encoded >> 1) as i64 ^ -((encoded & 1) as i64);
    (i64::from(from) + difference) as u32
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write(into: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn read(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Debug, Default)]
    struct Shelf {
        bytes: Mutex<Vec<u8>>,
        full: bool,
    }

    impl Spill for Shelf {
        fn put(&self, bytes: &[u8]) -> std::io::Result<u64> {
            if self.full {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            let mut all = self.bytes.lock().expect("no panic");
            all.extend_from_slice(bytes);
            Ok((all.len() - bytes.len()) as u64)
        }

        fn get(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
            let at = at as usize;
            into.copy_from_slice(&self.bytes.lock().expect("no panic")[at..at + into.len()]);
            Ok(())
        }
    }

    fn list(edges: &Edges, spill: Option<&dyn Spill>) -> Vec<(u32, u32, u16)> {
        let mut all = Vec::new();
        edges.each(spill, &mut |edge| all.push((edge.from, edge.to, edge.act))).expect("readable");
        all
    }

    #[test]
    fn edges_come_back_in_order_wherever_they_are_kept() {
        let mut state = 1_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32
        };
        let extreme = [(0, u32::MAX, u16::MAX), (u32::MAX, 0, 0), (5, 5, 1)];
        let mut all: Vec<(u32, u32, u16)> =
            (0..40_000).map(|_| (number(), number(), number() as u16)).collect();
        all.extend(extreme);
        let fill = |part: &[(u32, u32, u16)]| {
            let mut edges = Edges::default();
            part.iter().for_each(|&(from, to, act)| edges.push(Edge { from, to, act }));
            edges
        };
        let shelf = Shelf::default();
        let (first, second) = all.split_at(25_000);
        let mut edges = fill(first);
        edges.put_away(&shelf);
        assert!(!shelf.bytes.lock().expect("no panic").is_empty());
        assert_eq!(list(&edges, Some(&shelf)), first);
        edges.append(fill(second));
        assert_eq!(edges.len(), all.len());
        edges.put_away(&shelf);
        assert_eq!(list(&edges, Some(&shelf)), all);
        assert!(edges.each(None, &mut |_| {}).is_err(), "some of them are away");
        let mut edges = fill(&all);
        edges.put_away(&Shelf { full: true, ..Shelf::default() });
        assert_eq!(list(&edges, None), all, "what cannot be put away stays");
    }
}
