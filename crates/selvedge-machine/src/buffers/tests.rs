//! What threads see through their buffers, and in which orders stores come out.

use super::*;
use crate::memory::{Object, ObjectKind};
use selvedge_program::Program;
use selvedge_trace::Model;
use std::sync::Arc;

/// A model over one object of 64 zero bytes; places in it are given by their offsets.
struct Bench {
    memory: Memory,
    model: Buffers,
    object: Pointer,
}

const PLAIN: MemoryOrder = MemoryOrder::NotAtomic;

impl Bench {
    fn new(kind: Model) -> Self {
        let mut memory = Memory::new(Arc::new(Program::default()));
        let object = memory.allocate(0, 16, heap_object(), &|_| Vec::new()).unwrap();
        memory.fill(object.address, 0, 64);
        Bench { memory, model: Buffers::new(kind.commit_order().expect("a model with buffers")), object }
    }

    fn access(&self, offset: u64, len: u8, order: MemoryOrder) -> Access {
        Access { address: self.object.address + offset, len, order, origin: None }
    }

    fn store(&mut self, thread: usize, offset: u64, len: u8, value: u64, order: MemoryOrder) {
        let datum = Datum { value, provenance: Provenance::NONE, undefined: 0 };
        let access = self.access(offset, len, order);
        self.model.store(&mut self.memory, thread, access, datum);
    }

    fn plain(&mut self, thread: usize, offset: u64, value: u64) {
        self.store(thread, offset, 4, value, PLAIN);
    }

    fn load(&mut self, thread: usize, offset: u64, len: u8) -> u64 {
        let access = self.access(offset, len, PLAIN);
        self.model.load(&mut self.memory, thread, access).value
    }

    fn fence(&mut self, thread: usize, order: MemoryOrder) {
        self.model.fence(&mut self.memory, thread, order);
    }

    /// (thread, offset) of the stores that can be committed.
    fn commits(&self) -> Vec<(usize, u64)> {
        let mut commits = Vec::new();
        self.model.commits(&mut commits);
        commits.into_iter().map(|(thread, address)| (thread, address - self.object.address)).collect()
    }

    fn commit(&mut self, thread: usize, offset: u64) -> Option<u64> {
        let address = self.object.address + offset;
        self.model.commit(&mut self.memory, thread, address).map(|(_, _, value)| value)
    }
}

fn heap_object() -> Object {
    Object {
        size: 64,
        generation: 0,
        live: true,
        returned: false,
        shared: true,
        escaped: true,
        kind: ObjectKind::Heap,
        allocated_at: 0,
        freed_at: 0,
        number: 0,
        origin: (0, 0),
        site: 0,
    }
}

#[test]
fn own_stores_are_seen_at_once_by_others_after_the_commit() {
    for kind in [Model::Tso, Model::Pso] {
        let mut bench = Bench::new(kind);
        bench.plain(1, 0, 7);
        assert_eq!((bench.load(1, 0, 4), bench.load(2, 0, 4)), (7, 0));
        assert_eq!(bench.commits(), [(1, 0)]);
        assert_eq!(bench.commit(1, 0), Some(7));
        assert_eq!((bench.load(1, 0, 4), bench.load(2, 0, 4)), (7, 7));
        assert_eq!(bench.commits(), []);
        assert_eq!(bench.commit(1, 0), None);
    }
}

#[test]
fn loads_gather_their_bytes_from_the_youngest_stores_and_from_memory() {
    for kind in [Model::Tso, Model::Pso] {
        let mut bench = Bench::new(kind);
        bench.memory.write_bytes(bench.object.address, &[0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17]);
        bench.store(1, 1, 4, 0x2423_2221, PLAIN);
        bench.store(1, 3, 2, 0x3433, PLAIN);
        assert_eq!(bench.load(1, 0, 8), 0x1716_1534_3322_2110);
        assert_eq!(bench.load(1, 4, 4), 0x1716_1534);
        assert_eq!(bench.load(1, 2, 1), 0x22);
        let mut bytes = [0xff; 8];
        let mut defined = [true; 8];
        bench.model.overlay(1, bench.object.address, &mut bytes, &mut defined);
        assert_eq!(bytes, [0xff, 0x21, 0x22, 0x33, 0x34, 0xff, 0xff, 0xff]);
    }
}

#[test]
fn tso_commits_in_program_order() {
    let mut bench = Bench::new(Model::Tso);
    bench.plain(1, 0, 1);
    bench.plain(1, 8, 2);
    bench.plain(2, 16, 3);
    assert_eq!(bench.commits(), [(1, 0), (2, 16)]);
    assert_eq!(bench.commit(1, 8), None);
    bench.commit(1, 0);
    assert_eq!(bench.commits(), [(1, 8), (2, 16)]);
}

#[test]
fn pso_reorders_stores_to_different_places_only() {
    let mut bench = Bench::new(Model::Pso);
    bench.plain(1, 0, 1);
    bench.plain(1, 8, 2);
    bench.plain(1, 0, 3);
    bench.store(1, 10, 4, 4, PLAIN);
    assert_eq!(bench.commits(), [(1, 0), (1, 8)]);
    assert_eq!(bench.commit(1, 8), Some(2));
    assert_eq!(bench.commits(), [(1, 0), (1, 10)]);
    assert_eq!(bench.commit(1, 0), Some(1));
    assert_eq!(bench.commit(1, 0), Some(3));
    assert_eq!(bench.commit(1, 10), Some(4));
}

#[test]
fn pso_release_store_comes_after_all_earlier_stores() {
    let mut bench = Bench::new(Model::Pso);
    bench.plain(1, 0, 1);
    bench.plain(1, 8, 1);
    bench.store(1, 16, 4, 1, MemoryOrder::Release);
    bench.plain(1, 24, 1);
    assert_eq!(bench.commits(), [(1, 0), (1, 8)]);
    bench.commit(1, 8);
    assert_eq!(bench.commits(), [(1, 0)]);
    bench.commit(1, 0);
    assert_eq!(bench.commits(), [(1, 16), (1, 24)]);
}

#[test]
fn pso_release_fence_orders_stores_before_and_after() {
    let mut bench = Bench::new(Model::Pso);
    bench.fence(1, MemoryOrder::Release);
    bench.plain(1, 0, 1);
    bench.fence(1, MemoryOrder::AcqRel);
    bench.fence(1, MemoryOrder::Acquire);
    bench.plain(1, 8, 1);
    bench.plain(1, 16, 1);
    assert_eq!(bench.commits(), [(1, 0)]);
    bench.commit(1, 0);
    assert_eq!(bench.commits(), [(1, 8), (1, 16)]);
}

#[test]
fn sequentially_consistent_stores_and_fences_drain() {
    for kind in [Model::Tso, Model::Pso] {
        let mut bench = Bench::new(kind);
        bench.plain(1, 0, 1);
        bench.store(1, 8, 4, 2, MemoryOrder::SeqCst);
        assert_eq!(bench.commits(), []);
        assert_eq!((bench.load(2, 0, 4), bench.load(2, 8, 4)), (1, 2));
        bench.plain(1, 0, 5);
        bench.plain(2, 8, 6);
        bench.fence(1, MemoryOrder::SeqCst);
        assert_eq!(bench.commits(), [(2, 8)]);
        assert_eq!((bench.load(2, 0, 4), bench.load(1, 8, 4)), (5, 2));
    }
}

#[test]
fn pointers_and_undefined_bytes_travel_through_the_buffer() {
    let mut bench = Bench::new(Model::Tso);
    let pointer = Datum { value: bench.object.address, provenance: bench.object.provenance, undefined: 0 };
    let access = bench.access(0, 8, PLAIN);
    bench.model.store(&mut bench.memory, 1, access, pointer);
    assert_eq!(bench.model.load(&mut bench.memory, 1, access), pointer);
    bench.model.drain(&mut bench.memory, 1);
    assert_eq!(bench.model.load(&mut bench.memory, 2, access), pointer);

    let half = Datum { value: 0x11, provenance: Provenance::NONE, undefined: 0b10 };
    let access = bench.access(16, 2, PLAIN);
    bench.model.store(&mut bench.memory, 1, access, half);
    let wide = bench.access(15, 4, PLAIN);
    assert_eq!(bench.model.load(&mut bench.memory, 1, wide).undefined, 0b100);
    bench.model.drain(&mut bench.memory, 1);
    assert_eq!(bench.model.load(&mut bench.memory, 2, wide).undefined, 0b100);
}

#[test]
fn a_store_does_not_reach_the_next_object_at_its_place() {
    let mut bench = Bench::new(Model::Tso);
    bench.plain(1, 0, 9);
    bench.model.forget(bench.object.address, 64);
    bench.memory.free(bench.object, 0);
    let next = bench.memory.allocate(0, 16, heap_object(), &|_| Vec::new()).unwrap();
    assert_eq!(next.address, bench.object.address);
    bench.memory.fill(next.address, 0, 64);
    assert_eq!(bench.load(1, 0, 4), 0);
    assert_eq!(bench.commit(1, 0), None);
    assert_eq!(bench.load(2, 0, 4), 0);
}

#[test]
fn equal_futures_have_equal_hashes() {
    let run = |kind, steps: &dyn Fn(&mut Bench)| {
        let mut bench = Bench::new(kind);
        steps(&mut bench);
        bench.model.hash(&|thread| thread as u64)
    };
    let empty = run(Model::Pso, &|_| {});
    assert_eq!(empty, 0);
    let drained = run(Model::Pso, &|bench| {
        bench.plain(1, 0, 1);
        bench.fence(1, MemoryOrder::Release);
        bench.commit(1, 0);
    });
    // An operation on a private object would be a barrier, and with that a step.
    assert_ne!(drained, empty);
    let drained = run(Model::Pso, &|bench| {
        bench.plain(1, 0, 1);
        bench.fence(1, MemoryOrder::Release);
        bench.commit(1, 0);
        bench.fence(1, MemoryOrder::SeqCst);
    });
    assert_eq!(drained, empty);
    let forth = |bench: &mut Bench| {
        bench.plain(1, 0, 1);
        bench.plain(1, 8, 2);
    };
    let back = |bench: &mut Bench| {
        bench.plain(1, 8, 2);
        bench.plain(1, 0, 1);
    };
    assert_eq!(run(Model::Pso, &forth), run(Model::Pso, &back));
    assert_ne!(run(Model::Tso, &forth), run(Model::Tso, &back));
    let fenced = |bench: &mut Bench| {
        bench.plain(1, 0, 1);
        bench.fence(1, MemoryOrder::Release);
        bench.plain(1, 8, 2);
    };
    assert_ne!(run(Model::Pso, &forth), run(Model::Pso, &fenced));
    let other_thread = |bench: &mut Bench| {
        bench.plain(2, 0, 1);
        bench.plain(2, 8, 2);
    };
    assert_ne!(run(Model::Pso, &forth), run(Model::Pso, &other_thread));
}
