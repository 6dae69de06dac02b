//! What is explored: threads whose next event follows from what they have read.

use crate::{EventId, Graph, Label};

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// This event. After an exclusive read that is followed by its write, the write.
    Event(Label),
    /// A read after which the thread only goes on if it reads from a write that lets it: see [`Program::admits`]. Until
    /// there is one it waits. At the end of an execution such reads are there without anything after them.
    Await(Label),
    /// A read that the thread repeats for as long as it reads from a write that does not let it go on: see
    /// [`Program::admits`]. If there is no other it is there once, and then the thread is [`Next::Stuck`].
    Look(Label),
    /// Nothing, because the write that its last event reads from does not let it go on.
    Waits,
    /// Nothing, because what it has read does not meet an assumption; whatever others do does not help.
    Stuck,
    /// Nothing, as for [`Next::Stuck`], and this execution need not be looked at: what others do in it they also do in
    /// executions in which this thread has done less, and whatever is added it stays so.
    Useless,
    /// Nothing any more.
    Ended,
    /// Something has gone wrong in it: the execution is over.
    Failed,
}

/// Threads that do the same again when they read the same again.
///
/// A thread's next event may only depend on the events that the thread has in the graph and what those have read. A
/// thread that others create has no events before its creation is in the graph; the exploration adds the first one.
pub trait Program {
    /// How many threads there are from the beginning.
    fn roots(&self) -> u32;

    /// What a thread does after its events in the graph.
    fn next(&mut self, graph: &Graph, thread: u32) -> Next;

    /// What is at a location at first.
    fn initial(&mut self, location: u32) -> u64;

    /// All that the threads' next events depend on, and that is not in the graph: what they are about to do, what they
    /// hold, and memory that is no location. Nothing where that is not known. The graph is the one that is looked at.
    fn state(&mut self, _graph: &Graph) -> Option<u128> {
        None
    }

    /// What a write has written, or what was there at first: loads of the same do the same.
    fn datum(&self, graph: &Graph, location: u32, write: Option<EventId>) -> u128 {
        u128::from(match write {
            Some(write) => graph.event(write).value,
            None => graph.locations()[location as usize].initial,
        })
    }

    /// Where a location is: of those at the same place only one is in use at a time.
    fn memory(&mut self, location: u32) -> u32 {
        location
    }

    /// Whether a thread goes on whose next event is [`Next::Await`] or [`Next::Look`], if it reads from this write.
    fn admits(&mut self, _graph: &Graph, _thread: u32, _source: Option<EventId>) -> bool {
        true
    }

    /// Whether the exclusive read that a thread does next is followed by its write for sure, unless it compares and
    /// finds something else.
    fn updates(&mut self, _thread: u32) -> bool {
        true
    }

    /// Which thread a thread that is about to begin does the same as, if it reads the same, and is taken for the same by all
    /// others. Of executions that differ by exchanging such threads some are left out, but never all. That other
    /// thread has a smaller number, and is the same for all graphs in which this one begins like this.
    fn like(&mut self, _graph: &Graph, _thread: u32) -> Option<u32> {
        None
    }

    /// Another graph is looked at from now on.
    fn restart(&mut self, _graph: &Graph) {}

    /// A copy of the graph that is explored was put aside, to be extended otherwise later.
    fn branches(&mut self) {}

    /// An event was added to the graph that is looked at. A lock that waited may have got its mutex with it.
    fn added(&mut self, _graph: &Graph, _id: EventId) {}
}
