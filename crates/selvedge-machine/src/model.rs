//! The memory models, and the words that they share. Under sequential consistency nothing is kept and nothing is paid;
//! `hooks.rs` says when the others are told of what threads do.

use crate::buffers::Buffers;
use crate::graph::ExecutionGraph;
use crate::machine::Config;
use crate::memory::Provenance;
use crate::operational::Operational;
use selvedge_program::Program;
use selvedge_trace::{Executions, MemoryOrder};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A visible access of up to 8 bytes (wider ones drain the buffers first).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub address: u64,
    pub len: u8,
    pub order: MemoryOrder,
    /// Where in the program it is, if that is to be recorded.
    pub origin: Option<Origin>,
}

/// Where an access is: its position, and the nearest one in the user's own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub position: u32,
    pub user_position: u32,
}

/// A store that waits in a buffer and can become visible next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingStore {
    /// Index of its thread.
    pub thread: usize,
    pub address: u64,
    pub len: u8,
    pub order: MemoryOrder,
    pub origin: Origin,
}

/// A store to an object that no other thread can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivateChange {
    /// What would wait in the buffer.
    pub address: u64,
    pub len: u8,
    pub value: u64,
    pub order: MemoryOrder,
    pub origin: Option<Origin>,
    /// What the thread has written: the first byte and how many.
    pub written: (u64, u8),
    pub tag: u32,
}

/// A value with everything that is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datum {
    pub value: u64,
    pub provenance: Provenance,
    /// Bytes that hold no value, one bit each.
    pub undefined: u8,
}

/// What a thread's operation has done to its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffering {
    /// A store has entered it.
    Entered {
        /// Where it stores.
        address: u64,
        /// How many bytes.
        len: u8,
        /// What it stores.
        value: u64,
        /// Its order.
        order: MemoryOrder,
        /// Where it comes from, if that is known.
        origin: Option<Origin>,
    },
    /// Everything that the thread has stored since this was so last is visible.
    Drained,
}

/// A memory model, with what it keeps beside memory.
#[derive(Clone, Default)]
pub(crate) enum MemoryModel {
    /// Sequential consistency: memory is all that there is.
    #[default]
    Sequential,
    /// Store buffers: `tso`, `pso`.
    Buffers(Box<Buffers>),
    /// The execution as a graph: `rc11`, `mca`.
    Graph(Box<ExecutionGraph>),
    /// Operational RC11: what loads may read besides the last store.
    Operational(Arc<Operational>),
}

impl MemoryModel {
    pub fn new(program: &Program, config: &Config) -> Self {
        match config.model.row().executions {
            Executions::Interleavings if config.operational => MemoryModel::Operational(Arc::default()),
            Executions::Interleavings => MemoryModel::Sequential,
            Executions::BufferedStores(order) => MemoryModel::Buffers(Box::new(Buffers::new(order))),
            Executions::Graphs => {
                MemoryModel::Graph(Box::new(ExecutionGraph::new(program, config.model, config.trace)))
            }
        }
    }

    #[inline]
    pub fn buffers(&self) -> Option<&Buffers> {
        if let MemoryModel::Buffers(buffers) = self { Some(buffers) } else { None }
    }

    #[inline]
    pub fn buffers_mut(&mut self) -> Option<&mut Buffers> {
        if let MemoryModel::Buffers(buffers) = self { Some(buffers) } else { None }
    }

    #[inline]
    pub fn graph(&self) -> Option<&ExecutionGraph> {
        if let MemoryModel::Graph(graph) = self { Some(graph) } else { None }
    }

    #[inline]
    pub fn graph_mut(&mut self) -> Option<&mut ExecutionGraph> {
        if let MemoryModel::Graph(graph) = self { Some(graph) } else { None }
    }

    #[inline]
    pub fn operational(&self) -> Option<&Operational> {
        if let MemoryModel::Operational(operational) = self { Some(operational) } else { None }
    }

    #[inline]
    pub fn operational_mut(&mut self) -> Option<&mut Operational> {
        if let MemoryModel::Operational(operational) = self { Some(Arc::make_mut(operational)) } else { None }
    }

    /// The provenances of all values that are kept.
    pub fn provenances(&self, mut visit: &mut dyn FnMut(Provenance)) {
        match self {
            MemoryModel::Sequential | MemoryModel::Graph(_) => {}
            MemoryModel::Buffers(buffers) => buffers.provenances(visit),
            MemoryModel::Operational(operational) => operational.pointers().for_each(&mut visit),
        }
    }
}
